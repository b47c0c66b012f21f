import type { ParsedDocument } from '../document.ts'
import { damaged, neverOpened, type ParseLimits, type Parser, Parts } from '../parse.ts'
import { descendants, elementsOf, readXml, type XmlElement, type XmlOptions } from '../xml.ts'
import { openZip, type Zip } from '../zip.ts'
import { sectionsOf } from './docx/sections.ts'
import { BlockReader } from './odf/blocks.ts'
import { changesIn } from './odf/changes.ts'
import { linesOf } from './odf/lines.ts'
import { odfPrefixes } from './odf/names.ts'
import { objectsIn } from './odf/objects.ts'
import { SheetReader } from './odf/sheets.ts'
import { slidesOf } from './odf/slides.ts'
import { odfStylesOf } from './odf/styles.ts'
import { aboutSlides } from './pptx/text.ts'

/** Reads an OpenDocument text, spreadsheet or presentation (ODT, ODS, ODP). */
export const parseOdf: Parser = async ({ bytes }, limits) => {
  const zip = await openZip(bytes, limits)
  await refuseEncrypted(zip)
  const sheets = new SheetReader(limits.textCharacters)
  const root = await read(zip, 'content.xml', (element, around) => sheets.take(element, around))
  const named = zip.has('styles.xml') ? await read(zip, 'styles.xml') : undefined
  const styles = odfStylesOf([root, named])
  const body = elementsOf(elementsOf(root).find(({ name }) => name === 'office:body'))[0]
  if (body === undefined) throw damaged('it has no content')
  const references = [...descendants(root, 'draw:object'), ...sheets.references()]
  const objects = await objectsIn(zip, references, (name) => read(zip, name))
  const context = { styles, count: { notes: 0 }, changes: changesIn(body, linesOf), objects }
  if (body.name === 'office:spreadsheet')
    return withNotes(spreadsheet(sheets, sheets.finish(styles, objects), limits), zip)
  if (body.name === 'office:presentation' || body.name === 'office:drawing') {
    const { slides, hidden } = slidesOf(body, context)
    return withNotes(documentOf(slides, aboutSlides('hidden', hidden), limits), zip)
  }
  return withNotes(documentOf(sectionsOf(new BlockReader(context).read(body)), pageMargins(named), limits), zip)
}

const read = async (zip: Zip, name: string, passes?: XmlOptions['passes']): Promise<XmlElement> =>
  readXml(await zip.read(name), { prefixes: odfPrefixes, ...(passes === undefined ? {} : { passes }) })

/** Its parts are encrypted one by one, which the manifest says. */
async function refuseEncrypted(zip: Zip): Promise<void> {
  if (!zip.has('META-INF/manifest.xml')) return
  const manifest = await read(zip, 'META-INF/manifest.xml')
  if (descendants(manifest, 'manifest:encryption-data').next().done !== true) throw neverOpened()
}

const withNotes = (document: ParsedDocument, zip: Zip): ParsedDocument => ({
  ...document,
  notes: [...document.notes, ...zip.notes],
})

function documentOf(list: ParsedDocument['parts'], notes: string[], limits: ParseLimits): ParsedDocument {
  const parts = new Parts(limits)
  for (const part of list) if (!parts.add(part)) break
  return { kind: 'odf', notes: [...notes, ...parts.emptiness(), ...parts.notes()], parts: parts.list }
}

/** The most single sheets with notes. */
const maxSheetNotes = 200

function spreadsheet(
  { isCut }: SheetReader,
  sheets: ReturnType<SheetReader['finish']>,
  limits: ParseLimits,
): ParsedDocument {
  const about = sheets.slice(0, maxSheetNotes).map(({ note }) => note)
  const document = documentOf(
    sheets.map(({ part }) => part),
    about,
    limits,
  )
  const isTold = document.notes.length > about.length
  if (isCut && !isTold) document.notes.push('It is too large to read completely: the rest was left out.')
  return document
}

const marginCharacters = 500

/** Headers and footers, each text once. */
function pageMargins(styles: XmlElement | undefined): string[] {
  if (styles === undefined) return []
  const notes = new Set<string>()
  for (const margin of descendants(styles, 'style:header', 'style:footer')) {
    const text = linesOf(margin).join(' / ')
    const kind = margin.name.slice('style:'.length)
    if (/\p{L}/u.test(text) && notes.size < 20)
      notes.add(`Page ${kind}: ${text.slice(0, marginCharacters).toWellFormed()}`)
  }
  return [...notes]
}
