import type { DocumentKind } from '../document.ts'
import type { Parser } from '../parse.ts'

/** Each is loaded with the first file of its kind, and only in readers. */
export const parsers: Record<DocumentKind, () => Promise<Parser>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  docx: async () => (await import('./docx.ts')).parseDocx,
  xlsx: async () => (await import('./xlsx.ts')).parseXlsx,
  pptx: async () => (await import('./pptx.ts')).parsePptx,
  csv: async () => (await import('./csv.ts')).parseCsv,
  odf: async () => (await import('./odf.ts')).parseOdf,
  rtf: async () => (await import('./rtf.ts')).parseRtf,
  email: async () => (await import('./email.ts')).parseEmail,
  html: async () => (await import('./html-file.ts')).parseHtmlFile,
  notebook: async () => (await import('./notebook.ts')).parseNotebook,
  contact: async () => (await import('./contact.ts')).parseContacts,
  calendar: async () => (await import('./calendar.ts')).parseCalendar,
  epub: async () => (await import('./epub.ts')).parseEpub,
  archive: async () => (await import('./archive.ts')).parseArchive,
  image: async () => (await import('./image.ts')).parseImage,
  legacy: async () => (await import('./legacy.ts')).parseLegacy,
}
