import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { reasonOf } from '../kit/failure.ts'
import { sizeWords } from '../kit/text/shown.ts'
import { refuseMoved } from '../store/moved.ts'
import type { KeptKind } from '../store/retention.ts'
import { prune } from '../wiring/prune.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const words: Record<KeptKind, string> = {
  events: 'steps of old turns (keep.event_days)',
  postings: 'notes of where messages were posted (keep.posting_days)',
  outbox: 'posted entries of the outbox (keep.posting_days)',
  changes: 'earlier changes of files (keep.change_days)',
  ignored: 'reasons why messages weren’t answered (keep.ignored_days)',
}

/** Deletes at once what the bot deletes little by little, or says what that would be. */
export async function pruneCommand(args: string[]): Promise<number> {
  const isDry = parsed(args)
  const config = loadOrThrow()
  const store = await openStore(databasePlace(config))
  try {
    // The bot's files may still be here: its new database says which of them are in use.
    await refuseMoved(store.db)
    const report = (thrown: unknown) => void process.stderr.write(`${reasonOf(thrown)}\n`)
    const { kinds, workspaces } = await prune(store, config, { isDry, report })
    const lines = kinds.map(([kind, amount]) => lineOf(amount, words[kind]))
    const all = [
      ...lines,
      lineOf(workspaces, 'threads with files that nobody uses any more (keep.idle_workspace_days)'),
    ]
    const total = kinds.reduce((sum, [, { bytes }]) => sum + bytes, workspaces.bytes)
    const end = isDry
      ? cliWords.pruneRehearsed({ total: sizeWords(total) })
      : `Deleted: about ${sizeWords(total)}. The database file keeps its size, and uses the free space again.`
    process.stdout.write(`${[...all, end].join('\n')}\n`)
    return 0
  } finally {
    await store.close()
  }
}

const lineOf = ({ rows, bytes }: { rows: number; bytes: number }, what: string): string =>
  `${rows.toLocaleString('en-US').padStart(10)}  ${sizeWords(bytes).padStart(10)}  ${what}`

function parsed(args: string[]): boolean {
  try {
    const { values } = parseArgs({ args, options: { 'dry-run': { type: 'boolean', default: false } } })
    return values['dry-run']
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), 'Usage: prune [--dry-run]')
  }
}
