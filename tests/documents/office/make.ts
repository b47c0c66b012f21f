import JSZip from 'jszip'
import type { ParseLimits } from '../../../src/kit/documents/parse.ts'

export const limits: ParseLimits = {
  textCharacters: 16_000_000,
  parts: 10_000,
  unpackedBytes: 64 * 1024 * 1024,
  archiveEntries: 20_000,
}

/** A zip archive of these files, in this order. */
export async function zipOf(files: Record<string, string | Uint8Array>, compress = true): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const [name, content] of Object.entries(files)) zip.file(name, content)
  return zip.generateAsync({ type: 'uint8array', compression: compress ? 'DEFLATE' : 'STORE' })
}

/** The same archive with other, further or (undefined) fewer files. */
export async function changed(
  bytes: Uint8Array,
  files: Record<string, string | Uint8Array | undefined>,
): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(bytes)
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) zip.remove(name)
    else zip.file(name, content)
  }
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

export interface WordParts {
  styles?: string
  numbering?: string
  footnotes?: string
  comments?: string
  header?: string
  /** Relationships besides these, as XML. */
  links?: string
}

/** A Word file by hand: `body` is what stands in `w:body`. */
export function wordFile(body: string, parts: WordParts = {}): Promise<Uint8Array> {
  const spaces = [
    word,
    `xmlns:r="${relationships}"`,
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
    'xmlns:v="urn:schemas-microsoft-com:vml"',
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  ].join(' ')
  const roots = {
    styles: 'styles',
    numbering: 'numbering',
    footnotes: 'footnotes',
    comments: 'comments',
    header: 'hdr',
  }
  const files: Record<string, string> = {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': rels(`<Relationship Id="m" Type="${relationships}/officeDocument" Target="/word/document.xml"/>`),
    'word/document.xml': `${declaration}<w:document ${spaces}><w:body>${body}</w:body></w:document>`,
  }
  let links = parts.links ?? ''
  for (const [name, root] of Object.entries(roots)) {
    const content = parts[name as keyof typeof roots] // The keys of `roots` are those of WordParts.
    if (content === undefined) continue
    files[`word/${name}.xml`] = `${declaration}<w:${root} ${spaces}>${content}</w:${root}>`
    links += `<Relationship Id="${name}" Type="${relationships}/${name}" Target="${name}.xml"/>`
  }
  files['word/_rels/document.xml.rels'] = rels(links)
  return zipOf(files)
}

export const rels = (inner: string): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`

export const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${target}"/>`

export const outside = (id: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relationships}/hyperlink" Target="${target}" TargetMode="External"/>`

/** A paragraph of one run. */
export const p = (text: string, properties = '', run = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

const points = (values: string[]): string =>
  values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')
const dates = `<c:cat><c:numRef><c:numCache><c:formatCode>yyyy-mm-dd</c:formatCode>${points(['45292', '45323'])}</c:numCache></c:numRef></c:cat>`
const series = (name: string, values: string[]): string =>
  `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx>${dates}<c:val><c:numRef><c:numCache>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`

/** A chart of two series over two months, as Office writes it. */
export const chartXml = `${declaration}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales </a:t></a:r><a:r><a:t>by month</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>${series('North', ['5', '6'])}${series('South', ['7.5'])}</c:barChart></c:plotArea></c:chart></c:chartSpace>`

/** A waterfall, one of the kinds that came with Office 2016. */
export const newerChartXml = `${declaration}<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>S!$A$2:$A$3</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">Q2</cx:pt><cx:pt idx="1">New</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:f>S!$B$2:$B$3</cx:f><cx:lvl ptCount="2" formatCode="General"><cx:pt idx="0">100</cx:pt><cx:pt idx="1">20</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Bridge</cx:v></cx:txData></cx:tx><cx:txPr><a:p><a:r><a:t>Bridge</a:t></a:r></a:p></cx:txPr></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>S!$B$1</cx:f><cx:v>Revenue</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series><cx:series layoutId="paretoLine" ownerIdx="0"/></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`

/** A diagram (SmartArt) of two points. */
export const diagramXml = `${declaration}<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>${['Plan', 'Build'].map((text) => `<dgm:pt><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join('')}</dgm:ptLst></dgm:dataModel>`
