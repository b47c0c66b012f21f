import { RE2JS } from 're2js'
import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { WorkspaceEntry } from '../../domain/workspace.ts'
import type { DocumentKind, DocumentMatch, DocumentSearch } from '../../kit/documents/document.ts'
import { Failure } from '../../kit/failure.ts'
import { documentKindOf } from '../../kit/files/document-kind.ts'
import { headBytes, isText } from '../../kit/files/type.ts'
import { openFinder } from '../../kit/patterns/finder.ts'
import { composed } from '../../kit/text/composed.ts'
import { counted, shownPath } from '../../kit/text/shown.ts'
import { type Walked, walkFiles } from '../../workspace/walked.ts'
import type { DocumentsContext } from './context.ts'
import { type Look, lookFor } from './search/look.ts'
import { searchReport } from './search/report.ts'
import { searchText, type TextMatch, type TextSearch } from './search/text.ts'
import { documentsWords } from './words.ts'

const wording = z.string().min(1).max(1000)

const input = z.strictObject({
  query: wording.optional().describe('Words, and phrases in "quotes"').meta({ shown: 'elsewhere' }),
  queries: z
    .array(wording)
    .min(1)
    .max(5)
    .optional()
    .describe('The question in up to 5 wordings, "phrases" too: synonyms, the documents’ terms and language'),
  path: z.string().min(1).default('.').describe('A file or a folder; by default all'),
  max_results: z.int().min(1).max(50).optional().describe('5 by default'),
  context_chars: z.int().min(0).max(4000).optional().describe('Characters around a match'),
  use_regex: z.boolean().default(false).describe('The query is a regular expression'),
  password: z.string().min(1).optional().describe('Of the document').meta({ shown: 'elsewhere' }),
})

/** The first search in large documents has to read them. */
const timeoutMs = 300_000

/** Most documents in one search, and most bytes of plain text: a folder may hold any number. */
const mostDocuments = 500
const mostTextBytes = 500_000_000

/** More are looked up in the index before they are opened. */
const fewFiles = 3

/** Of an answer: most characters have one byte or two, and there is more in it than passages. */
const bytesPerCharacter = 2

export const searchFile = defineTool({
  kind: 'run',
  name: 'search_file',
  description:
    'Finds passages in one file or all: PDF, Office, e-mail, CSV, text. Results name page, sheet with cells, slide or line.',
  input,
  doing: ({ query: first, queries = [], path }) => {
    const query = first ?? queries[0] ?? ''
    return path === '.' ? documentsWords.searchingAll({ query }) : documentsWords.searching({ path, query })
  },
  effect: 'read',
  repeatable: true,
  timeoutMs,
  paths: ({ path }) => [path],
  source: () => 'files of the workspace',
  run: async (asked, context: DocumentsContext) => {
    const { path, max_results, context_chars, use_regex, password } = asked
    const { limits, signal } = context
    const { query, others } = wordingsOf(asked)
    const search: TextSearch = {
      query,
      others,
      isPattern: use_regex,
      most: max_results ?? limits.searchResults,
      characters: context_chars ?? limits.searchCharacters,
      around: context_chars,
      mask: context.mask,
    }
    const finder = use_regex ? openFinder(composed(query).text, RE2JS.CASE_INSENSITIVE, signal) : undefined
    try {
      return await searched(lookFor([query, ...others], finder), search, { path, password }, context)
    } finally {
      finder?.end()
    }
  },
})

/** Patterns become one that matches wherever any of them does. */
function wordingsOf({ query, queries = [], use_regex }: z.infer<typeof input>): { query: string; others: string[] } {
  const [first, ...others] = new Set([...(query === undefined ? [] : [query]), ...queries])
  if (first === undefined)
    throw new Failure('no_query', 'There is nothing to search for.', 'Give `query`, or several wordings in `queries`.')
  if (!use_regex || others.length === 0) return { query: first, others }
  return { query: [first, ...others].map((one) => `(?:${one})`).join('|'), others: [] }
}

