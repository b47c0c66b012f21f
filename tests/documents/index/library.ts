import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Library, type LibraryOptions, openLibrary } from '../../../src/capabilities/documents/library.ts'
import type { SessionId } from '../../../src/domain/ids.ts'
import type { Workspace } from '../../../src/domain/workspace.ts'
import type { Intake } from '../../../src/kit/documents/chunks/batches.ts'
import { Portions } from '../../../src/kit/documents/chunks/portions.ts'
import type {
  DocumentPart,
  DocumentQuery,
  DocumentSearch,
  ParsedDocument,
} from '../../../src/kit/documents/document.ts'
import type { SourceFile } from '../../../src/kit/documents/parse.ts'
import { openWorkspace } from '../../../src/workspace/workspace.ts'

/** Reads a document that stands in its file as JSON, and counts. */
class JsonPool {
  parsed = 0
  /** In whose turn each was read. */
  readonly owners: string[] = []
  /** Awaited before each. */
  before: (file: SourceFile) => Promise<void> = async () => {}

  /** Awaited before each page but the first, which then comes as a portion of its own. Undefined: all come at once. */
  between: ((page: number) => Promise<void>) | undefined

  async read(
    given: SourceFile | (() => Promise<SourceFile>),
    signal: AbortSignal,
    { owner = '', into }: { owner?: string; into: Intake },
  ): Promise<void> {
    this.owners.push(owner)
    const file = typeof given === 'function' ? await given() : given
    this.parsed++
    await this.before(file)
    signal.throwIfAborted()
    await into.begin()
    const { parts, ...facts }: ParsedDocument = JSON.parse(Buffer.from(file.bytes).toString())
    const portions = new Portions({ parts: 10_000, characters: 100_000_000 })
    const steps = this.between === undefined ? [parts] : parts.map((part) => [part])
    for (const [index, pieces] of steps.entries()) {
      if (index > 0) await this.between?.(index)
      signal.throwIfAborted()
      await into.take(portions.add(pieces, { ...facts, expected: parts.length }, index === steps.length - 1))
    }
  }
}

const page = (text: string, number = 1): DocumentPart => ({ unit: 'page', number, text })

export const pages = (...texts: string[]): ParsedDocument => ({
  kind: 'pdf',
  notes: [],
  parts: texts.map((text, index) => page(text, index + 1)),
})

/** Rows of cells as a sheet's text. */
export const sheet = (rows: string[][], name = 'Sheet1'): ParsedDocument => {
  const letters = 'ABCDEFGH'.slice(0, rows[0]?.length ?? 1).split('')
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = [line(['', ...letters]), line(['', ...letters].map(() => '---'))]
  const text = [...lines, ...rows.map((row, index) => line([`${index + 1}`, ...row]))].join('\n')
  return { kind: 'xlsx', notes: [], parts: [{ unit: 'sheet', number: 1, name, text }] }
}

export async function scratch(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-index-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

export interface Room {
  workspace: Workspace
  put(name: string, document: ParsedDocument): Promise<string>
  open: ReturnType<Library['of']>['open']
  find(
    query: string,
    options?: Partial<DocumentQuery> & { paths?: string[]; signal?: AbortSignal },
  ): Promise<DocumentSearch>
}

export interface TestLibrary {
  library: Library
  pool: JsonPool
  file: string
  reports: unknown[]
  clock: { now(): number; at: number }
  room(session: SessionId): Promise<Room>
}

const day = 86_400_000

export async function testLibrary(directory: string, options: Partial<LibraryOptions> = {}): Promise<TestLibrary> {
  const file = join(directory, 'index.db')
  const pool = new JsonPool()
  const reports: unknown[] = []
  const clock = { at: Date.now() + day, now: () => clock.at }
  const library = await openLibrary({
    file,
    pool,
    fileBytes: 50_000_000,
    unusedMs: 30 * day,
    mostCharacters: 1_000_000_000,
    checkMs: day,
    patienceMs: 600_000,
    clock,
    removedAt: async () => undefined,
    report: (thrown) => reports.push(thrown),
    ...options,
  })
  onTestFinished(async () => {
    await library.settled()
    library.close()
  })
  const room = async (session: SessionId) => roomOf(library, session, await openWorkspace(join(directory, session)))
  return { library, pool, file, reports, clock, room }
}

function roomOf(library: Library, session: SessionId, workspace: Workspace): Room {
  const documents = library.of(session, workspace)
  const names: string[] = []
  return {
    workspace,
    put: async (name, document) => {
      const path = `uploads/${name}`
      await workspace.write(path, JSON.stringify(document))
      if (!names.includes(path)) names.push(path)
      return path
    },
    open: documents.open.bind(documents),
    find: (query, { paths = names, signal = new AbortController().signal, ...rest } = {}) =>
      documents.search(paths, { query, isPattern: false, maxResults: 5, contextCharacters: 100, ...rest }, signal),
  }
}
