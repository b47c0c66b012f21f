import type { CallId } from '../../domain/ids.ts'
import { readNote, writeNote } from '../../store/notes.ts'
import type { Db, Tx } from '../../store/store.ts'
import type { BegunCall, Outcome } from './advance.ts'

export interface Tally {
  done: number
  failed: number
}

export interface Count extends Tally {
  /** By step; the second is of what the file has as `otherwise`, whichever is tried first. */
  steps: Record<string, [Tally, Tally]>
}

export type Counts = Record<string, Count>

const note = 'compositions.counts'

export async function readCounts(db: Db): Promise<Counts> {
  const text = await readNote(db, note)
  const counts = byName<Count>(text === undefined ? {} : (JSON.parse(text) as Counts))
  for (const count of Object.values(counts)) count.steps = byName(count.steps)
  return counts
}

/** Entries without those that every object has: a step may be called `constructor`. */
export const byName = <Value>(entries: Record<string, Value> = {}): Record<string, Value> =>
  Object.assign(Object.create(null), entries)

const add = ({ done, failed }: Tally, isDone: boolean): Tally =>
  isDone ? { done: done + 1, failed } : { done, failed: failed + 1 }

const none: Tally = { done: 0, failed: 0 }

/** Counts a chain that has ended, and each of its calls. */
export async function count(
  tx: Tx,
  { name, begun, swapped = [] }: { name: string; begun: readonly BegunCall[]; swapped?: readonly string[] },
  isDone: boolean,
  outcomes: ReadonlyMap<CallId, Outcome>,
): Promise<void> {
  await tx.alone('compositions')
  const all = await readCounts(tx.db)
  const { steps, ...own } = all[name] ?? { ...none, steps: byName<Count['steps'][string]>() }
  for (const { step, isFallback, id } of begun) {
    const [first, second] = steps[step] ?? [none, none]
    const isWell = outcomes.get(id)?.state === 'done'
    steps[step] = isFallback !== swapped.includes(step) ? [first, add(second, isWell)] : [add(first, isWell), second]
  }
  await writeNote(tx, note, JSON.stringify({ ...all, [name]: { ...add(own, isDone), steps } } satisfies Counts))
}

/** The counts of what a step tries first, and of what it tries then. */
export function talliesOf(count: Count | undefined, step: string, isSwapped: boolean): [Tally, Tally] {
  const [tool, otherwise] = count?.steps[step] ?? [none, none]
  return isSwapped ? [otherwise, tool] : [tool, otherwise]
}
