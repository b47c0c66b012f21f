import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openLibrary } from '../../../src/capabilities/documents/library.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { Portions } from '../../../src/kit/documents/chunks/portions.ts'
import { openWorkspace } from '../../../src/workspace/workspace.ts'

// Writes a large document to the index and says when it is in the middle of it, to be killed then.

const [, , directory = ''] = process.argv
const filler = 'The tenant shall keep the house in good repair. '.repeat(80)
const document = {
  kind: 'pdf' as const,
  notes: [],
  parts: Array.from({ length: 1500 }, (_, index) => ({
    unit: 'page' as const,
    number: index + 1,
    text: index === 700 ? 'A zebra' : filler,
  })),
}
const workspace = await openWorkspace(join(directory, 'ses_one'))
await workspace.write('uploads/a.pdf', JSON.stringify(document))
const portions = new Portions({ parts: 10_000, characters: 100_000_000 })
const facts = { kind: document.kind, notes: [] }
const [first, rest] = [
  portions.add(document.parts.slice(0, 50), facts, false),
  portions.add(document.parts.slice(50), facts, true),
]
const library = await openLibrary({
  file: join(directory, 'index.db'),
  pool: {
    // One portion can be searched already when the process is killed in the next.
    read: async (_, __, { into }) => {
      await into.begin()
      await into.take(first)
      await into.take(rest)
    },
  },
  fileBytes: 50_000_000,
  unusedMs: 1e9,
  mostCharacters: 1_000_000_000,
  checkMs: 1e9,
  patienceMs: 600_000,
  clock: systemClock,
  removedAt: async () => undefined,
  report: (thrown) => process.stderr.write(`${String(thrown)}\n`),
})
library.of('ses_one', workspace).prepare('uploads/a.pdf', new AbortController().signal)
const look = new Sqlite(join(directory, 'index.db'), { readonly: true }).prepare('SELECT count(*) FROM chunks').pluck()
const watch = () => {
  if (Number(look.get()) <= 1000) return setImmediate(watch)
  process.stdout.write('in the middle\n')
  // It is to be there still when it is killed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600_000)
}
watch()
