import type { Fault } from '../check/check.ts'
import { countHands, type Rows } from '../check/rows.ts'
import type { Effect } from '../effects.ts'
import type { Account } from './account.ts'

interface Verdict {
  account: Account
  rows: Rows
  effects: Effect[]
  plan: { kind: string }[]
  faults: Fault[]
  seed: number
  tookMs: number
}

/** One line of counts. */
export function reportPlatform(verdict: Verdict): string {
  const { account, rows, effects, plan, faults, seed, tookMs } = verdict
  const of = (rule: string) => faults.filter((fault) => fault.rule === rule).length
  const byKind = Map.groupBy(plan, ({ kind }) => kind)
  const entries = (kind: string) => rows.outbox.filter((row) => row.kind === kind).length
  const told = [...account.told.values()]
  const troubles = [...account.troubles.values()].reduce((sum, count) => sum + count, 0)
  const counted = ['lost', 'missing', 'doubled', 'effect twice', 'decision twice', 'elsewhere', 'half made']
  const other = faults.filter(({ rule }) => !counted.includes(rule)).length
  return [
    `kills ${plan.length} (${[...byKind].map(([kind, { length }]) => `${kind} ${length}`).join(', ')})`,
    `troubles ${troubles}`,
    `threads ${rows.sessions.filter(({ parent }) => parent === null).length}`,
    countHands(rows),
    `messages ${told.length} (edited ${told.filter(({ edited }) => edited).length}, removed ${told.filter(({ removed }) => removed).length}) lost ${of('lost')}`,
    `turns ${rows.turns.length} (stopped ${rows.turns.filter(({ state }) => state === 'stopped').length}, stops asked for ${account.stopped.length})`,
    `answers ${entries('answer')} missing ${of('missing')} doubled ${of('doubled')} elsewhere ${of('elsewhere')}`,
    `half made ${of('half made')}`,
    `effects ${effects.length} twice ${of('effect twice')}`,
    `cards ${entries('card')} clicks ${account.pressed.length} decisions twice ${of('decision twice')}`,
    `alarms ${rows.alarms.length}`,
    `uploads ${rows.files.filter(({ direction }) => direction === 'in').length}`,
    `files ${rows.files.filter(({ direction }) => direction === 'out').length}`,
    `other faults ${other}`,
    `seed ${seed}`,
    `${Math.round(tookMs / 1000)} s`,
  ].join(' · ')
}
