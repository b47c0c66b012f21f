import type { Config } from '../../config/config.ts'
import { systemClock } from '../../kit/clock.ts'
import { dollarWords } from '../../kit/model/cost.ts'
import type { Store } from '../../store/store.ts'
import { settingsNow } from './changes.ts'
import { type AgentNumbers, countedDays, numbersOf, successRate } from './numbers.ts'
import type { AgentsSettings } from './settings.ts'
import { agentsWords } from './words.ts'

/** `bobbin agents`: the agents and their numbers. Works while the bot runs. Returns the exit code. */
export async function agentsTerminal(
  args: string[],
  { config, settings }: { config: Pick<Config, 'sections'>; settings: AgentsSettings },
  open: Open,
): Promise<number> {
  if (args.length > 0) {
    process.stderr.write('Usage: agents\n')
    return 2
  }
  const store = await open()
  const numbers = store === undefined ? [] : await numbersOf(store.db, systemClock.now())
  const { agents } = store === undefined ? settings : await settingsNow(config, store)
  const names = new Set([...agents.keys(), ...numbers.map(({ agent }) => agent)])
  process.stdout.write(`${agentsWords.lastDays({ countedDays })}\n`)
  for (const name of names) {
    const agent = agents.get(name)
    const marks = [
      ...(agent === undefined ? ['no longer configured'] : []),
      ...(agent?.isOn === false ? ['switched off'] : []),
      ...(agent?.isHidden ? ['hidden'] : []),
    ]
    const own = numbers.find((one) => one.agent === name)
    process.stdout.write(`${name.padEnd(14)}  ${own === undefined ? 'no runs' : words(own)}`)
    process.stdout.write(marks.length === 0 ? '\n' : `  (${marks.join(', ')})\n`)
  }
  return 0
}

type Open = () => Promise<Store | undefined>

function words(numbers: AgentNumbers): string {
  const { runs, open, meanMs, nanos } = numbers
  const rate = successRate(numbers)
  const parts = [
    `${runs} ${runs === 1 ? 'run' : 'runs'}`,
    ...(open > 0 ? [`${open} still open`] : []),
    ...(rate === undefined ? [] : [`${Math.round(rate * 100)} % succeeded`, `${(meanMs / 1000).toFixed(1)} s each`]),
    dollarWords(nanos),
  ]
  return parts.join(', ')
}
