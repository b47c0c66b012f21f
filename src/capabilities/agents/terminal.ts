import type { Config } from '../../config/config.ts'
import { systemClock } from '../../kit/clock.ts'
import { dollarWords } from '../../kit/model/cost.ts'
import type { Store } from '../../store/store.ts'
import { settingsNow } from './changes.ts'
import { type AgentNumbers, countedDays, numbersOf, successRate } from './numbers.ts'
import type { AgentsSettings } from './settings.ts'
import { agentsWords } from './words.ts'

/**
 * `bobbin agents`: the agents and their numbers; `--tenant`: as they are in one Slack workspace or Discord server.
 * Works while the bot runs. Returns the exit code.
 */
export async function agentsTerminal(
  args: string[],
  { config, settings }: { config: Pick<Config, 'sections'>; settings: AgentsSettings },
  open: Open,
): Promise<number> {
  const [flag, tenant, ...more] = args
  if (more.length > 0 || (flag !== undefined && (flag !== '--tenant' || !tenant))) {
    process.stderr.write(`${agentsWords.usage()}\n`)
    return 2
  }
  const store = await open()
  const numbers = store === undefined ? [] : await numbersOf(store.db, systemClock.now())
  const { agents } = store === undefined ? settings : await settingsNow(config, store, tenant)
  const names = new Set([...agents.keys(), ...numbers.map(({ agent }) => agent)])
  process.stdout.write(`${agentsWords.lastDays({ countedDays })}\n`)
  for (const name of names) {
    const agent = agents.get(name)
    const marks = [
      ...(agent === undefined ? [agentsWords.agentLeftConfig()] : []),
      ...(agent?.isOn === false ? [agentsWords.isOff()] : []),
      ...(agent?.isHidden ? [agentsWords.isHidden()] : []),
    ]
    const own = numbers.find((one) => one.agent === name)
    process.stdout.write(`${name.padEnd(14)}  ${own === undefined ? agentsWords.noRuns() : words(own)}`)
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
