import { readFile } from 'node:fs/promises'
import { comment } from './comment.mjs'
import { all, children, dropUnreached, openPackage, relationsOf } from './package.mjs'
import { changer, paragraphsOf, setStyle, stylesOf, textOf, textParts } from './text.mjs'

const [path, out, list, flag, name] = process.argv.slice(2)
if (list === undefined || (flag !== undefined && (flag !== '--track' || name === undefined)))
  throw new Error('Usage: edit.mjs in.docx out.docx changes.json [--track "Name"]')
const author = flag === undefined ? undefined : name
const file = await openPackage(path)
const parts = await textParts(file)
const { xml } = parts[0]
const change = changer(author)

/** Numbers mean the file as it was. */
const paragraphs = paragraphsOf(xml)
const tables = all(xml, 'tbl')
const styles = await stylesOf(file)
const last = new Map()
const deleted = new Set()
const gone = new Set()

function numbered(number) {
  const found = paragraphs[number - 1]
  if (found === undefined) throw new Error(`There is no paragraph ${number}; there are ${paragraphs.length}`)
  return found
}

/** One that no earlier change has deleted, by itself or with what it stands in. */
function standing(number) {
  const found = numbered(number)
  for (let up = found; up !== null; up = up.parentNode)
    if (deleted.has(up)) throw new Error(`Paragraph ${number} was deleted by an earlier change`)
  return found
}

function known(style) {
  if (!styles.includes(style)) throw new Error(`There is no style ${style}. There are: ${styles.join(', ')}`)
  return style
}

function words(step, text) {
  if (!['string', 'number'].includes(typeof text)) throw new Error(`This change says no text: ${JSON.stringify(step)}`)
  return String(text)
}

function cellAt([table, row, column]) {
  const rows = tables[table - 1] && children(tables[table - 1], 'tr')
  const cell = rows?.[row - 1] && children(rows[row - 1], 'tc')[column - 1]
  if (cell === undefined) throw new Error(`There is no cell ${table} ${row} ${column}`)
  return cell
}

const places = (wanted) =>
  parts.flatMap((part) =>
    paragraphsOf(part.xml).flatMap((paragraph) => {
      const text = textOf(paragraph)
      const found = []
      for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
        found.push({ paragraph, at })
      return found
    }),
  )

/** Word writes a text box twice, the second time for older programs. Both are changed, and count once. */
function isSecond(paragraph) {
  let up = paragraph
  while (up !== null && up.localName !== 'Fallback') up = up.parentNode
  const [first] = up === null ? [] : children(up.parentNode, 'Choice')
  return first !== undefined && paragraphsIn(first, paragraph).some((one) => textOf(one) === textOf(paragraph))
}

const paragraphsIn = (node, like) => all(node, 'p').filter((one) => one.namespaceURI === like.namespaceURI)

/** What a part of the document shows by its relationships, such as images and charts. */
const shownBy = (node) =>
  all(node, '*').flatMap((one) =>
    Array.from(one.attributes)
      .filter(({ namespaceURI }) => /officeDocument\/(2006\/)?relationships$/.test(namespaceURI))
      .map(({ value }) => value),
  )

function remove(paragraph) {
  if (author === undefined) for (const id of shownBy(paragraph)) gone.add(id)
  change.remove(paragraph)
  deleted.add(paragraph)
}

const steps = {
  replace(step) {
    const { replace, with: text = '', all: each = false } = step
    const found = replace === '' ? [] : places(replace)
    if (found.length === 0) throw new Error(`The text isn't there: ${JSON.stringify(replace)}`)
    const { length } = found.filter(({ paragraph }) => !isSecond(paragraph))
    if (length > 1 && !each)
      throw new Error(`${JSON.stringify(replace)} is there ${length} times: say more of it, or "all": true`)
    // From the end, so that earlier places stay where they are.
    for (const { paragraph, at } of found.toReversed())
      change.put(paragraph, at, at + replace.length, words(step, text))
  },
  set(step) {
    const paragraph = standing(step.set)
    change.put(paragraph, 0, textOf(paragraph).length, words(step, step.text))
  },
  after(step) {
    const { after, add, style } = step
    let above = last.get(after) ?? standing(after)
    if (style !== undefined) known(style)
    for (const text of [add].flat()) above = change.add(words(step, text), style, above)
    last.set(after, above)
  },
  delete(step) {
    const paragraph = numbered(step.delete)
    if (!deleted.has(paragraph)) remove(paragraph)
  },
  style: ({ style, as }) => setStyle(standing(style), known(as)),
  cell(step) {
    const own = children(cellAt(step.cell), 'p')
    const [first = own[0], ...others] = own.filter((one) => !deleted.has(one))
    change.put(first, 0, textOf(first).length, words(step, step.text))
    for (const other of others) remove(other)
  },
  comment: (step) => comment(file, standing(step.comment), words(step, step.text), author ?? 'Bobbin'),
}

/** `after` and `style` also stand beside others, so those are looked for last. */
const kinds = ['replace', 'set', 'delete', 'cell', 'comment', 'after', 'style']
const changes = JSON.parse(await readFile(list, 'utf8'))
for (const step of changes) {
  const kind = kinds.find((one) => Object.hasOwn(step, one))
  if (kind === undefined)
    throw new Error(`I don't know this change: ${JSON.stringify(step)}. There are: ${kinds.join(', ')}`)
  await steps[kind](step)
}
for (const id of shownBy(xml)) gone.delete(id)
for (const one of await relationsOf(file, parts[0].name))
  if (gone.has(one.getAttribute('Id'))) one.parentNode.removeChild(one)
if (gone.size > 0) await dropUnreached(file)
await file.save(out)
console.log(JSON.stringify({ file: out, changes: changes.length, ...(author !== undefined && { trackedAs: author }) }))
