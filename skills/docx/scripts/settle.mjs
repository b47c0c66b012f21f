import { all, child, children, openPackage } from './package.mjs'
import { formatChanges, textParts, wordsOwn } from './text.mjs'

const [path, out, how] = process.argv.slice(2)
if (how !== 'accept' && how !== 'reject') throw new Error('Usage: settle.mjs in.docx out.docx accept|reject')
const isAccepted = how === 'accept'
const additions = ['ins', 'moveTo', 'cellIns']
const removals = ['del', 'moveFrom', 'cellDel']
const [kept, dropped] = isAccepted ? [additions, removals] : [removals, additions]
const file = await openPackage(path)
let count = 0

const remove = (node) => node.parentNode?.removeChild(node)

function unwrap(node) {
  while (node.firstChild !== null) node.parentNode.insertBefore(node.firstChild, node)
  remove(node)
}

/** What a format of before doesn't contain, so that it stays: whether text was inserted or deleted, and these. */
const apart = { pPr: ['rPr', 'sectPr'], sectPr: ['headerReference', 'footerReference'] }

function settleFormat(change) {
  const format = change.parentNode
  const before = child(change, format.localName)
  remove(change)
  if (isAccepted || before === undefined) return
  const stays = [...additions, ...removals, ...(apart[format.localName] ?? [])]
  for (const one of children(format)) if (!stays.includes(one.localName)) remove(one)
  // Where the schema wants them.
  const next = format.localName === 'pPr' ? format.firstChild : null
  for (const one of children(before))
    if (![...additions, ...removals].includes(one.localName)) format.insertBefore(one, next)
}

/** Removes a row or cell, and what would be empty without it. */
function removeFromTable(node) {
  const { parentNode: parent, localName } = node
  remove(node)
  if (['tr', 'tbl'].includes(parent?.localName) && all(parent, localName).length === 0) removeFromTable(parent)
}

function drop(mark) {
  const place = mark.parentNode
  if (place === null) return
  if (place.localName === 'trPr' || place.localName === 'tcPr') removeFromTable(place.parentNode)
  else remove(mark)
}

/** What is left of a paragraph whose end is gone belongs to the next one. */
function join(paragraph) {
  let next = paragraph.nextSibling
  while (next !== null && next.nodeType !== 1) next = next.nextSibling
  const rest = children(paragraph).filter(({ localName }) => localName !== 'pPr')
  if (next?.localName !== 'p' && rest.length > 0) return
  // A cell has to end with a paragraph.
  const others = children(paragraph.parentNode)
  if (next === null && paragraph.parentNode.localName === 'tc' && others.at(-2)?.localName !== 'p') return
  const first = children(next ?? paragraph).find(({ localName }) => localName !== 'pPr') ?? null
  for (const node of rest) next.insertBefore(node, first)
  remove(paragraph)
}

for (const { xml } of await textParts(file)) {
  const root = xml.documentElement
  const formats = wordsOwn(root, formatChanges)
  for (const change of formats) settleFormat(change)
  for (const mark of all(root, '*')) if (/^(move|customXml).*Range(Start|End)$/.test(mark.localName)) remove(mark)
  const marks = wordsOwn(root, [...kept, ...dropped])
  count += formats.length + marks.length
  const gone = marks.filter(({ localName }) => dropped.includes(localName))
  const joined = gone
    .filter(({ parentNode }) => parentNode.localName === 'rPr')
    .map((mark) => mark.parentNode.parentNode.parentNode)
  for (const mark of gone) drop(mark)
  for (const mark of marks) if (kept.includes(mark.localName)) unwrap(mark)
  for (const words of wordsOwn(root, ['delText', 'delInstrText'])) {
    const text = xml.createElementNS(root.namespaceURI, words.localName === 'delText' ? 'w:t' : 'w:instrText')
    text.setAttribute('xml:space', 'preserve')
    text.appendChild(xml.createTextNode(words.textContent ?? ''))
    words.parentNode.replaceChild(text, words)
  }
  for (const paragraph of joined.toReversed()) join(paragraph)
}
await file.save(out)
console.log(JSON.stringify({ file: out, [isAccepted ? 'accepted' : 'rejected']: count }))
