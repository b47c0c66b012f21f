import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { plainFts } from './baselines.ts'
import { measureParaphrases } from './measure-paraphrases.ts'
import { type Benches, median, never, print, queryOf } from './open.ts'
import { textsOf } from './texts.ts'

// `--dir <folder>`: all files in it, and in its folders, are the documents. `questions.json` has the questions:
//
// [
//   {
//     "query": "How long beforehand do we have to cancel?",
//     "queries": ["termination notice period", "Kündigungsfrist"],   other wordings, optional
//     "document": "contracts/lease.pdf",                             the file that answers it, from the folder
//     "passage": "ninety days written notice",                       words of the place that answers it
//     "language": "en"                                               optional
//   }
// ]

const file = 'questions.json'

const form = z.array(
  z.strictObject({
    query: z.string().min(1),
    queries: z.array(z.string().min(1)).max(5).default([]),
    document: z.string().min(1),
    passage: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    language: z.string().default('en'),
  }),
)

export async function measureOwn(benches: Benches, folder: string): Promise<void> {
  const parsed = form.safeParse(JSON.parse(await readFile(join(folder, file), 'utf8')))
  if (!parsed.success) throw new Error(`${join(folder, file)}: ${z.prettifyError(parsed.error)}`)
  const { workspace, library, documents } = await benches.open('own')
  const paths: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = relative(folder, join(entry.parentPath, entry.name))
    if (!entry.isFile() || name === file) continue
    await workspace.write(`uploads/${name}`, await readFile(join(folder, name)))
    paths.push(`uploads/${name}`)
  }
  const questions = parsed.data.map(({ query, queries, document, passage, language }) => {
    const evidence = [passage].flat()
    return { query, wordings: [query, ...queries], document, evidence, language }
  })
  const missing = questions.find(({ document }) => !paths.includes(`uploads/${document}`))
  if (missing !== undefined) throw new Error(`${file} asks about ${missing.document}, which is not in ${folder}`)

  const began = performance.now()
  const { failures } = await documents.search(paths, queryOf('anything'), never)
  print(`${paths.length} files, indexed in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  for (const { path, reason } of failures) print(`  ${path}: ${reason}`)
  const readable = paths.filter((path) => !failures.some((failure) => failure.path === path))
  const times: number[] = []
  const found = async (query: string, others: readonly string[] = []) => {
    const before = performance.now()
    const { matches } = await documents.search(readable, queryOf(query, others), never)
    times.push(performance.now() - before)
    return matches.map(({ path, passage }) => ({ document: path.slice('uploads/'.length), text: passage }))
  }
  const texts = await textsOf(documents, readable)
  await measureParaphrases(questions, found, plainFts(texts.flatMap(({ chunks }) => chunks)))
  print(`  median search ${median(times).toFixed(1)} ms`)
  library.close()
}
