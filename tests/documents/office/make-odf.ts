import { zipOf } from './make.ts'

const oasis = 'urn:oasis:names:tc:opendocument:xmlns'
const spaces = [
  ...['office', 'style', 'text', 'table', 'presentation', 'chart'].map(
    (name) => `xmlns:${name}="${oasis}:${name}:1.0"`,
  ),
  `xmlns:draw="${oasis}:drawing:1.0"`,
  `xmlns:svg="${oasis}:svg-compatible:1.0"`,
  `xmlns:fo="${oasis}:xsl-fo-compatible:1.0"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"',
].join(' ')

export interface OdfParts {
  /** Automatic styles. */
  styles?: string
  /** What stands in the root of styles.xml. */
  common?: string
  /** Inside of META-INF/manifest.xml. */
  manifest?: string
  /** What stands in `Object 1/content.xml`, and so on. */
  objects?: string[]
}

/** An OpenDocument file by hand: `body` is what stands in `office:text`, `office:spreadsheet` or `office:presentation`. */
export function odfFile(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  { styles = '', common = '', manifest = '', objects = [] }: OdfParts = {},
): Promise<Uint8Array> {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml':
      `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${spaces}><office:automatic-styles>${styles}` +
      `</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${spaces}>${common}</office:document-styles>`,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${oasis}:manifest:1.0">${manifest}</manifest:manifest>`,
    ...Object.fromEntries(
      objects.map((object, index) => [
        `Object ${index + 1}/content.xml`,
        `<office:document-content ${spaces}>${object}</office:document-content>`,
      ]),
    ),
  })
}

export const tp = (text: string, attributes = ''): string => `<text:p ${attributes}>${text}</text:p>`

export const tc = (text: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${tp(text)}</table:table-cell>`

export const tr = (cells: string, attributes = ''): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`
