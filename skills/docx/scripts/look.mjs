import { all, attribute, child, openPackage } from './package.mjs'
import { formatChanges, paragraphsOf, styleOf, stylesOf, textOf, textParts, wordsOwn } from './text.mjs'

const [path, range = '1-400'] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: look.mjs in.docx [from-to]')
const [from, to] = range.split('-').map(Number)
const file = await openPackage(path)
const [{ xml }, ...others] = await textParts(file)
const paragraphs = paragraphsOf(xml)
const tables = all(xml, 'tbl')

const styles = await stylesOf(file)
const comments = file.has('word/comments.xml') ? all(await file.xml('word/comments.xml'), 'comment') : []
const kinds = {
  ...{ ins: 'inserted', del: 'deleted', moveFrom: 'movedFrom', moveTo: 'movedTo' },
  ...{ cellIns: 'insertedCell', cellDel: 'deletedCell' },
}
const root = xml.documentElement
const said = (node) =>
  wordsOwn(node, ['t', 'delText'])
    .map((one) => one.textContent)
    .join('')
const changes = wordsOwn(root, Object.keys(kinds)).flatMap((mark) => {
  const [kind, place, by] = [kinds[mark.localName], mark.parentNode, attribute(mark, 'author')]
  if (place.localName === 'trPr') return [{ [`${kind}Row`]: said(place.parentNode), by }]
  if (place.localName === 'tcPr') return [{ [kind]: said(place.parentNode), by }]
  return child(mark, 'r') === undefined ? [] : [{ [kind]: said(mark), by }]
})
const formats = wordsOwn(root, formatChanges)
const texts = others.map(({ name, xml: part }) => [name.slice(5, -4), paragraphsOf(part).map(textOf).join(' ').trim()])
const names = [xml, ...others.map((one) => one.xml)].flatMap((part) =>
  paragraphsOf(part).flatMap((one) => Array.from(textOf(one).matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g), ([, name]) => name)),
)

console.log(
  JSON.stringify({
    paragraphs: paragraphs.length,
    tables: tables.length,
    images: file.names().filter((name) => /^word\/media\/./.test(name)).length,
    styles: styles.slice(0, 60),
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
    ...(names.length > 0 && { placeholders: [...new Set(names)] }),
    trackedChanges: changes,
    ...(formats.length > 0 && { trackedFormats: formats.length }),
    comments: comments.map((one) => ({ by: attribute(one, 'author'), text: one.textContent })),
  }),
)
for (const [place, paragraph] of paragraphs.entries()) {
  const number = place + 1
  if (number < from || number > (to || from)) continue
  const cell = placeInTable(paragraph)
  console.log(`${number} [${styleOf(paragraph)}${cell}] ${textOf(paragraph)}`)
}

function placeInTable(paragraph) {
  let cell = paragraph.parentNode
  while (cell !== null && cell.localName !== 'tc') cell = cell.parentNode
  if (cell === null) return ''
  const row = cell.parentNode
  const own = (node, name) => all(node, name).filter((one) => one.parentNode === node)
  const table = row.parentNode
  return `, cell ${tables.indexOf(table) + 1} ${own(table, 'tr').indexOf(row) + 1} ${own(row, 'tc').indexOf(cell) + 1}`
}
