import { ParserPool } from '../../../src/kit/documents/pool.ts'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import { hostile, poolOptions } from './options.ts'

// A bot that reads a document without end, for a test that kills it. Argument: `plain` for no bubblewrap.

const containment = openContainment(process.argv[2] === 'plain' ? { bwrap: false } : {})
const pool = new ParserPool({ ...poolOptions(containment), program: hostile })
const { signal } = new AbortController()
const read = async (text: string) => (await pool.parse({ name: 'a.csv', bytes: Buffer.from(text) }, signal)).document
await read('first')
read('loop').catch(() => {})
process.stdout.write('reading\n')
