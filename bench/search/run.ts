import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openLibrary } from '../../src/capabilities/documents/library.ts'
import { documentsSection } from '../../src/capabilities/documents/settings.ts'
import { loadConfig, shippedConfigDir } from '../../src/config/load.ts'
import { settingsIn } from '../../src/config/section.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { chunksOf } from '../../src/kit/documents/chunks/chunks.ts'
import type { Documents } from '../../src/kit/documents/document.ts'
import { ParserPool } from '../../src/kit/documents/pool.ts'
import { poolSettings } from '../../src/kit/documents/pool-options.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { makePdf } from '../../tests/documents/pdf/make.ts'
import { grep, type Passage, plainFts, type Search } from './baselines.ts'
import { makeCollection, type Question, questionKinds } from './collection.ts'
import { fileOf, pagesOf, wrapped } from './write.ts'

// How well and how fast passages are found, compared with grep on the same text and with plain FTS5.

const seed = Number(process.argv[2] ?? 7)
const shown = 5

const loaded = loadConfig(
  { BOBBIN_CONFIG_DIR: shippedConfigDir },
  resolve(import.meta.dirname, '../..'),
  builtinSections,
)
if (!('config' in loaded)) throw new Error('the shipped configuration has complaints')
const settings = settingsIn(loaded.config, documentsSection)

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const print = (line: string) => process.stdout.write(`${line}\n`)

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-search-'))
const pool = new ParserPool({ ...poolSettings(settings), containment: openContainment() })
async function openBench(name: string) {
  const workspace = await openWorkspace(join(scratch, name))
  const file = join(scratch, `${name}.db`)
  const library = await openLibrary({
    file,
    pool,
    fileBytes: settings.fileBytes,
    unusedMs: 30 * 86_400_000,
    mostCharacters: settings.indexCharacters,
    checkMs: 86_400_000,
    clock: systemClock,
    report: (thrown) => print(`! ${String(thrown)}`),
  })
  const session = `ses_${name}` as const
  return { workspace, library, file, documents: library.of(session, workspace) }
}

