import { stat } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Documents } from '../../src/kit/documents/document.ts'
import { grep, type Passage, plainFts } from './baselines.ts'
import { makeCollection, type Question, questionKinds } from './collection.ts'
import { measureParaphrases } from './measure-paraphrases.ts'
import { type Benches, median, never, print, queryOf, shown } from './open.ts'
import { paraphrasedIn } from './paraphrased.ts'
import { asked, type Measured } from './recall.ts'
import { standInVectors } from './stand-in.ts'
import { textsOf } from './texts.ts'
import { fileOf } from './write.ts'

/** The made collection, with exact questions and paraphrased ones. */
export async function measureCollection(benches: Benches, seed: number): Promise<void> {
  const collection = makeCollection(seed)
  const paraphrased = paraphrasedIn(collection)
  const { workspace, library, file, documents } = await benches.open('all')
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
  const chunks = texts.flatMap((one) => one.chunks)
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const size = (await sizeOf(file)) / bytes
  print(
    `${paths.length} documents, ${chunks.length} chunks, ${collection.questions.length} questions and ${paraphrased.length} paraphrased ones (seed ${seed})`,
  )
  print(
    `indexed in ${(indexed / 1000).toFixed(1)} s; event loop delayed by at most ${(delay.max / 1e6).toFixed(0)} ms, 99 % under ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
  )
  print(`index with texts: ${size.toFixed(1)} bytes for each byte of text\n`)

  const times: number[] = []
  const ours = async ({ query }: Question): Promise<Passage[]> => {
    const began = performance.now()
    const found = await searched(documents, paths, query)
    times.push(performance.now() - began)
    return found
  }
  const { questions } = collection
  report('Bobbin', questions, await asked('Bobbin', questions, ours))
  await reportTimes(times, documents, paths)
  const plain = grep(texts)
  report('grep', questions, await asked('grep', questions, ({ query, language }) => plain(query, language)))
  const fts = plainFts(chunks)
  report('FTS5 as it comes', questions, await asked('FTS5', questions, ({ query, language }) => fts(query, language)))
  const withVectors = await benches.open('vectors', { vectors: standInVectors })
  for (const document of collection.documents)
    await withVectors.workspace.write(`uploads/${document.name}`, await fileOf(document))
  for (const path of paths) await withVectors.documents.makeVectors?.(path, never)
  const byBoth = await asked('Bobbin with vectors', questions, ({ query }) =>
    searched(withVectors.documents, paths, query),
  )
  report('Bobbin, with n-gram vectors', questions, byBoth)
  await measureParaphrases(paraphrased, (query, others) => searched(documents, paths, query, others), fts, {
    name: 'n-gram vectors',
    found: (query, others) => searched(withVectors.documents, paths, query, others),
  })
  withVectors.library.close()
  library.close()
}

async function searched(documents: Documents, paths: string[], query: string, others: readonly string[] = []) {
  const { matches } = await documents.search(paths, queryOf(query, others), never)
  return matches.map(({ path, passage }) => ({ document: path.slice('uploads/'.length), text: passage }))
}

async function reportTimes(times: number[], documents: Documents, paths: string[]): Promise<void> {
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
}

function report(name: string, questions: Question[], measured: Measured<Question>): void {
  print(`${name}: recall@${shown} ${measured.recall(questions).toFixed(3)}, MRR ${measured.mrr(questions).toFixed(3)}`)
  const groups = [
    ...questionKinds.map((kind) => [kind, questions.filter((question) => question.kind === kind)] as const),
    ...['en', 'de', 'zh', 'ja', 'ar'].map(
      (code) => [code, questions.filter(({ language }) => language === code)] as const,
    ),
    ...['pdf', 'docx', 'xlsx', 'pptx'].map(
      (kind) => [kind, questions.filter(({ format }) => format === kind)] as const,
    ),
  ]
  print(`  ${groups.map(([group, some]) => `${group} ${measured.recall(some).toFixed(2)}`).join(', ')}`)
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
