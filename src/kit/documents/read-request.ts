import type { WebPage } from '../web/port.ts'
import type { Parsed } from './chunks/parsed.ts'
import type { PageSource, ParseLimits, SourceFile } from './parse.ts'

/** What a reader is asked for. The bytes of the file or page are sent with it. */
export type ReadRequest =
  | ({ kind: 'file'; limits: ParseLimits } & Omit<SourceFile, 'bytes'>)
  | ({ kind: 'page'; mostCharacters: number } & Omit<PageSource, 'html'>)

export interface Failed {
  error: { code: string; message: string; remedy: string }
}

export interface Paged {
  webPage: WebPage
}

export type ReadResult = Parsed | Failed | Paged
