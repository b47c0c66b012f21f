import type { ToolContext } from '../../domain/tool.ts'
import type { Documents, ReadBudgets } from '../../kit/documents/document.ts'

/** What the tools for files may use. */
export interface FilesContext extends ToolContext {
  documents: Documents
  limits: FileLimits
}

/** From `config/bobbin.yaml`, section `tools`. */
export interface FileLimits {
  /** Bytes of a tool's result that the model sees. */
  outputBytes: number
  /** read_file shows a text whole up to this many bytes and lines. */
  readBytes: number
  readLines: number
  /** Characters of a line before it is cut. */
  lineCharacters: number
  /** read_file points to search above this many bytes. */
  searchHintBytes: number
  /** Most entries that list_files, find_files and matches that grep_files return. */
  listEntries: number
  /** Largest file that edit_file and grep_files read, in bytes. */
  fileBytes: number
  /** What read_file shows of a document at once. */
  read: ReadBudgets
}
