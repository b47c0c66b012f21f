import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { addressFault } from '../config/environment.ts'
import { Failure, reasonOf, sentencesOf, Unavailable } from '../kit/failure.ts'
import { isServer } from '../store/place.ts'
import { type Moved, moveBot, undoMove } from '../wiring/move.ts'
import { stoppable } from './archive-command.ts'
import { inForceAgain } from './in-force-again.ts'
import { loadOrThrow } from './load.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: move --to postgres://…, move --to sqlite, move --undo.'

/** Takes a stopped bot to another database. */
export async function moveCommand(args: string[]): Promise<number> {
  const { to, undo } = parsed(args)
  const config = loadOrThrow()
  const { dataDir } = config
  const { silentMs } = config.engine
  const from = databasePlace(config)
  if (undo) {
    const { other, at, inForce } = await undoMove(from, silentMs)
    print(cliWords.moveUndone({ other }), ...inForceAgain(inForce, at))
    return 0
  }
  const wrong = to === 'sqlite' ? undefined : addressFault('--to', to)
  if (wrong !== undefined) throw new UsageFault(sentencesOf(wrong), usage)
  const target = to === 'sqlite' ? join(dataDir, 'bobbin.db') : to
  const moved = await stoppable({ what: 'move', remedy: cliWords.nothingMoved() }, (signal) =>
    moveBot({ from, to: target, silentMs, signal }),
  ).catch((thrown: unknown) => {
    throw isServer(from) ? thrown : ofTarget(thrown)
  })
  print(summary(moved), nextSteps(target, dataDir, moved))
  return moved.copied.audit.ok ? 0 : 1
}

function parsed(args: string[]): { to: string; undo: boolean } {
  const options = { to: { type: 'string', default: '' }, undo: { type: 'boolean', default: false } } as const
  let values: { to: string; undo: boolean }
  let positionals: string[]
  try {
    ;({ values, positionals } = parseArgs({ args, options, allowPositionals: true }))
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  if ((values.to === '') === !values.undo || positionals.length > 0)
    throw new UsageFault(cliWords.moveActionMissing(), usage)
  return values
}

/** The address with the fault is the one that was given here. */
function ofTarget(thrown: unknown): unknown {
  const there = (text: string) => text.replaceAll('DATABASE_URL', '--to')
  if (thrown instanceof Failure && thrown.code === 'unfit_database')
    return thrown.with({ message: there(thrown.message), remedy: there(thrown.remedy) })
  if (!(thrown instanceof Unavailable && thrown.isOfServer)) return thrown
  return new Failure(thrown.code, there(thrown.message), there(thrown.remedyAfterwards), { cause: thrown })
}

function summary({ here, there, copied, putAway }: Moved): string {
  const { rows, changed, audit } = copied
  const all = Object.values(rows).reduce((sum, one) => sum + one, 0)
  const tables = Object.keys(rows).length
  return lines([
    cliWords.moveDone({
      here,
      there,
      sessions: count(rows.sessions, 'session'),
      messages: count(rows.messages, 'message'),
      all,
      tables,
    }),
    audit.ok
      ? cliWords.auditIntactAfterMove({ entries: audit.entries })
      : cliWords.auditBrokenAlready({ seq: audit.seq, why: audit.why }),
    changed > 0 && cliWords.changedByMove({ count: changed }),
    putAway !== undefined && cliWords.leftoversPutAway({ there, putAway }),
  ])
}

const count = (number = 0, what = ''): string => `${number} ${what}${number === 1 ? '' : 's'}`

const nextSteps = (target: string, dataDir: string, { here }: Moved): string =>
  lines([
    cliWords.filesNotMoved({ dataDir }),
    isServer(target)
      ? 'Next: set DATABASE_URL to the new address and BOBBIN_NODE to a name, then start Bobbin.'
      : 'Next: remove DATABASE_URL and BOBBIN_NODE from the settings, then start Bobbin.',
    `${here} is kept as it was, and no longer starts. Remove it when you no longer need it.`,
  ])

const lines = (all: (string | false)[]): string => all.filter((line) => line !== false).join('\n')

const print = (...all: string[]): void => void process.stdout.write(`${all.join('\n')}\n`)
