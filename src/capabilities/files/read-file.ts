import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { WorkspaceEntry } from '../../domain/workspace.ts'
import { Failure } from '../../kit/failure.ts'
import { documentKindOf } from '../../kit/files/document-kind.ts'
import { headBytes, isText } from '../../kit/files/type.ts'
import { KeyLines, keyLinesAbove } from '../../kit/secrets/key-lines.ts'
import { counted, shownPath } from '../../kit/text/shown.ts'
import { readLines } from '../../workspace/lines.ts'
import { lookAt } from '../../workspace/look.ts'
import type { FilesContext } from './context.ts'
import { fileInput } from './inputs.ts'
import { emptyPage, type FilePage, keptCharacters, linePart, pageText } from './read/page.ts'
import { aboutColumn, columnTooFar, hasOnly, mostColumn, smallerOffset } from './read/words.ts'
import { filesWords } from './words.ts'

const input = z.strictObject({
  path: fileInput,
  offset: z.int().min(1).default(1).describe('First line, from 1'),
  limit: z.int().min(1).optional().describe('Maximum lines'),
  column: z.int().min(1).max(mostColumn, columnTooFar).default(1).describe(aboutColumn).meta({ shown: 'elsewhere' }),
  part: z
    .string()
    .min(1)
    .optional()
    .describe('Pages, slides, a sheet or a file in an archive: "12", "11-20", "11-", its name'),
  formulas: z.boolean().default(false).describe('Show formulas'),
  password: z.string().min(1).optional().describe('Of the document').meta({ shown: 'elsewhere' }),
  raw: z.boolean().default(false).describe('Show CSV, HTML, a notebook, RTF or e-mail as it is'),
})

/** A large document may have to wait for others. */
const timeoutMs = 180_000

export const readFile = defineTool({
  kind: 'run',
  name: 'read_file',
  description:
    'Reads a file of the workspace: text with line numbers (not part of the file); PDF, Office files, e-mail, web pages, notebooks, contacts, calendars, books, archives and images as Markdown. Large files come in pages; each says how to continue.',
  input,
  doing: ({ path }) => filesWords.reading({ path }),
  effect: 'read',
  repeatable: true,
  pages: true,
  timeoutMs,
  paths: ({ path }) => [path],
  source: ({ path }) => `the file ${path}`,
  run: async ({ path, offset, limit, column, part, formulas, password, raw }, context: FilesContext) => {
    const file = await existingFile(path, context)
    const head = await context.workspace.readRange(file.path, 0, headBytes)
    const isDocument = documentKindOf(file.path, head) !== undefined
    if (!isDocument && !isText(head)) throw await notText(file, context)
    if (isDocument && !(raw && isText(head))) {
      const { documentPage, showsEnough } = await import('./read/document.ts')
      const enough = showsEnough({ path, part }, context.limits)
      const document = await context.documents.open(file.path, { password, signal: context.signal, enough })
      return documentPage(document, { path, part, offset, limit, column, formulas }, context)
    }
    if (column > 1) return readLine(file, offset, column, context)
    const page = await readPage(file, offset, limit ?? context.limits.readLines, context)
    return pageText(page, { path: shownPath(path), offset, size: file.size, limits: context.limits })
  },
})

async function readLine({ path }: WorkspaceEntry, number: number, column: number, context: FilesContext) {
  const { workspace, limits, signal } = context
  const keepBytes = keptCharacters(column, limits) * 4
  let total = 0
  for await (const { lines, count } of readLines(workspace, path, { from: number, keepBytes, signal })) {
    const [line] = lines
    if (line) return linePart(line, { path: shownPath(path), column }, context)
    total = count
  }
  throw new Failure('not_found', hasOnly(shownPath(path), counted(total, 'line')), smallerOffset)
}

async function existingFile(path: string, { workspace }: FilesContext): Promise<WorkspaceEntry> {
  const entry = await workspace.stat(path)
  if (entry?.kind === 'directory') {
    throw new Failure('not_a_file', `${shownPath(path)} is a folder.`, 'Use list_files to see what is in it.')
  }
  if (entry) return entry
  throw new Failure('not_found', `${shownPath(path)} does not exist.`, 'Use find_files to see what there is.')
}

async function notText({ path, size }: WorkspaceEntry, { workspace }: FilesContext): Promise<Failure> {
  const { type, notice } = await lookAt(workspace, path, path)
  if (notice !== undefined)
    return new Failure('not_text', `${shownPath(path)} cannot be read, ${notice}.`, 'Ask for the real file.')
  const what = type === 'application/octet-stream' ? 'a binary file' : `a binary file (${type})`
  return new Failure(
    'not_text',
    `${shownPath(path)} is ${what} of ${counted(size, 'byte')} and cannot be read as text.`,
    'Work with it by a command or a skill, or ask for its text.',
  )
}

async function readPage(
  { path, size }: WorkspaceEntry,
  offset: number,
  limit: number,
  context: FilesContext,
): Promise<FilePage> {
  const { workspace, limits, signal } = context
  const from = Math.max(1, offset - keyLinesAbove)
  const options = { from, keepBytes: limits.lineCharacters * 4, signal }
  const key = new KeyLines()
  const page = emptyPage(context, size <= limits.readBytes)
  for await (const { lines, count, ended, encoding } of readLines(workspace, path, options)) {
    if (encoding !== undefined && encoding !== 'utf-8') page.encoding = encoding
    for (const line of lines) {
      const isAbove = line.number < offset
      const text = isAbove ? key.masked(line.text) : key.rest(line.text)
      if (!isAbove && (page.lines.length === limit || !page.add({ ...line, text }))) return page
    }
    if (ended) page.total = count
  }
  return page
}
