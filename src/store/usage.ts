import { sql } from 'kysely'
import type { Person, ThreadRef } from '../domain/chat.ts'
import { newId, type SessionId, type TurnId } from '../domain/ids.ts'
import type { PaidSlot, Usage } from '../kit/model/model.ts'
import { isGone } from './lock.ts'
import type { Tx } from './store.ts'

/** A model call that was answered, and what it cost in billionths of a US dollar. */
export interface Spent {
  usage: Usage
  slot: PaidSlot
  model: string
  nanos: number
  /** The tools it called. */
  tools: readonly string[]
  /** The row that reserved it. */
  reserve?: string | undefined
}

/** Whose call it was. */
export interface Spender {
  session: SessionId
  turn: TurnId
  thread: ThreadRef
  person: Person
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const tokensIn = ({ input, cached, written = 0, output, reasoning = 0 }: Usage) => ({
  tokens_in: input,
  tokens_cached: cached,
  tokens_written: written,
  tokens_out: output,
  tokens_reasoning: reasoning,
})

/** Stores what a call cost, in place of what was reserved for it. */
export async function recordSpent(tx: Tx, spender: Spender, spent: Spent): Promise<void> {
  const tokens = {
    ...tokensIn(spent.usage),
    tools: spent.tools.join(','),
    nanos: spent.nanos,
    state: 'settled' as const,
  }
  if (spent.reserve === undefined) {
    await tx.db
      .insertInto('usage')
      .values({ ...rowOf(spender, spent, tx.now), ...tokens })
      .execute()
  } else await tx.db.updateTable('usage').set(tokens).where('id', '=', spent.reserve).execute()
}

function rowOf(
  { session, turn, thread, person }: Spender,
  { slot, model }: Pick<Spent, 'slot' | 'model'>,
  now: number,
) {
  const { platform, tenant, project } = thread
  return {
    id: newId('use', now),
    session_id: session,
    turn_id: turn,
    platform,
    tenant,
    project,
    person_id: person.id,
    person: person.name,
    slot,
    model,
    day: dayOf(now),
    at: now,
  }
}

/** Reserves what a call of this process may cost. Returns the row's id. */
export async function reserve(
  tx: Tx,
  spender: Spender,
  call: Pick<Spent, 'slot' | 'model' | 'nanos'> & { aside?: string | undefined; holder: string },
): Promise<string> {
  const row = rowOf(spender, call, tx.now)
  const nothing = tokensIn({ input: 0, cached: 0, output: 0 })
  await tx.db
    .insertInto('usage')
    .values({ ...row, ...nothing, tools: call.aside ?? '', nanos: call.nanos, state: 'reserved', holder: call.holder })
    .execute()
  return row.id
}

/** The call failed before it cost anything, also if it was given up meanwhile. */
export async function release(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('usage').where('id', '=', id).where('state', '!=', 'settled').execute()
}

/** What became of these calls is unknown, so what was reserved for them counts as spent. */
export async function giveUp(tx: Tx, id: string): Promise<void> {
  await tx.db.updateTable('usage').set({ state: 'lost' }).where('id', '=', id).where('state', '=', 'reserved').execute()
}

/**
 * Gives up what processes that are gone had reserved, what was reserved up to `before`, and what a turn had reserved,
 * except for texts that are written aside.
 */
export async function giveUpOld(tx: Tx, { turn, before }: { turn: TurnId | undefined; before: number }): Promise<void> {
  await tx.db
    .updateTable('usage')
    .set({ state: 'lost' })
    .where('state', '=', sql.lit('reserved'))
    .where((eb) =>
      eb.or([
        eb('at', '<=', before),
        eb.and([eb('holder', 'is not', null), isGone('usage.holder')]),
        ...(turn === undefined ? [] : [eb.and([eb('turn_id', '=', turn), eb('tools', '=', '')])]),
      ]),
    )
    .execute()
}
