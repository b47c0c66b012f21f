import type { SessionId } from '../domain/ids.ts'

/** The kind of job that reads scans and photos. */
export const recognizing = 'recognize'

/** What recognizes text in pictures. */
export type RecognizedBy = 'model' | 'tesseract'

/** A page of a document, or an image (page 1). */
export interface RecognizedText {
  page: number
  way: RecognizedBy
  /** Null: it could not be read. */
  text: string | null
}

/** `made_at`: of the last try. */
export interface StoredText extends RecognizedText {
  tries: number
  made_at: number
}

export interface RecognizedRow extends StoredText {
  session_id: SessionId
  /** The hash of the file. */
  content: string
}
