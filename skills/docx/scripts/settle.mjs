import { all, children, openPackage } from './package.mjs'
import { textParts } from './text.mjs'

const [path, out, how] = process.argv.slice(2)
if (how !== 'accept' && how !== 'reject') throw new Error('Usage: settle.mjs in.docx out.docx accept|reject')
const [kept, dropped] = how === 'accept' ? ['ins', 'del'] : ['del', 'ins']
const file = await openPackage(path)
let count = 0

function unwrap(node) {
  while (node.firstChild !== null) node.parentNode.insertBefore(node.firstChild, node)
  node.parentNode.removeChild(node)
}

for (const { xml } of await textParts(file)) {
  const isOfEnd = (mark) => mark.parentNode.localName === 'rPr'
  const joined = all(xml, dropped)
    .filter(isOfEnd)
    .map((mark) => mark.parentNode.parentNode.parentNode)
  for (const mark of all(xml, dropped)) if (mark.parentNode !== null) mark.parentNode.removeChild(mark)
  for (const mark of all(xml, kept)) {
    count++
    unwrap(mark)
  }
  for (const words of all(xml, 'delText')) {
    const text = xml.createElementNS(words.namespaceURI, 'w:t')
    text.setAttribute('xml:space', 'preserve')
    text.appendChild(xml.createTextNode(words.textContent ?? ''))
    words.parentNode.replaceChild(text, words)
  }
  // What is left of a paragraph whose end is gone belongs to the next one.
  for (const paragraph of joined.toReversed()) {
    count++
    let next = paragraph.nextSibling
    while (next !== null && next.nodeType !== 1) next = next.nextSibling
    const rest = children(paragraph).filter(({ localName }) => localName !== 'pPr')
    if (next?.localName !== 'p' && rest.length > 0) continue
    const first = children(next ?? paragraph).find(({ localName }) => localName !== 'pPr') ?? null
    for (const node of rest) next.insertBefore(node, first)
    if (next !== null || rest.length === 0) paragraph.parentNode.removeChild(paragraph)
  }
}
await file.save(out)
console.log(JSON.stringify({ file: out, [how === 'accept' ? 'accepted' : 'rejected']: count }))
