import type { DocumentPart } from '../document.ts'
import { type ParseLimits, type Parser, Parts } from '../parse.ts'
import { elementsOf, textOf, type XmlElement } from '../xml.ts'
import { openZip, type Zip } from '../zip.ts'
import { takeInCharts } from './docx/charts.ts'
import { takeIn } from './docx/chunks.ts'
import { resolvedComments } from './docx/comments.ts'
import { convert, type PreparedPart } from './docx/convert.ts'
import { References } from './docx/inline.ts'
import { numberingIn } from './docx/numbering.ts'
import { isUnused } from './docx/properties.ts'
import { sectionsOf } from './docx/sections.ts'
import { stylesOf } from './docx/styles.ts'
import { alternative, tidy } from './docx/tidy.ts'
import { blocksOf } from './docx/write.ts'
import { mainPart, type Relationship, readPart, related, relationshipsOf } from './pptx/package.ts'

/** Reads a Word document. Pictures are never unpacked. */
export const parseDocx: Parser = async ({ bytes }, limits) => {
  const zip = await openZip(bytes, limits)
  const main = await mainPart(zip, 'word/document.xml')
  const relationships = await relationshipsOf(zip, main)
  const { prepared, resolved } = await prepare(zip, main, relationships)
  const document = await convert(prepared)
  const blocks = blocksOf(document.children, new References(document, resolved))
  const parts = collect(sectionsOf(blocks), limits)
  const notes = [...(await pageMargins(zip, relationships)), ...zip.notes, ...parts.emptiness(), ...parts.notes()]
  return { kind: 'docx', notes, parts: parts.list }
}

function collect(sections: readonly DocumentPart[], limits: ParseLimits): Parts {
  const parts = new Parts(limits)
  for (const section of sections) if (!parts.add(section)) break
  return parts
}

/** The parts with text, as the converter gets them, and the ids of comments that are resolved. */
async function prepare(
  zip: Zip,
  main: string,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<{ prepared: PreparedPart[]; resolved: ReadonlySet<string> }> {
  const partOf = async (kind: string): Promise<XmlElement | undefined> => {
    const name = related(zip, relationships, kind)
    return name === undefined ? undefined : readPart(zip, name, isUnused)
  }
  const styles = await partOf('styles')
  const resolved = stylesOf(styles)
  const numbering = numberingIn(await partOf('numbering'))
  const prepared: PreparedPart[] = styles === undefined ? [] : [{ name: 'styles', root: styles }]
  const add = async (name: string, part: string | undefined): Promise<void> => {
    if (part === undefined) return
    const root = await readPart(zip, part, isUnused)
    const beside = await relationshipsOf(zip, part)
    await takeIn(root, zip, beside)
    await takeInCharts(root, zip, beside)
    const links = [...beside.values()].filter(({ kind, isExternal }) => kind === 'hyperlink' && isExternal)
    tidy(root, { styles: resolved, numbering, links: new Set(links.map(({ id }) => id)) })
    prepared.push({ name, root, links })
  }
  await add('document', main)
  for (const kind of ['footnotes', 'endnotes', 'comments']) await add(kind, related(zip, relationships, kind))
  const comments = prepared.find(({ name }) => name === 'comments')
  const extended = comments && (await partOf('commentsExtended'))
  return { prepared, resolved: extended ? resolvedComments(comments.root, extended) : new Set() }
}

const marginCharacters = 500

/** Headers and footers, each text once. */
async function pageMargins(zip: Zip, relationships: ReadonlyMap<string, Relationship>): Promise<string[]> {
  const notes = new Set<string>()
  for (const { kind, target, isExternal } of relationships.values()) {
    if ((kind !== 'header' && kind !== 'footer') || isExternal || !zip.has(target) || notes.size > 20) continue
    const text = linesIn(await readPart(zip, target)).join(' / ')
    if (/\p{L}/u.test(text)) notes.add(`Page ${kind}: ${text.slice(0, marginCharacters).toWellFormed()}`)
  }
  return [...notes]
}

const spaces = new Set(['w:tab', 'w:ptab', 'w:br', 'w:cr'])
/** A paragraph's own tabs are stops. */
const settings = new Set(['w:pPr', 'w:rPr'])

/** Each paragraph once, those in text boxes too. */
function linesIn(root: XmlElement): string[] {
  const lines = ['']
  const walk = (element: XmlElement): void => {
    const { name } = element
    if (settings.has(name)) return
    if (name === 'w:p') lines.push('')
    if (name === 'w:t' || spaces.has(name)) lines.push(`${lines.pop()}${name === 'w:t' ? textOf(element) : ' '}`)
    else for (const child of name === 'mc:AlternateContent' ? alternative(element) : elementsOf(element)) walk(child)
    if (name === 'w:p') lines.push('')
  }
  walk(root)
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '')
}
