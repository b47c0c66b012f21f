// The parts of which Office files are made, with as little in them as is needed.

export const xml = '<?xml version="1.0" encoding="UTF-8"?>'
export const relations = (target: string, type: string): string =>
  `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
export const types = (part: string, kind: string): string =>
  `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`

export const wordParts = {
  '[Content_Types].xml': types('/word/document.xml', 'wordprocessingml.document'),
  '_rels/.rels': relations('word/document.xml', 'officeDocument'),
  'word/document.xml': '',
}
export const sheetParts = {
  '[Content_Types].xml': types('/xl/workbook.xml', 'spreadsheetml.sheet'),
  '_rels/.rels': relations('xl/workbook.xml', 'officeDocument'),
  'xl/workbook.xml': `${xml}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations('worksheets/sheet1.xml', 'worksheet'),
  'xl/worksheets/sheet1.xml': '',
}
export const slideParts = {
  '[Content_Types].xml': types('/ppt/presentation.xml', 'presentationml.presentation'),
  '_rels/.rels': relations('ppt/presentation.xml', 'officeDocument'),
  'ppt/presentation.xml': `${xml}<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
  'ppt/_rels/presentation.xml.rels': relations('slides/slide1.xml', 'slide'),
  'ppt/slides/slide1.xml': '',
}

export const word = (body: string): string =>
  `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
export const sheet = (inner: string): string =>
  `${xml}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${inner}</sheetData></worksheet>`