async function measure(): Promise<void> {
  const collection = makeCollection(seed)
  const { workspace, library, file, documents } = await openBench('all')
  const paths: string[] = []
  for (const document of collection.documents) {
    const path = `uploads/${document.name}`
    await workspace.write(path, await fileOf(document))
    paths.push(path)
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const before = performance.now()
  await documents.search(paths, queryOf('anything'), never)
  const indexed = performance.now() - before
  delay.disable()

  const texts = await textsOf(documents, paths)
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const size = (await sizeOf(file)) / bytes
  print(
    `${paths.length} documents, ${texts.flatMap(({ chunks }) => chunks).length} chunks, ${collection.questions.length} questions (seed ${seed})`,
  )
  print(
    `indexed in ${(indexed / 1000).toFixed(1)} s; event loop delayed by at most ${(delay.max / 1e6).toFixed(0)} ms, 99 % under ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
  )
  print(`index with texts: ${size.toFixed(1)} bytes for each byte of text\n`)

  const times: number[] = []
  const ours = async (query: string): Promise<Passage[]> => {
    const began = performance.now()
    const { matches } = await documents.search(paths, queryOf(query), never)
    times.push(performance.now() - began)
    return matches.map(({ path, passage }) => ({ document: path.slice('uploads/'.length), text: passage }))
  }
  const plain = grep(texts)
  const fts = plainFts(texts.flatMap(({ document, chunks }) => chunks.map((text) => ({ document, text }))))
  await report('Bobbin', collection.questions, ours)
  const looks: number[] = []
  for (let round = 0; round < 50; round++) {
    const began = performance.now()
    await documents.search(paths, queryOf('.'), never)
    looks.push(performance.now() - began)
  }
  const [middle, slowest] = [median(times).toFixed(1), Math.max(...times).toFixed(0)]
  print(
    `  median ${middle} ms, slowest ${slowest} ms; of it ${median(looks).toFixed(1)} ms to look whether the files have changed\n`,
  )
  await report('grep', collection.questions, plain)
  await report('FTS5 as it comes', collection.questions, fts)
  library.close()
  await measureFirst()
}

const never = new AbortController().signal
const queryOf = (query: string) => ({
  query,
  isPattern: false,
  maxResults: shown,
  contextCharacters: settings.searchCharacters,
})

async function textsOf(documents: Documents, paths: string[]) {
  const texts: { document: string; text: string; chunks: string[] }[] = []
  for (const path of paths) {
    const opened = await documents.open(path, { signal: never })
    const parts = opened.parts.map((part, index) => ({ ...part, text: opened.text(index) }))
    const chunks = chunksOf({ kind: opened.kind, notes: [], parts })
    texts.push({
      document: path.slice('uploads/'.length),
      text: parts.map(({ text }) => text).join('\n'),
      chunks: chunks.map(({ part, start, end }) => parts[part]?.text.slice(start, end) ?? ''),
    })
  }
  return texts
}

/** A text without its layout. */
const bare = (text: string): string => text.replace(/[\s*|\\]|<br>/g, '')

async function report(name: string, questions: Question[], search: Search | ((query: string) => Promise<Passage[]>)) {
  const ranks = new Map<Question, number>()
  for (const question of questions) {
    const passages = await search(question.query, question.language)
    const wanted = question.evidence.map(bare)
    const rank = passages.slice(0, shown).findIndex(({ text }) => wanted.some((one) => bare(text).includes(one)))
    ranks.set(question, rank)
    if (name === 'Bobbin' && rank === -1 && process.argv.includes('--missed')) {
      print(`  missed (${question.kind}, ${question.document}): ${question.query} → ${question.evidence[0]}`)
    }
  }
  const over = (some: Question[]) => {
    const found = some.filter((question) => (ranks.get(question) ?? -1) >= 0)
    const reciprocal = found.reduce((sum, question) => sum + 1 / ((ranks.get(question) ?? 0) + 1), 0)
    return { recall: found.length / some.length, mrr: reciprocal / some.length, count: some.length }
  }
  const all = over(questions)
  print(`${name}: recall@${shown} ${all.recall.toFixed(3)}, MRR ${all.mrr.toFixed(3)}`)
  const groups = [
    ...questionKinds.map((kind) => [kind, questions.filter((question) => question.kind === kind)] as const),
    ...['en', 'de', 'zh', 'ja', 'ar'].map(
      (code) => [code, questions.filter(({ language }) => language === code)] as const,
    ),
    ...['pdf', 'docx', 'xlsx', 'pptx'].map(
      (kind) => [kind, questions.filter(({ format }) => format === kind)] as const,
    ),
  ]
  print(`  ${groups.map(([group, some]) => `${group} ${over(some).recall.toFixed(2)}`).join(', ')}`)
}

async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The time from a new PDF of 100 pages to the passage. */
async function measureFirst(): Promise<void> {
  const [document] = makeCollection(seed + 1).documents
  const paragraphs = document?.sections.flatMap((section) => section.paragraphs) ?? []
  const lines = Array.from({ length: 40 }, () => paragraphs)
    .flat()
    .flatMap((text) => wrapped(text, 88))
    .map((text) => ({ text, size: 10 }))
  const pages = pagesOf(lines, 'latin').slice(0, 100)
  pages[79]?.texts.push({ x: 60, y: 800, text: 'The needle lies on page eighty.', size: 10, font: 'latin' })
  const pdf = makePdf({ pages, isPacked: true })
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const { workspace, library, documents } = await openBench(`first-${round}`)
    await workspace.write('uploads/long.pdf', pdf)
    const began = performance.now()
    const { matches } = await documents.search(['uploads/long.pdf'], queryOf('needle page eighty'), never)
    times.push(performance.now() - began)
    if (matches[0]?.number !== 80) print(`! the needle was found on page ${matches[0]?.number}`)
    library.close()
  }
  print(
    `\nfirst search in a PDF of ${pages.length} pages: ${times.map((time) => `${(time / 1000).toFixed(2)} s`).join(', ')} (the first one starts a worker)`,
  )
}

try {
  await measure()
} finally {
  await pool.stop()
  await rm(scratch, { recursive: true, force: true })
}
