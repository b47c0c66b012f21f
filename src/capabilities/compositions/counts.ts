import type { CallId } from '../../domain/ids.ts'
import { readNote, writeNote } from '../../store/notes.ts'
import type { Db, Tx } from '../../store/store.ts'
import type { BegunCall, Outcome } from './advance.ts'
import type { Compositions } from './settings.ts'

interface Tally {
  done: number
  failed: number
}

export interface Count extends Tally {
  /** By step; the second is of what is called otherwise. */
  steps: Record<string, [Tally, Tally]>
}

export type Counts = Record<string, Count>

const note = 'compositions.counts'

export async function readCounts(db: Db): Promise<Counts> {
  const text = await readNote(db, note)
  return text === undefined ? {} : (JSON.parse(text) as Counts)
}

const add = ({ done, failed }: Tally, isDone: boolean): Tally =>
  isDone ? { done: done + 1, failed } : { done, failed: failed + 1 }

const none: Tally = { done: 0, failed: 0 }

/** Counts a chain that has ended, and each of its calls. */
export async function count(
  tx: Tx,
  name: string,
  isDone: boolean,
  begun: readonly BegunCall[],
  outcomes: ReadonlyMap<CallId, Outcome>,
): Promise<void> {
  await tx.alone('compositions')
  const all = await readCounts(tx.db)
  const { steps = {}, ...own } = all[name] ?? (none as Count)
  for (const { step, isFallback, id } of begun) {
    const [first, second] = steps[step] ?? [none, none]
    const isWell = outcomes.get(id)?.state === 'done'
    steps[step] = isFallback ? [first, add(second, isWell)] : [add(first, isWell), second]
  }
  await writeNote(tx, note, JSON.stringify({ ...all, [name]: { ...add(own, isDone), steps } } satisfies Counts))
}

/** From this many calls on, counts mean something. */
const enough = 5

/** What the counts suggest to change, in sentences. */
export function advice(name: string, { steps }: Count, compositions: Compositions): string[] {
  const all = compositions.get(name)?.groups.flat() ?? []
  return all.flatMap(({ name: step, tool, otherwise }): string[] => {
    const [first, second] = steps[step] ?? [none, none]
    if (otherwise === undefined || second.done + second.failed < enough || share(second) <= share(first)) return []
    return [`In ${step}, ${otherwise.tool} works more often than ${tool}: try it first.`]
  })
}

const share = ({ done, failed }: Tally): number => done / Math.max(1, done + failed)
