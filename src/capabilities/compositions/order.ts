import { isDeepStrictEqual } from 'node:util'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Db, Store } from '../../store/store.ts'
import { byName, type Count, type Counts, readCounts, talliesOf } from './counts.ts'
import type { Composition, Step } from './settings.ts'

/** What people took of the improvements. It is laid over compositions.yaml, which nothing writes. */
const note = 'compositions.order'

/**
 * By composition and step: the `otherwise` that is tried first. If the file's is another one meanwhile, it no longer
 * counts.
 */
type Order = Record<string, Record<string, Step['otherwise']>>

async function readOrder(db: Db): Promise<Order> {
  const text = await readNote(db, note)
  return byName(text === undefined ? {} : (JSON.parse(text) as Order))
}

const stepsIn = ({ groups }: Composition): Step[] => groups.flat()

/** The steps of a composition whose `otherwise` is tried first. */
export async function swappedIn(db: Db, name: string, composition: Composition): Promise<string[]> {
  const { [name]: own = {} } = await readOrder(db)
  return stepsIn(composition)
    .filter((step) => step.otherwise !== undefined && isDeepStrictEqual(own[step.name], step.otherwise))
    .map((step) => step.name)
}

/** A composition whose steps of these names try their `otherwise` first. */
export const inOrder = (composition: Composition, swapped: readonly string[]): Composition => ({
  ...composition,
  groups: composition.groups.map((group) =>
    group.map((step) => {
      const { otherwise, tool, input } = step
      return otherwise === undefined || !swapped.includes(step.name)
        ? step
        : { ...step, ...otherwise, otherwise: { tool, input } }
    }),
  ),
})

/** From this many calls of each on, counts mean something. */
const enough = 5

/** The steps for which the counts suggest the other order than the present one. */
export function toSwap(composition: Composition, count: Count | undefined, swapped: readonly string[]): Step[] {
  return stepsIn(inOrder(composition, swapped)).filter((step) => {
    const [first, second] = talliesOf(count, step.name, swapped.includes(step.name))
    const isKnown = [first, second].every(({ done, failed }) => done + failed >= enough)
    return step.otherwise !== undefined && isKnown && share(second) > share(first)
  })
}

const share = ({ done, failed }: { done: number; failed: number }): number => done / (done + failed)

/** Does what the counts suggest, from the next call on, in all processes. False if they suggest nothing. */
export const improve = (store: Store, name: string, composition: Composition): Promise<boolean> =>
  store.transaction(async (tx) => {
    await tx.alone(note)
    const counts: Counts = await readCounts(tx.db)
    const before = await swappedIn(tx.db, name, composition)
    const other = new Set(toSwap(composition, counts[name], before).map((step) => step.name))
    if (other.size === 0) return false
    const now = stepsIn(composition).filter((step) => other.has(step.name) !== before.includes(step.name))
    const own = Object.fromEntries(now.map((step) => [step.name, step.otherwise]))
    await writeNote(tx, note, JSON.stringify({ ...(await readOrder(tx.db)), [name]: own } satisfies Order))
    return true
  })

/** Goes back to the order of compositions.yaml. False if it is that. */
export const undo = (store: Store, name: string): Promise<boolean> =>
  store.transaction(async (tx) => {
    await tx.alone(note)
    const { [name]: own, ...others } = await readOrder(tx.db)
    if (own === undefined) return false
    if (Object.keys(others).length === 0) await dropNote(tx, note)
    else await writeNote(tx, note, JSON.stringify(others))
    return true
  })
