import type { ToolContext } from '../../domain/tool.ts'
import type { Documents } from '../../kit/documents/document.ts'

/** What search_file may use. */
export interface DocumentsContext extends ToolContext {
  documents: Documents
  limits: {
    /** How many results it returns by default, and how many characters around a match. */
    searchResults: number
    searchCharacters: number
    /** How many bytes of a tool's result the model sees. */
    outputBytes: number
    fileBytes: number
  }
  /** Takes secrets out of a text. */
  mask(text: string): string
}
