import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openLibrary } from '../../../src/capabilities/documents/library.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { parsedOf } from '../../../src/kit/documents/chunks/parsed.ts'
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
const parsed = parsedOf(document)
const library = await openLibrary({
  file: join(directory, 'index.db'),
  pool: { parse: async () => parsed },
  fileBytes: 50_000_000,
  unusedMs: 1e9,
  mostCharacters: 1_000_000_000,
  checkMs: 1e9,
  clock: systemClock,
  report: (thrown) => process.stderr.write(`${String(thrown)}\n`),
})
library.of('ses_one', workspace).prepare('uploads/a.pdf', new AbortController().signal)
const look = new Sqlite(join(directory, 'index.db'), { readonly: true }).prepare('SELECT count(*) FROM chunks').pluck()
const watch = () => {
  if (Number(look.get()) > 1000) process.stdout.write('in the middle\n')
  else setImmediate(watch)
}
watch()
