import { readFile } from 'node:fs/promises'
import { comment } from './comment.mjs'
import { all, children, openPackage } from './package.mjs'
import { changer, paragraphsOf, setStyle, textOf, textParts } from './text.mjs'

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
const last = new Map()

function numbered(number) {
  const found = paragraphs[number - 1]
  if (found === undefined) throw new Error(`There is no paragraph ${number}; there are ${paragraphs.length}`)
  return found
}

function cellAt([table, row, column]) {
  const rows = tables[table - 1] && children(tables[table - 1], 'tr')
  const cell = rows?.[row - 1] && children(rows[row - 1], 'tc')[column - 1]
  if (cell === undefined) throw new Error(`There is no cell ${table} ${row} ${column}`)
  return cell
}

const places = (words) =>
  parts.flatMap((part) =>
    paragraphsOf(part.xml).flatMap((paragraph) => {
      const text = textOf(paragraph)
      const found = []
      for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length))
        found.push({ paragraph, at })
      return found
    }),
  )

const steps = {
  replace({ replace, with: text = '', all: each = false }) {
    const found = replace === '' ? [] : places(replace)
    if (found.length === 0) throw new Error(`The text isn't there: ${JSON.stringify(replace)}`)
    if (found.length > 1 && !each)
      throw new Error(`${JSON.stringify(replace)} is there ${found.length} times: say more of it, or "all": true`)
    // From the end, so that earlier places stay where they are.
    for (const { paragraph, at } of found.toReversed()) change.put(paragraph, at, at + replace.length, text)
  },
  set({ set, text }) {
    const paragraph = numbered(set)
    change.put(paragraph, 0, textOf(paragraph).length, text)
  },
  after({ after, add, style }) {
    let above = last.get(after) ?? numbered(after)
    for (const text of [add].flat()) above = change.add(text, style, above)
    last.set(after, above)
  },
  delete: (step) => change.remove(numbered(step.delete)),
  style: ({ style, as }) => setStyle(numbered(style), as),
  cell({ cell, text }) {
    const [first, ...others] = children(cellAt(cell), 'p')
    change.put(first, 0, textOf(first).length, text)
    for (const other of others) change.remove(other)
  },
  comment: (step) => comment(file, numbered(step.comment), step.text, author ?? 'Bobbin'),
}

/** `after` and `style` also stand beside others, so those are looked for last. */
const kinds = ['replace', 'set', 'delete', 'cell', 'comment', 'after', 'style']
const changes = JSON.parse(await readFile(list, 'utf8'))
for (const step of changes) {
  const kind = kinds.find((one) => Object.hasOwn(step, one))
  if (kind === undefined) throw new Error(`I don't know this change: ${JSON.stringify(step)}`)
  await steps[kind](step)
}
await file.save(out)
console.log(JSON.stringify({ file: out, changes: changes.length, ...(author !== undefined && { trackedAs: author }) }))
