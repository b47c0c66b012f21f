import { damaged, type Parser, Parts } from '../parse.ts'
import { elementsOf, within } from '../xml.ts'
import { openZip } from '../zip.ts'
import { mainPart, readPart, relationshipsOf } from './pptx/package.ts'
import { authorsOf, type Layouts, readSlide } from './pptx/slide.ts'
import { aboutSlides } from './pptx/text.ts'

/** Reads the slides of a presentation in the order in which they are shown. */
export const parsePptx: Parser = async ({ bytes }, limits) => {
  const zip = await openZip(bytes, limits)
  const main = await mainPart(zip, 'ppt/presentation.xml')
  const links = await relationshipsOf(zip, main)
  const listed = elementsOf(within(await readPart(zip, main), 'p:sldIdLst'))
    .map(({ attributes }) => links.get(attributes.get('r:id') ?? ''))
    .map((link) => (link?.kind === 'slide' && !link.isExternal ? link.target : undefined))
  const seen = new Set<string>()
  // A file may list one slide a million times.
  const slides = listed.filter((part) => part === undefined || (!seen.has(part) && seen.add(part)))
  const authors = await authorsOf(zip, links)
  const layouts: Layouts = new Map()
  const parts = new Parts(limits)
  const hidden: number[] = []
  const missing: number[] = []
  const embedding: number[] = []
  for (const [index, part] of slides.entries()) {
    const number = index + 1
    if (part === undefined || !zip.has(part)) {
      missing.push(number)
      continue
    }
    const { title, text, isHidden, hasObject } = await readSlide(zip, part, layouts, authors)
    if (isHidden) hidden.push(number)
    if (hasObject) embedding.push(number)
    const shown = isHidden ? `(hidden slide)\n\n${text}`.trim() : text
    if (!parts.add({ unit: 'slide', number, ...(title === '' ? {} : { name: title }), text: shown })) break
  }
  if (parts.list.length === 0 && missing.length > 0) throw damaged('its slides are missing')
  const about = [
    ...aboutSlides('hidden', hidden),
    ...aboutSlides('shown without the objects embedded there (such as Excel tables), which were not read', embedding),
    ...aboutSlides('missing in the file: the text was left out', missing),
  ]
  const notes = [...about, ...zip.notes, ...(missing.length > 0 ? [] : parts.emptiness()), ...parts.notes()]
  return { kind: 'pptx', notes, parts: parts.list }
}
