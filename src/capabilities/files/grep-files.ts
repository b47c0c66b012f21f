import { RE2JS } from 're2js'
import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { WorkspaceEntry } from '../../domain/workspace.ts'
import { Failure } from '../../kit/failure.ts'
import { documentKindOf } from '../../kit/files/document-kind.ts'
import { headBytes, isText } from '../../kit/files/type.ts'
import { openFinder } from '../../kit/patterns/finder.ts'
import { composed, lineFor } from '../../kit/text/composed.ts'
import { counted } from '../../kit/text/shown.ts'
import { below, type Walked, walkFiles } from '../../workspace/walked.ts'
import type { FilesContext } from './context.ts'
import { compileGlob } from './glob.ts'
import { aboutDocuments, aboutLarge } from './grep/left-out.ts'
import { fileReport } from './grep/report.ts'
import { type FileHits, lineCharacters, type Sought, searchFile } from './grep/search.ts'
import { filesWords } from './words.ts'

const input = z.strictObject({
  pattern: z.string().min(1).describe('RE2 syntax'),
  path: z.string().min(1).default('.').describe('A folder or a file'),
  include: z.string().min(1).optional().describe('A glob, such as "*.{ts,js}"'),
  ignore_case: z.boolean().default(false).describe('Ignore case'),
  context_lines: z.int().min(0).max(20).default(0).describe('Lines around each match'),
})

/** Bytes that are kept free for what is printed below the matches. */
const footerBytes = 1000

export const grepFiles = defineTool({
  kind: 'run',
  name: 'grep_files',
  description: 'Searches text files by line with a regular expression. For PDF and Office files, use search_file.',
  input,
  doing: ({ pattern, path }) =>
    path === '.' ? filesWords.searchingAll({ pattern }) : filesWords.searching({ path, pattern }),
  effect: 'read',
  repeatable: true,
  paths: ({ path }) => [path],
  source: () => 'files of the workspace',
  run: async ({ pattern, path, include, ignore_case, context_lines }, context: FilesContext) => {
    const finder = openFinder(composed(pattern).text, ignore_case ? RE2JS.CASE_INSENSITIVE : 0, context.signal)
    const search = new Search({ finder, lineOf: lineFor(pattern) }, context_lines, context)
    try {
      const folder = context.workspace.normalize(path)
      const fits = include === undefined ? () => true : compileGlob(include)
      for await (const file of filesIn(folder, search.walked, context)) {
        if (!fits(file.path === folder ? file.path : below(folder, file.path))) continue
        if (!(await search.add(file))) break
      }
      return search.report()
    } finally {
      finder.end()
    }
  },
})

async function* filesIn(folder: string, walked: Walked, { workspace, signal }: FilesContext) {
  const entry = await workspace.stat(folder)
  if (entry?.kind === 'file') yield entry
  else yield* walkFiles(workspace, folder, walked, signal)
}

class Search {
  readonly walked: Walked = { complete: true }
  readonly #sought: Sought
  readonly #contextLines: number
  readonly #context: FilesContext
  readonly #reports: string[] = []
  readonly #skipped = { binary: 0, closed: 0 }
  /** Files with text that only search_file sees. */
  readonly #documents: string[] = []
  readonly #large: string[] = []
  #searchedAny = false
  #matches = 0
  #cutLines = 0
  #bytes = 0
  #full = false

  constructor(sought: Sought, contextLines: number, context: FilesContext) {
    this.#sought = sought
    this.#contextLines = contextLines
    this.#context = context
  }

  /** Searches one more file. False when there is no room for more. */
  async add(file: WorkspaceEntry): Promise<boolean> {
    const { limits } = this.#context
    const found = await this.#searched(file)
    this.#cutLines += found?.cutLines ?? 0
    if (!found || found.matches === 0) return true
    const report = await fileReport(file.path, found.hits, limits.lineCharacters, this.#context)
    const bytes = Buffer.byteLength(report) + 2
    const tooLong = this.#bytes + bytes > limits.outputBytes - footerBytes
    this.#full = tooLong || this.#matches + found.matches >= limits.listEntries
    // If the first file alone is too long, the pipeline decides how much of it is shown.
    if (tooLong && this.#reports.length > 0) return false
    this.#reports.push(report)
    this.#matches += found.matches
    this.#bytes += bytes
    return !this.#full
  }

  async #searched({ path, size }: WorkspaceEntry): Promise<FileHits | undefined> {
    const { workspace, limits, signal } = this.#context
    try {
      const head = await workspace.readRange(path, 0, headBytes)
      if (isReadElsewhere(path, head)) this.#documents.push(path)
      else if (!isText(head)) this.#skipped.binary++
      else if (size > limits.fileBytes) this.#large.push(path)
      else {
        this.#searchedAny = true
        return await searchFile(workspace, path, {
          ...this.#sought,
          contextLines: this.#contextLines,
          room: limits.listEntries - this.#matches,
          signal,
        })
      }
    } catch (thrown) {
      // A hard link, or a file that vanished meanwhile: it is counted, and the search goes on.
      if (!(thrown instanceof Failure) || thrown.code === 'too_slow') throw thrown
      this.#skipped.closed++
    }
  }

  report(): string {
    const { binary, closed } = this.#skipped
    const files = counted(this.#reports.length, 'file')
    const found = this.#matches > 0 && `${counted(this.#matches, 'match', 'matches')} in ${files}`
    const notes = [found || (this.#searchedAny ? 'No match' : 'Nothing searched')]
    if (this.#full) notes.push('there may be more: narrow the pattern, the path or include')
    if (this.#documents.length > 0) notes.push(aboutDocuments(this.#documents))
    if (this.#large.length > 0) notes.push(aboutLarge(this.#large, this.#context.limits.fileBytes))
    if (binary > 0) notes.push(`${counted(binary, 'binary file')} skipped`)
    if (closed > 0) notes.push(`${counted(closed, 'file')} could not be opened`)
    if (this.#cutLines > 0) {
      const characters = counted(lineCharacters(this.#sought.finder), 'byte')
      notes.push(`${counted(this.#cutLines, 'long line')} searched in the first ${characters} only`)
    }
    if (!this.walked.complete) notes.push('too many files to look at them all; name a folder further down')
    return [...this.#reports, `[${notes.join('; ')}.]`].join('\n\n')
  }
}

/** Pictures have no text; text such as CSV is searched here. */
function isReadElsewhere(path: string, head: Uint8Array): boolean {
  const kind = documentKindOf(path, head)
  return kind === 'pdf' || (kind !== undefined && kind !== 'image' && !isText(head))
}
