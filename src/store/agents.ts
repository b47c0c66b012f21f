import { sql } from 'kysely'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { HandedTo } from './session-rows.ts'
import type { Db, Tx } from './store.ts'

/** The agents that have a thread, as they are at this moment. */
export async function handedTo(tx: Tx, session: SessionId): Promise<HandedTo | undefined> {
  const row = await tx.db.selectFrom('sessions').select('agents').where('id', '=', session).executeTakeFirst()
  return row?.agents ? (JSON.parse(row.agents) as HandedTo) : undefined
}

export async function handTo(tx: Tx, session: SessionId, to: HandedTo): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ agents: JSON.stringify(to) })
    .where('id', '=', session)
    .execute()
}

/** How many replies the model has given in a turn. */
export async function stepsOf(tx: Tx, turn: TurnId): Promise<number> {
  const row = await tx.db.selectFrom('turns').select('steps').where('id', '=', turn).executeTakeFirstOrThrow()
  return row.steps
}

/** An agent that works in a turn from a step on. '' is the bot itself. */
export interface AgentRun {
  session: SessionId
  turn: TurnId
  /** The step it began at. */
  place: number
  agent: string
  version: string
}

/** Of several at the same step, the last one counts, as the others have done nothing. */
export async function noteRun(tx: Tx, { session, turn, place, agent, version }: AgentRun): Promise<void> {
  const about = { agent, version, started_at: tx.now }
  await tx.db
    .insertInto('agent_runs')
    .values({ turn_id: turn, place, session_id: session, ...about })
    .onConflict((conflict) => conflict.columns(['turn_id', 'place']).doUpdateSet(about))
    .execute()
}

export interface AgentRunFacts {
  session: SessionId
  agent: string
  version: string
  startedAt: number
  /** Undefined while it runs or waits. */
  endedAt: number | undefined
  /** It handed the turn over. */
  handedOver: boolean
  turn: 'running' | 'waiting' | 'done' | 'failed' | 'stopped'
  /** How long people were waited for, ms. */
  waitedMs: number
  nanos: number
}

/** What agents have done since then, the latest first. */
export async function agentRuns(
  db: Db,
  { since, agent, limit }: { since: number; agent?: string; limit: number },
): Promise<AgentRunFacts[]> {
  const next = sql<number | null>`(select min(later.started_at) from agent_runs as later
    where later.turn_id = agent_runs.turn_id and later.place > agent_runs.place)`
  const within = (at: string) =>
    sql`${sql.ref(at)} >= agent_runs.started_at and (${next} is null or ${sql.ref(at)} < ${next})`
  const rows = await db
    .selectFrom('agent_runs')
    .innerJoin('turns', 'turns.id', 'agent_runs.turn_id')
    .select(['agent_runs.session_id', 'agent', 'version', 'agent_runs.started_at', 'turns.state', 'turns.ended_at'])
    .select(next.as('next_at'))
    .select(
      sql<number>`(select coalesce(sum(nanos), 0) from usage where usage.session_id = agent_runs.session_id
        and usage.turn_id = agent_runs.turn_id and usage.state <> 'reserved' and ${within('usage.at')})`.as('nanos'),
    )
    .select(
      sql<number>`(select coalesce(sum(requests.answered_at - requests.asked_at), 0) from requests
        where requests.session_id = agent_runs.session_id and requests.turn_id = agent_runs.turn_id and requests.answered_at is not null
        and ${within('requests.asked_at')})`.as('waited'),
    )
    .where('agent_runs.started_at', '>=', since)
    .where('agent', agent === undefined ? '<>' : '=', agent ?? '')
    .orderBy('agent_runs.started_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    session: row.session_id,
    agent: row.agent,
    version: row.version,
    turn: row.state,
    startedAt: row.started_at,
    endedAt: row.next_at ?? row.ended_at ?? undefined,
    handedOver: row.next_at !== null,
    waitedMs: Number(row.waited),
    nanos: Number(row.nanos),
  }))
}
