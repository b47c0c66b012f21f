import type { Store } from '../../store/store.ts'
import { advice, type Counts, readCounts } from './counts.ts'
import type { Compositions } from './settings.ts'

/** `bobbin compositions`: what each is made of, and how it went. */
export async function compositionsTerminal(
  args: string[],
  settings: Compositions,
  open: () => Promise<Store | undefined>,
): Promise<number> {
  if (args.length > 0) {
    process.stderr.write('Usage: compositions\n')
    return 2
  }
  const store = await open()
  const counts: Counts = store === undefined ? {} : await readCounts(store.db)
  const lines = [...settings].flatMap(([name, { groups }]) => {
    const count = counts[name] ?? { done: 0, failed: 0, steps: {} }
    const steps = groups.flat().flatMap(({ name: step, tool, otherwise }) => {
      const [first, second] = count.steps[step] ?? []
      const line = (of: string, one = { done: 0, failed: 0 }) =>
        `    ${step}: ${of} – ${one.done} done, ${one.failed} failed`
      return [line(tool, first), ...(otherwise === undefined ? [] : [line(`otherwise ${otherwise.tool}`, second)])]
    })
    return [
      `${name}: ${count.done} done, ${count.failed} failed`,
      ...steps,
      ...advice(name, count, settings).map((sentence) => `    ${sentence}`),
    ]
  })
  process.stdout.write(`${lines.join('\n') || 'There are none. See config/compositions.yaml.'}\n`)
  return 0
}
