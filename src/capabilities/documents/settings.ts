import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import { bytes, milliseconds } from '../../config/figures.ts'
import type { SettingsSection } from '../../config/section.ts'

const schema = z
  .strictObject({
    workers: z.int().min(1).max(16),
    parse_ms: milliseconds,
    heap_bytes: bytes,
    buffer_bytes: bytes,
    idle_ms: milliseconds,
    file_bytes: bytes,
    text_characters: z.int().min(1),
    table_characters: z.int().min(1),
    parts: z.int().min(1),
    unpacked_bytes: bytes,
    archive_entries: z.int().min(1),
    unused_days: z.int().min(1),
    index_characters: z.int().min(1),
    check_hours: z.int().min(1),
    vector_chunks: z.int().min(0),
    read: z.strictObject({
      pdf_pages: z.int().min(1),
      pdf_characters: z.int().min(1),
      docx_characters: z.int().min(1),
      xlsx_sheets: z.int().min(1),
      xlsx_characters: z.int().min(1),
      pptx_slides: z.int().min(1),
      pptx_characters: z.int().min(1),
    }),
    recognition: z
      .strictObject({
        by: z.enum(['auto', 'model', 'tesseract', 'nothing']),
        tesseract: z.string().min(1),
        languages: z.array(z.string().regex(/^[A-Za-z_/-]+$/)).max(20),
        page_ms: milliseconds,
        memory_bytes: bytes,
        pixels: z.int().min(100_000).max(50_000_000),
        pages: z.int().min(1),
        ask_from: z.int().min(1),
      })
      .transform(camel),
    search_wait_ms: milliseconds,
    search_results: z.int().min(1).max(50),
    search_characters: z.int().min(0),
  })
  .transform(camel)

/** For everything that makes text of documents. */
export type DocumentsSettings = z.infer<typeof schema>

/** For scans and photos. */
export type RecognitionSettings = DocumentsSettings['recognition']

export const documentsSection: SettingsSection<DocumentsSettings> = { section: 'documents', schema }
