/** Longer texts that get a box of their own; the first one that a call has. */
const texts = ['content', 'command', 'code']
const inEdit = ['old_string', 'new_string', 'replace_all']

const isEdit = ({ old_string, new_string, replace_all }) =>
  typeof old_string === 'string' &&
  typeof new_string === 'string' &&
  (replace_all === undefined || typeof replace_all === 'boolean')

/** Anything more that it says would be shown nowhere. */
const isOnlyEdit = (edit) =>
  edit !== null && typeof edit === 'object' && Object.keys(edit).every((name) => inEdit.includes(name)) && isEdit(edit)

const asShown = ({ old_string, new_string, replace_all }) => ({
  ...{ before: old_string, after: new_string, everywhere: replace_all === true },
})

/** What is drawn of a call's arguments, and the names of what that shows. */
function drawn(input) {
  if (isEdit(input)) return { edits: [asShown(input)], names: inEdit }
  const { edits } = input
  if (Array.isArray(edits) && edits.length > 0 && edits.every(isOnlyEdit))
    return { edits: edits.map(asShown), names: ['edits'] }
  const name = texts.find((one) => typeof input[one] === 'string')
  if (name === undefined) return { edits: [], names: [] }
  return { edits: [], text: { name, value: input[name] }, names: [name] }
}

// An empty text means that nothing was given.
const isEmpty = (value) => value === '' || (Array.isArray(value) && value.length === 0)

/** A call's arguments for someone who has to judge them. `fields`: all that isn't drawn as an edit or a text. */
export function partsOf(input) {
  const { names, ...parts } = drawn(input)
  const fields = Object.entries(input).filter(([name, value]) => !isEmpty(value) && !names.includes(name))
  return { ...parts, fields }
}
