import { refuseMoved } from '../../store/moved.ts'
import type { Store } from '../../store/store.ts'
import { type Count, type Counts, readCounts, type Tally, talliesOf } from './counts.ts'
import { improve, inOrder, swappedIn, toSwap, undo } from './order.ts'
import type { Composition, Compositions } from './settings.ts'
import { compositionsWords } from './words.ts'

type Open = () => Promise<Store | undefined>

const say = (...lines: string[]) => void process.stdout.write(`${lines.join('\n')}\n`)

/**
 * `bobbin compositions`: what each is made of, and how it went; `improve`: the order of tools and fall-backs that the
 * counts suggest, and taking it. Works while the bot runs. Returns the exit code.
 */
export async function compositionsTerminal(args: string[], settings: Compositions, open: Open): Promise<number> {
  const [action, name, how, ...more] = args
  if (action === undefined) return list(settings, await open())
  const isKnown = how === undefined || how === '--yes' || how === '--undo'
  if (action !== 'improve' || name === undefined || !isKnown || more.length > 0) {
    process.stderr.write(`${compositionsWords.usage()}\n`)
    return 2
  }
  const composition = settings.get(name)
  if (composition === undefined) {
    process.stderr.write(`${compositionsWords.noComposition({ name })}\n`)
    return 1
  }
  const store = await open()
  if (how !== undefined && store !== undefined) await refuseMoved(store.db)
  if (how !== '--undo') return better({ name, composition, take: how === '--yes' }, store)
  const isUndone = store !== undefined && (await undo(store, name))
  say(isUndone ? compositionsWords.undone({ name }) : compositionsWords.inTheFile({ name }))
  return 0
}

async function list(settings: Compositions, store: Store | undefined): Promise<number> {
  const counts: Counts = store === undefined ? {} : await readCounts(store.db)
  if (settings.size === 0) say(compositionsWords.none())
  for (const [name, composition] of settings) {
    const swapped = store === undefined ? [] : await swappedIn(store.db, name, composition)
    const advice = toSwap(composition, counts[name], swapped).map(({ tool, otherwise }) =>
      compositionsWords.worksBetter({ name, tool, otherwise: otherwise?.tool ?? '' }),
    )
    say(
      compositionsWords.chain({ name, tally: tally(counts[name] ?? { done: 0, failed: 0 }) }),
      ...steps(composition, counts[name], swapped),
      ...[...(swapped.length > 0 ? [compositionsWords.swapped()] : []), ...advice].map(indented),
    )
  }
  return 0
}

/** Shows the present and the improved order, and takes it. */
async function better(
  { name, composition, take }: { name: string; composition: Composition; take: boolean },
  store: Store | undefined,
): Promise<number> {
  const count = store && (await readCounts(store.db))[name]
  const before = store === undefined ? [] : await swappedIn(store.db, name, composition)
  const other = toSwap(composition, count, before).map((step) => step.name)
  if (store === undefined || other.length === 0) {
    say(compositionsWords.nothingBetter({ name }))
    return 0
  }
  const after = [...before.filter((one) => !other.includes(one)), ...other.filter((one) => !before.includes(one))]
  say(compositionsWords.now(), ...steps(composition, count, before))
  say(compositionsWords.improved(), ...steps(composition, count, after))
  const isTaken = take && (await improve(store, name, composition))
  say(isTaken ? compositionsWords.taken({ name }) : compositionsWords.takeIt())
  return 0
}

/** A line for each tool and fall-back, in the order in which they are tried. */
const steps = (composition: Composition, count: Count | undefined, swapped: string[]): string[] =>
  inOrder(composition, swapped)
    .groups.flat()
    .flatMap(({ name: step, tool, otherwise }) => {
      const [first, second] = talliesOf(count, step, swapped.includes(step))
      const line = compositionsWords.call({ step, tool, tally: tally(first) })
      if (otherwise === undefined) return [line]
      return [line, compositionsWords.otherwise({ step, tool: otherwise.tool, tally: tally(second) })]
    })
    .map(indented)

const indented = (line: string): string => `    ${line}`

const tally = ({ done, failed }: Tally): string => compositionsWords.tally({ done, failed })
