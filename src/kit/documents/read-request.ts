import type { WebPage } from '../web/port.ts'
import type { PageSource, ParseLimits, SourceFile } from './parse.ts'

/** What a reader is asked for. The bytes of the file or page are sent with it. */
export type ReadRequest =
  | ({ kind: 'file'; limits: ParseLimits } & Omit<SourceFile, 'bytes'>)
  | ({ kind: 'page'; mostCharacters: number } & Omit<PageSource, 'html'>)
  | ({ kind: 'picture' } & PictureOrder)
  | ({ kind: 'recognized'; limits: ParseLimits } & RecognizedPage)

/** A page of a PDF, or an image, to be drawn. */
export interface PictureOrder {
  /** From 1. */
  page: number
  /** It is made smaller if it has more. */
  mostPixels: number
}

/** Where a text that was recognized in a picture belongs. The text is sent as bytes. */
export interface RecognizedPage {
  of: 'pdf' | 'image'
  page: number
}

/** A JPEG. */
export interface Drawn {
  picture: Uint8Array
}

export interface Failed {
  error: { code: string; message: string; remedy: string }
}

export interface Paged {
  webPage: WebPage
}

/** What was asked for was taken portion by portion. */
export interface Taken {
  taken: true
}

export type ReadResult = Taken | Failed | Paged | Drawn
