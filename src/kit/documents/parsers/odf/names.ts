const oasis = 'urn:oasis:names:tc:opendocument:xmlns'

/** Namespaces of OpenDocument files by their usual prefix. */
export const odfPrefixes: ReadonlyMap<string, string> = new Map([
  ...['office', 'style', 'text', 'table', 'manifest', 'presentation', 'chart'].map((name): [string, string] => [
    `${oasis}:${name}:1.0`,
    name,
  ]),
  [`${oasis}:drawing:1.0`, 'draw'],
  [`${oasis}:svg-compatible:1.0`, 'svg'],
  [`${oasis}:xsl-fo-compatible:1.0`, 'fo'],
  [`${oasis}:datastyle:1.0`, 'number'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'loext'],
])

/** How often something is repeated; a file may claim a million. */
export const timesOf = (value: string | undefined): number =>
  value !== undefined && /^\d{1,7}$/.test(value) ? Math.max(1, Number(value)) : 1
