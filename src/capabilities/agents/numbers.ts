import { type AgentRunFacts, agentRuns } from '../../store/agents.ts'
import type { Db } from '../../store/store.ts'

/** What one agent has done. */
export interface AgentNumbers {
  agent: string
  runs: number
  succeeded: number
  failed: number
  stopped: number
  /** Still running, or waiting for people. */
  open: number
  /** Mean time of the runs that ended, without waiting for people, ms. */
  meanMs: number
  nanos: number
  lastAt: number
}

export const countedDays = 30

/** More runs than these aren't counted. */
const mostRuns = 20_000

export const numbersOf = async (db: Db, now: number): Promise<AgentNumbers[]> =>
  summed(await agentRuns(db, { since: now - countedDays * 86_400_000, limit: mostRuns }))

/** A run that was handed on has done its part, whatever becomes of the turn. */
export const outcomeOf = ({ turn, handedOver }: AgentRunFacts): 'succeeded' | 'failed' | 'stopped' | 'open' => {
  if (handedOver || turn === 'done') return 'succeeded'
  return turn === 'failed' || turn === 'stopped' ? turn : 'open'
}

/** How long it worked, ms; undefined while it does. */
export const workedMs = ({ startedAt, endedAt, waitedMs }: AgentRunFacts): number | undefined =>
  endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt - waitedMs)

/** By agent, those with the most runs first. */
export function summed(runs: readonly AgentRunFacts[]): AgentNumbers[] {
  const all = [...Map.groupBy(runs, ({ agent }) => agent)].map(([agent, own]): AgentNumbers => {
    const count = (wanted: ReturnType<typeof outcomeOf>) => own.filter((run) => outcomeOf(run) === wanted).length
    const times = own.flatMap((run) => workedMs(run) ?? [])
    return {
      agent,
      runs: own.length,
      succeeded: count('succeeded'),
      failed: count('failed'),
      stopped: count('stopped'),
      open: count('open'),
      meanMs: times.length === 0 ? 0 : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length),
      nanos: own.reduce((sum, { nanos }) => sum + nanos, 0),
      lastAt: Math.max(...own.map(({ startedAt }) => startedAt)),
    }
  })
  return all.toSorted((a, b) => b.runs - a.runs || (a.agent < b.agent ? -1 : 1))
}

/** Of the runs that ended; undefined if none did. */
export const successRate = ({ succeeded, failed, stopped }: AgentNumbers): number | undefined =>
  succeeded + failed + stopped === 0 ? undefined : succeeded / (succeeded + failed + stopped)
