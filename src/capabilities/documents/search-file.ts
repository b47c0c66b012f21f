import { RE2JS } from 're2js'
import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { WorkspaceEntry } from '../../domain/workspace.ts'
import type { DocumentMatch, DocumentSearch } from '../../kit/documents/document.ts'
import { Failure } from '../../kit/failure.ts'
import { documentKindOf } from '../../kit/files/document-kind.ts'
import { headBytes, isText } from '../../kit/files/type.ts'
import { openFinder } from '../../kit/patterns/finder.ts'
import { type Walked, walkFiles } from '../../workspace/walked.ts'
import type { DocumentsContext } from './context.ts'
import { searchReport } from './search/report.ts'
import { lookFor, searchText, type TextMatch, type TextSearch } from './search/text.ts'

const input = z.strictObject({
  query: z.string().min(1).max(1000).describe('Words to find, phrases in "quotes"; or a regular expression.'),
  path: z
    .string()
    .min(1)
    .default('.')
    .describe('One file, or a folder with everything in it. "." is the whole workspace.'),
  max_results: z.int().min(1).max(50).optional().describe('The most passages to return. By default: 5.'),
  context_chars: z
    .int()
    .min(0)
    .max(4000)
    .optional()
    .describe(
      'Characters to show around a match, half of them before it. By default: 300; in plain text, a line before and after.',
    ),
  use_regex: z
    .boolean()
    .default(false)
    .describe('Take the query as a regular expression (RE2 syntax; look-around and back-references work too, slowly).'),
  password: z.string().min(1).optional().describe('Of a protected document.'),
})

/** The first search in large documents has to read them. */
const timeoutMs = 300_000

/** Most documents in one search, and most bytes of plain text: a folder may hold any number. */
const mostDocuments = 500
const mostTextBytes = 500_000_000

export const searchFile = defineTool({
  kind: 'run',
  name: 'search_file',
  description:
    'Finds passages in one file or in all files of the workspace: PDF, Word, Excel, PowerPoint, OpenDocument, CSV, ' +
    'e-mail and plain text. Matches stand in **bold**; each result names file, page, sheet with cells, slide or line, ' +
    'and a score from 0 to 1. Words are found in other forms too; nearly right words when nothing else is.',
  input,
  effect: 'read',
  repeatable: true,
  timeoutMs,
  paths: ({ path }) => [path],
  source: () => 'files of the workspace',
  run: async ({ query, path, max_results, context_chars, use_regex, password }, context: DocumentsContext) => {
    const { limits, signal } = context
    const search: TextSearch = {
      query,
      isPattern: use_regex,
      most: max_results ?? limits.searchResults,
      characters: context_chars ?? limits.searchCharacters,
      around: context_chars,
    }
    const finder = use_regex ? openFinder(query, RE2JS.CASE_INSENSITIVE, signal) : undefined
    try {
      return await searched(lookFor(query, finder), search, { path, password }, context)
    } finally {
      finder?.end()
    }
  },
})

async function searched(
  look: ReturnType<typeof lookFor>,
  search: TextSearch,
  { path, password }: { path: string; password: string | undefined },
  context: DocumentsContext,
): Promise<string> {
  const { query, isPattern } = search
  const { documents, texts, notes } = await sorted(path, context)
  const found =
    documents.length === 0
      ? nothing
      : await context.documents.search(
          documents,
          { query, isPattern, maxResults: search.most, contextCharacters: search.characters, password },
          context.signal,
        )
  // Text that is too large for the index can still be searched directly.
  const large = await readable(found.cut, context)
  const cut = found.cut.filter((path) => !large.includes(path))
  // Never more than are shown: there may be thousands of files.
  let matches: (DocumentMatch | TextMatch)[] = best(fewer(found), search.most)
  for (const text of [...texts, ...large]) {
    const lines = await searchText(context.workspace, text, look, search, context.signal)
    if (lines.length > 0) matches = best([...matches, ...lines], search.most)
  }
  return searchReport(matches, { query, searched: documents.length + texts.length, found: { ...found, cut }, notes })
}

const best = <Match extends { score: number }>(matches: Match[], most: number): Match[] =>
  matches.toSorted((a, b) => b.score - a.score).slice(0, most)

const nothing: DocumentSearch = { matches: [], forgiven: [], failures: [], cut: [] }

/** A similar word is worth less than an exact one, wherever it stands. */
const worthOfForgiven = 0.3

const fewer = ({ matches, forgiven }: DocumentSearch): DocumentMatch[] =>
  forgiven.length === 0 ? matches : matches.map((match) => ({ ...match, score: match.score * worthOfForgiven }))

async function readable(paths: string[], { workspace }: DocumentsContext): Promise<string[]> {
  const texts = await Promise.all(paths.map(async (path) => isText(await workspace.readRange(path, 0, headBytes))))
  return paths.filter((_, index) => texts[index])
}

/** What is there to search: documents by the index, texts directly. */
async function sorted(path: string, context: DocumentsContext) {
  const { workspace } = context
  const entry = await workspace.stat(path)
  if (entry === undefined)
    throw new Failure('not_found', `${path} does not exist.`, 'Use find_files to see what there is.')
  const documents: string[] = []
  const texts: string[] = []
  const notes: string[] = []
  const left = { binary: 0, documents: 0, texts: 0 }
  let textBytes = 0
  const walked: Walked = { complete: true }
  const files = entry.kind === 'file' ? [entry] : walkFiles(workspace, entry.path, walked, context.signal)
  for await (const file of files) {
    const kind = await kindOf(file, context)
    if (kind === undefined) left.binary++
    else if (kind === 'document' && documents.length < mostDocuments) documents.push(file.path)
    else if (kind === 'document') left.documents++
    else if (textBytes + file.size <= mostTextBytes) {
      textBytes += file.size
      texts.push(file.path)
    } else left.texts++
  }
  if (left.binary > 0) notes.push(`${left.binary} binary or closed files were skipped`)
  if (left.documents + left.texts > 0)
    notes.push(
      `${left.documents + left.texts} files were left out because there are so many: name a folder further down`,
    )
  if (!walked.complete) notes.push('too many files to look at them all: name a folder further down')
  return { documents, texts, notes }
}

async function kindOf(
  { path }: WorkspaceEntry,
  { workspace }: DocumentsContext,
): Promise<'document' | 'text' | undefined> {
  try {
    const head = await workspace.readRange(path, 0, headBytes)
    if (documentKindOf(path, head) !== undefined) return 'document'
    return isText(head) ? 'text' : undefined
  } catch (thrown) {
    // A hard link, or a file that vanished meanwhile.
    if (!(thrown instanceof Failure)) throw thrown
    return undefined
  }
}
