import type { Evidence, Fault } from './check/check.ts'
import { countHands } from './check/rows.ts'
import type { Killed } from './killer.ts'

interface Verdict extends Pick<Evidence, 'rows' | 'ledger' | 'effects'> {
  killed: Killed
  plan: { kind: string }[]
  faults: Fault[]
  seed: number
  tookMs: number
}

/** One line of counts. */
export function report({ rows, ledger, effects, killed, plan, faults, seed, tookMs }: Verdict): string {
  const of = (rule: string) => faults.filter((fault) => fault.rule === rule).length
  const starting = plan.filter(({ kind }) => kind === 'starting').length
  const answers = rows.outbox.filter(({ kind }) => kind === 'answer').length
  const acknowledged = [...ledger.sent.values()].filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length
  const stops = rows.turns.filter(({ state }) => state === 'stopped').length
  const counted = ['lost', 'missing', 'doubled', 'effect twice', 'decision twice', 'out of order']
  const other = faults.filter(({ rule }) => !counted.includes(rule)).length
  return [
    `kills ${plan.length} (starting ${starting}, freezes ${killed.frozen})`,
    `conversations ${rows.sessions.filter(({ parent }) => parent === null).length}`,
    countHands(rows),
    `messages ${acknowledged} lost ${of('lost')}`,
    `turns ${rows.turns.length} (stopped ${stops})`,
    `answers ${answers} missing ${of('missing')} doubled ${of('doubled')}`,
    `calls ${rows.calls.length} (unknown ${rows.calls.filter(({ state }) => state === 'unknown').length})`,
    `effects ${effects.length} twice ${of('effect twice')}`,
    `decisions ${rows.requests.length} twice ${of('decision twice')}`,
    `alarms ${rows.alarms.length}`,
    `uploads ${rows.files.filter(({ direction }) => direction === 'in').length}`,
    `out of order ${of('out of order')}`,
    `other faults ${other}`,
    `seed ${seed}`,
    `${Math.round(tookMs / 1000)} s`,
  ].join(' · ')
}
