import { type CallId, newId, type SessionId, type TurnId } from '../../domain/ids.ts'
import { Failure } from '../../kit/failure.ts'
import { endedCalls } from '../../store/calls.ts'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Lease, Store } from '../../store/store.ts'
import type { ModelPermit } from '../../turn/port/model-permit.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import { advance, type BegunCall, type Outcome } from './advance.ts'
import { count } from './counts.ts'
import { inOrder, swappedIn } from './order.ts'
import type { Composition, Compositions } from './settings.ts'

/** A chain under way. A session has one at a time. */
interface Run {
  /** The call that began it. */
  call: CallId
  turn: TurnId
  name: string
  parameters: Record<string, string>
  begun: BegunCall[]
  /** The steps that try their `otherwise` first: the order in which a chain began is the one in which it ends. */
  swapped?: string[]
}

const noteOf = (session: SessionId): string => `compositions.run.${session}`

/** Begins a chain, whose first step follows. Throws `busy_chain`. */
export async function begin(
  store: Store,
  lease: Lease,
  run: Omit<Run, 'begun' | 'swapped'>,
  composition: Composition | undefined,
): Promise<void> {
  await store.fenced(lease, async (tx) => {
    const known = await readRun(tx.db, lease.session)
    if (known?.call === run.call) return
    if (known?.turn === run.turn)
      throw new Failure('busy_chain', `${known.name} hasn’t ended yet.`, 'Call it again when it has.')
    const swapped = composition === undefined ? [] : await swappedIn(tx.db, run.name, composition)
    await writeNote(tx, noteOf(lease.session), JSON.stringify({ ...run, begun: [], swapped } satisfies Run))
  })
}

async function readRun(db: Store['db'], session: SessionId): Promise<Run | undefined> {
  const text = await readNote(db, noteOf(session))
  return text === undefined ? undefined : (JSON.parse(text) as Run)
}

/** The next calls of a chain under way; undefined when the model is to be asked. */
export async function nextCalls(
  { bot: { store }, session, row, lease, aside }: ModelScope,
  compositions: Compositions,
): Promise<ModelPermit | undefined> {
  if (lease === undefined || aside !== undefined) return undefined
  const run = await readRun(store.db, session.id)
  if (run === undefined) return undefined
  return store.fenced(lease, async (tx): Promise<ModelPermit | undefined> => {
    const composition = compositions.get(run.name)
    // Its turn was stopped, or it is gone from the configuration.
    if (run.turn !== row.id || composition === undefined) {
      await dropNote(tx, noteOf(session.id))
      return undefined
    }
    const outcomes: ReadonlyMap<CallId, Outcome> = await endedCalls(
      tx.db,
      run.begun.map(({ id }) => id),
    )
    const next = advance(inOrder(composition, run.swapped ?? []), run.parameters, run.begun, outcomes)
    if (next.do === 'end') {
      await dropNote(tx, noteOf(session.id))
      await count(tx, run, next.failed === undefined, outcomes)
      return undefined
    }
    const calls = next.calls.map(({ id = newId('call'), ...one }) => ({ ...one, id }))
    const begun = calls.map(({ step, isFallback, id }) => ({ step: step.name, isFallback, id }))
    const before = run.begun.filter((one) => !calls.some(({ id }) => id === one.id))
    await writeNote(tx, noteOf(session.id), JSON.stringify({ ...run, begun: [...before, ...begun] } satisfies Run))
    return { kind: 'call', calls: calls.map(({ id, tool, input }) => ({ id, tool, input })) }
  })
}
