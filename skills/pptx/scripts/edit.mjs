import { readFile } from 'node:fs/promises'
import { all, declare, dropUnreached, openPackage, relate, relationsPath, written } from './package.mjs'
import { forget } from './parts.mjs'
import { notesOf, paragraphsOf, put, setLines, shapesOf, slidesOf, textOf } from './slides.mjs'

const [path, out, list] = process.argv.slice(2)
if (list === undefined) throw new Error('Usage: edit.mjs in.pptx out.pptx changes.json')
const file = await openPackage(path)
const { list: entries, slides } = await slidesOf(file)
/** The entries as they will be, and those of copies by what they are copied from. */
let order = slides.map(({ entry }) => entry)
/** Without a number of their own: only a replacement reaches them. */
const copies = []

function numbered(number) {
  const found = slides[number - 1]
  if (found === undefined) throw new Error(`There is no slide ${number}; there are ${slides.length}`)
  return found
}

const stands = ({ entry }) => order.includes(entry)

function standing(number) {
  const found = numbered(number)
  if (!stands(found)) throw new Error(`Slide ${number} was deleted by an earlier change`)
  return found
}

function shapeOf(xml, id) {
  const shapes = shapesOf(xml)
  const found = shapes.find((one) => one.id === String(id)) ?? shapes.find((one) => one.name === id)
  if (found === undefined)
    throw new Error(`There is no shape ${id} here. There are: ${shapes.map((one) => one.id).join(', ')}`)
  // Its lines would all go into the first cell.
  if (all(found.shape, 'tbl').length > 0) throw new Error(`Shape ${id} is a table: use "replace" to change its texts`)
  return found.shape
}

async function copyOf({ part, xml, entry }) {
  const numbers = file.names().flatMap((name) => /^ppt\/slides\/slide(\d+)\.xml$/.exec(name)?.[1] ?? [])
  const name = `slide${Math.max(...numbers.map(Number)) + 1}.xml`
  const copied = `ppt/slides/${name}`
  file.add(copied, written(xml))
  if (file.has(relationsPath(part))) {
    file.add(relationsPath(copied), written(await file.xml(relationsPath(part))))
    const own = (await file.xml(relationsPath(copied))).documentElement
    // Two slides can't have the same notes.
    for (const one of Array.from(own.childNodes))
      if (one.nodeType === 1 && /\/(notesSlide|comments)$/.test(one.getAttribute('Type'))) own.removeChild(one)
  }
  await declare(file, copied, 'application/vnd.openxmlformats-officedocument.presentationml.slide+xml')
  const id = await relate(file, 'ppt/presentation.xml', 'slide', `slides/${name}`)
  const added = entry.cloneNode(false)
  const ids = order.map((one) => Number(one.getAttribute('id')))
  added.setAttribute('id', String(Math.max(...ids) + 1))
  for (const { name: attribute } of Array.from(added.attributes))
    if (attribute.endsWith(':id')) added.setAttribute(attribute, id)
  order.splice(order.indexOf(entry) + 1, 0, added)
  const copy = { part: copied, entry: added, xml: await file.xml(copied) }
  copies.push(copy)
  return copy.xml
}

function placesIn(paragraph, words) {
  const own = textOf(paragraph)
  const places = []
  for (let at = own.indexOf(words); at !== -1; at = own.indexOf(words, at + words.length))
    places.push({ paragraph, at })
  return places
}

const steps = {
  async replace({ replace, with: text = '', all: each = false }) {
    const paragraphs = []
    for (const { xml, part } of [...slides, ...copies].filter(stands))
      paragraphs.push(...paragraphsOf(xml), ...(await notesOf(file, part)))
    const found = replace === '' ? [] : paragraphs.flatMap((paragraph) => placesIn(paragraph, replace))
    if (found.length === 0) throw new Error(`The text isn't there: ${JSON.stringify(replace)}`)
    if (found.length > 1 && !each)
      throw new Error(`${JSON.stringify(replace)} is there ${found.length} times: say more of it, or "all": true`)
    // From the end, so that earlier places stay where they are.
    for (const { paragraph, at } of found.toReversed()) put(paragraph, at, at + replace.length, text)
  },
  slide: ({ slide, shape, text }) => setLines(shapeOf(standing(slide).xml, shape), [text].flat()),
  async copy({ copy, texts = {} }) {
    const xml = await copyOf(standing(copy))
    for (const [shape, text] of Object.entries(texts)) setLines(shapeOf(xml, shape), [text].flat())
  },
  async delete(step) {
    const slide = numbered(step.delete)
    if (!stands(slide)) return
    order = order.filter((one) => one !== slide.entry)
    await forget(file, slide)
  },
  order(step) {
    const first = step.order.map((number) => numbered(number).entry).filter((entry) => order.includes(entry))
    order = [...first, ...order.filter((entry) => !first.includes(entry))]
  },
}

const changes = JSON.parse(await readFile(list, 'utf8'))
for (const step of changes) {
  const kind = Object.keys(steps).find((name) => Object.hasOwn(step, name))
  if (kind === undefined)
    throw new Error(`I don't know this change: ${JSON.stringify(step)}. There are: ${Object.keys(steps).join(', ')}`)
  await steps[kind](step)
}
if (order.length === 0) throw new Error('No slide would be left')
while (entries.firstChild !== null) entries.removeChild(entries.firstChild)
for (const entry of order) entries.appendChild(entry)
if (!slides.every(stands)) await dropUnreached(file)
await file.save(out)
console.log(JSON.stringify({ file: out, slides: order.length, changes: changes.length }))
