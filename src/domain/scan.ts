import type { SessionId } from './ids.ts'

/** Pages of a PDF that have no text or pictures beside it, or an image as its only page. */
export interface ScannedFile {
  session: SessionId
  path: string
  /** The hash of the file. */
  content: string
  kind: 'pdf' | 'image'
  /** From 1, in order. */
  pages: number[]
}
