import type { ToolContext } from '../../domain/tool.ts'
import type { Documents } from '../../kit/documents/document.ts'

/** What search_file may use. */
export interface DocumentsContext extends ToolContext {
  documents: Documents
  limits: {
    /** What it returns when it is not told, and characters around a match. */
    searchResults: number
    searchCharacters: number
    /** Bytes of a tool's result that the model sees. */
    outputBytes: number
    fileBytes: number
  }
}
