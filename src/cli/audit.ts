import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { type AuditKind, readAudit } from '../store/audit.ts'
import { type AuditHead, verifyAudit } from '../store/audit-chain.ts'
import type { Db } from '../store/store.ts'
import { csvHeader, csvLines, jsonLines } from './audit-formats.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage =
  'Usage: audit verify [--head <number>:<hash>], audit export [--format jsonl|csv] [--after <number>] [--kind <kind>].'

const kinds: Record<AuditKind, true> = {
  asked: true,
  voted: true,
  decided: true,
  moved: true,
  withdrawn: true,
  granted: true,
  revoked: true,
  refused: true,
  started: true,
  ended: true,
  deleted: true,
}

const pageEntries = 500

/** `audit verify` and `audit export`. Both work while the bot runs. */
export async function auditCommand([action = '', ...args]: string[]): Promise<number> {
  if (action === 'verify') return verify(args)
  if (action === 'export') return exportAll(args)
  throw new UsageFault(
    action === '' ? cliWords.auditActionMissing() : cliWords.noSubcommand({ command: `audit ${action}` }),
    usage,
  )
}

async function verify(args: string[]): Promise<number> {
  const { head } = optionsOf(() => parseArgs({ args, options: { head: { type: 'string' } } }).values)
  const noted = head === undefined ? undefined : headIn(head)
  const verdict = await withDatabase((db) => verifyAudit(db, noted))
  if (verdict.ok) {
    process.stdout.write(`${cliWords.auditIntact({ entries: verdict.entries, head: verdict.head })}\n`)
    return 0
  }
  process.stderr.write(`${cliWords.auditBroken({ seq: verdict.seq, why: verdict.why })}\n`)
  return 1
}

function headIn(text: string): AuditHead {
  const [, seq, hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  if (seq === undefined) throw new UsageFault(cliWords.notAHead(), usage)
  return { seq: Number(seq), hash: hash.toLowerCase() }
}

async function exportAll(args: string[]): Promise<number> {
  const options = {
    format: { type: 'string', default: 'jsonl' },
    after: { type: 'string', default: '0' },
    kind: { type: 'string' },
  } as const
  const { format, after, kind } = optionsOf(() => parseArgs({ args, options }).values)
  if (format !== 'jsonl' && format !== 'csv') throw new UsageFault(cliWords.noFormat({ format }), usage)
  if (!/^\d{1,15}$/.test(after)) throw new UsageFault('--after takes the number of an entry.', usage)
  if (kind !== undefined && !Object.hasOwn(kinds, kind))
    throw new UsageFault(cliWords.noKind({ kind: JSON.stringify(kind), kinds: Object.keys(kinds).join(', ') }), usage)
  const lines = format === 'csv' ? csvLines : jsonLines
  await withDatabase(async (db) => {
    if (format === 'csv') await print(csvHeader)
    for (let last = Number(after); ; ) {
      const page = await readAudit(db, { after: last, kind, limit: pageEntries })
      if (page.length > 0) await print(lines(page))
      last = page.at(-1)?.seq ?? last
      if (page.length < pageEntries) return
    }
  })
  return 0
}

/** Waits until the reader has taken it, so that a large log is never in memory as a whole. */
const print = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()))

/** Throws UsageFault for an unknown option. */
function optionsOf<Values>(parse: () => Values): Values {
  try {
    return parse()
  } catch (thrown) {
    throw new UsageFault(thrown instanceof Error ? thrown.message : String(thrown), usage)
  }
}

async function withDatabase<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const store = await openStore(databasePlace(loadOrThrow()))
  try {
    return await work(store.db)
  } finally {
    await store.close()
  }
}
