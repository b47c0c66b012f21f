import { all, openPackage, partAt, relationsOf } from './package.mjs'
import { notesOf, shapesOf, shapeText, slidesOf, textOf } from './slides.mjs'

const [path, only] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: look.mjs in.pptx [slide]')
const file = await openPackage(path)
const { slides } = await slidesOf(file)
console.log(JSON.stringify({ slides: slides.length }))

for (const [at, { part, xml }] of slides.entries()) {
  if (only !== undefined && Number(only) !== at + 1) continue
  const relations = await relationsOf(file, part)
  const layout = relations.find((one) => one.getAttribute('Type').endsWith('/slideLayout'))
  const laidOut = layout && (await file.xml(partAt(part, layout.getAttribute('Target'))))
  const name = (laidOut && all(laidOut, 'cSld')[0]?.getAttribute('name')) ?? ''
  const hidden = xml.documentElement.getAttribute('show') === '0' ? ', hidden' : ''
  console.log(`\nSlide ${at + 1} [${name}${hidden}]`)
  for (const { id, name: shape, shape: element } of shapesOf(xml)) {
    const kind = { pic: 'picture', graphicFrame: all(element, 'tbl').length > 0 ? 'table' : 'chart or diagram' }[
      element.localName
    ]
    const text = shapeText(element).replaceAll('\n', ' / ')
    console.log(`  ${id} ${JSON.stringify(shape)}${kind === undefined ? '' : ` (${kind})`}: ${text}`)
  }
  const notes = (await notesOf(file, part)).map(textOf).join(' / ')
  if (notes !== '') console.log(`  Notes: ${notes}`)
}
