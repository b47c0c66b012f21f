import { allOf, readXml, type XmlElement, type XmlOptions } from '../../xml.ts'
import type { Zip } from '../../zip.ts'

const office = 'officeDocument/2006'
const strict = 'http://purl.oclc.org/ooxml'
const open = 'http://schemas.openxmlformats.org'

/** Namespaces of Office files by their usual prefix, in the common form and the strict one. */
const officePrefixes: ReadonlyMap<string, string> = new Map([
  [`${open}/wordprocessingml/2006/main`, 'w'],
  [`${strict}/wordprocessingml/main`, 'w'],
  [`${open}/presentationml/2006/main`, 'p'],
  [`${strict}/presentationml/main`, 'p'],
  [`${open}/drawingml/2006/main`, 'a'],
  [`${strict}/drawingml/main`, 'a'],
  [`${open}/drawingml/2006/chart`, 'c'],
  [`${strict}/drawingml/chart`, 'c'],
  ['http://schemas.microsoft.com/office/drawing/2014/chartex', 'cx'],
  [`${open}/drawingml/2006/diagram`, 'dgm'],
  [`${strict}/drawingml/diagram`, 'dgm'],
  [`${open}/drawingml/2006/spreadsheetDrawing`, 'xdr'],
  [`${strict}/drawingml/spreadsheetDrawing`, 'xdr'],
  [`${open}/drawingml/2006/picture`, 'pic'],
  [`${strict}/drawingml/picture`, 'pic'],
  [`${open}/drawingml/2006/wordprocessingDrawing`, 'wp'],
  [`${strict}/drawingml/wordprocessingDrawing`, 'wp'],
  [`${open}/${office}/relationships`, 'r'],
  [`${strict}/officeDocument/relationships`, 'r'],
  [`${open}/${office}/math`, 'm'],
  [`${strict}/officeDocument/math`, 'm'],
  [`${open}/markup-compatibility/2006`, 'mc'],
  [`${open}/package/2006/relationships`, 'rel'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://schemas.microsoft.com/office/word/2012/wordml', 'w15'],
  ['http://schemas.microsoft.com/office/powerpoint/2018/8/main', 'p188'],
])

export interface Relationship {
  id: string
  /** The last word of its type: `slide`, `hyperlink`. */
  kind: string
  /** A part's name in the package, or an external address. */
  target: string
  isExternal: boolean
}

/** The relationships of a part by id; `''` is the package itself. Without them, none. */
export async function relationshipsOf(zip: Zip, part: string): Promise<ReadonlyMap<string, Relationship>> {
  const slash = part.lastIndexOf('/') + 1
  const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  const found = new Map<string, Relationship>()
  if (!zip.has(name)) return found
  for (const { attributes } of allOf(await readPart(zip, name), 'rel:Relationship')) {
    const isExternal = attributes.get('TargetMode') === 'External'
    const written = attributes.get('Target') ?? ''
    const target = isExternal ? written : partName(part, written)
    const id = attributes.get('Id')
    if (id === undefined || target === undefined) continue
    found.set(id, { id, kind: attributes.get('Type')?.split('/').pop() ?? '', target, isExternal })
  }
  return found
}

/** The part that a relative target means; undefined if it leads out of the package. */
function partName(from: string, target: string): string | undefined {
  const segments = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.join('/')
}

export const readPart = async (zip: Zip, name: string, passes?: XmlOptions['passes']): Promise<XmlElement> =>
  readOfficeXml(await zip.read(name), passes)

export const readOfficeXml = (bytes: Uint8Array, passes?: XmlOptions['passes']): XmlElement =>
  readXml(bytes, { prefixes: officePrefixes, ...(passes === undefined ? {} : { passes }) })

/** The main part: what the package names, or otherwise where programs usually put it. */
export async function mainPart(zip: Zip, usual: string): Promise<string> {
  for (const { kind, target } of (await relationshipsOf(zip, '')).values())
    if (kind === 'officeDocument' && zip.has(target)) return target
  return usual
}

/** The first part with this relation to another one, if it exists. */
export function related(zip: Zip, relationships: ReadonlyMap<string, Relationship>, kind: string): string | undefined {
  for (const one of relationships.values())
    if (one.kind === kind && !one.isExternal && zip.has(one.target)) return one.target
  return undefined
}
