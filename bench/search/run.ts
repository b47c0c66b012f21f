import { measureCollection } from './measure-collection.ts'
import { measureFirst } from './measure-first.ts'
import { openBenches } from './open.ts'
import { measureOwn } from './own.ts'

// How well and how fast passages are found, compared with grep on the same text and with plain FTS5.
//   npm run bench:search                    a made collection, and questions about it
//   npm run bench:search -- --dir <folder>  your own documents and questions (see own.ts)
// With --missed, it prints what was not found.

const at = process.argv.indexOf('--dir')
const folder = at === -1 ? undefined : process.argv[at + 1]
const seed = Number(process.argv.find((word, index) => index > 1 && /^\d+$/.test(word)) ?? 7)

const benches = await openBenches()
try {
  if (folder !== undefined) await measureOwn(benches, folder)
  else {
    await measureCollection(benches, seed)
    await measureFirst(benches, seed)
  }
} finally {
  await benches.end()
}
