import type { ToolContext } from '../../domain/tool.ts'
import type { Documents, ReadBudgets } from '../../kit/documents/document.ts'

/** What the tools for files may use. */
export interface FilesContext extends ToolContext {
  documents: Documents
  limits: FileLimits
  /** Takes secrets out of a text. */
  mask(text: string): string
}

/** From `config/bobbin.yaml`, section `tools`. */
export interface FileLimits {
  /** How many bytes of a tool's result the model sees. */
  outputBytes: number
  /** read_file shows a text whole up to this many bytes and lines. */
  readBytes: number
  readLines: number
  /** How many characters of a line are shown. */
  lineCharacters: number
  /** Above this many bytes, read_file suggests search. */
  searchHintBytes: number
  /** The most entries that list_files and find_files return, and the most matches of grep_files. */
  listEntries: number
  /** Largest file that edit_file and grep_files read, in bytes. */
  fileBytes: number
  /** How much of a document read_file shows at once. */
  read: ReadBudgets
}