async function searched(
  look: Look,
  search: TextSearch,
  { path, password }: { path: string; password: string | undefined },
  context: DocumentsContext,
): Promise<string> {
  const { query, others, isPattern } = search
  const { documents, seen, tables, texts, notes } = await sorted(path, context)
  const found =
    documents.length === 0
      ? nothing
      : await context.documents.search(
          documents,
          {
            query,
            isPattern,
            password,
            others,
            maxResults: search.most,
            contextCharacters: search.characters,
            mostCharacters: context.limits.outputBytes / bytesPerCharacter,
            seen,
            mask: search.mask,
            ...(tables.size === 0 ? {} : { notAwaited: tables }),
          },
          context.signal,
        )
  // Text that is too large for the index, or isn't in it yet, can still be searched directly.
  const isFound = found.matches.length > 0 && found.forgiven.length === 0
  const late = isFound ? [] : (found.reading ?? []).flatMap(({ path }) => (tables.has(path) ? [path] : []))
  const large = [...(await readable(found.cut, context)), ...late]
  const cut = found.cut.filter((path) => !large.includes(path))
  const reading = (found.reading ?? []).filter(({ path }) => !large.includes(path))
  // Never more than are shown: there may be thousands of files.
  let matches: (DocumentMatch | TextMatch)[] = best(fewer(found), search.most)
  let cutLines = 0
  for (const text of [...texts, ...large]) {
    const inText = await searchText(context.workspace, text, look, search, context.signal)
    if (inText.matches.length > 0) matches = best([...matches, ...inText.matches], search.most)
    cutLines += inText.cutLines
  }
  if (cutLines > 0)
    notes.push(`${counted(cutLines, 'long line')} searched in the first ${counted(look.lineBytes, 'byte')} only`)
  return searchReport(matches, {
    queries: [query, ...others],
    searched: documents.length + texts.length,
    found: { ...found, cut, reading },
    notes,
    mask: context.mask,
  })
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

/** What is there to search: documents by the index, texts directly, tables that are text in either way. */
async function sorted(path: string, context: DocumentsContext) {
  const { workspace } = context
  const entry = await workspace.stat(path)
  if (entry === undefined)
    throw new Failure('not_found', `${shownPath(path)} does not exist.`, 'Use find_files to see what there is.')
  const documents: string[] = []
  const seen: WorkspaceEntry[] = []
  const tables = new Set<string>()
  const texts: string[] = []
  const notes: string[] = []
  const left = { binary: 0, documents: 0, texts: 0 }
  let textBytes = 0
  const walked: Walked = { complete: true }
  const files =
    entry.kind === 'file' ? [entry] : await Array.fromAsync(walkFiles(workspace, entry.path, walked, context.signal))
  // What is in the index doesn't have to be opened.
  const kinds = files.length <= fewFiles ? undefined : await context.documents.kindsOf?.(files)
  for (const file of files) {
    context.signal.throwIfAborted()
    const kind = await kindOf(file, kinds?.get(file.path), context)
    if (kind === undefined) left.binary++
    else if (kind !== 'text' && documents.length < mostDocuments) {
      documents.push(file.path)
      seen.push(file)
      if (kind === 'table') tables.add(file.path)
    } else if (kind !== 'text') left.documents++
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
  return { documents, seen, tables, texts, notes }
}

async function kindOf(
  { path }: WorkspaceEntry,
  known: DocumentKind | undefined,
  { workspace }: DocumentsContext,
): Promise<'document' | 'table' | 'text' | undefined> {
  if (known !== undefined && known !== 'csv') return 'document'
  try {
    const head = await workspace.readRange(path, 0, headBytes)
    const kind = documentKindOf(path, head)
    if (kind === 'csv' && isText(head)) return 'table'
    if (kind !== undefined) return 'document'
    return isText(head) ? 'text' : undefined
  } catch (thrown) {
    // A hard link, or a file that vanished meanwhile.
    if (!(thrown instanceof Failure)) throw thrown
    return undefined
  }
}
