import { z } from 'zod'
import { newId } from '../../domain/ids.ts'
import type { Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { handedTo, noteRun } from '../../store/agents.ts'
import { insertOutbox } from '../../store/outbox.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Capability } from '../../turn/capability.ts'
import { byWords } from './by-words.ts'
import { change } from './change.ts'
import { checksOf } from './checks.ts'
import { agentsCommand } from './commands.ts'
import { type AgentsContext, handOver, handOverTools } from './hand-over.ts'
import { agentOfTransfer, transferBack } from './names.ts'
import { sectionOf } from './prompt.ts'
import { type AgentsSettings, agentNamed, agentsOn, agentsSection, settingsFor } from './settings.ts'
import { agentsOf, narrowingOf } from './stack.ts'

/** The same list as long as the configuration is the same. */
const toolsFor = new WeakMap<AgentsSettings, readonly Tool[]>()

/** The turns of which it was noted which agent they began with. */
const noted = new WeakSet<StoredTurn>()

interface Why {
  words: string[]
}

/** Agents: ways of working that a person, or another agent, gives a thread to. They only narrow what it has. */
export const agents: Capability<AgentsSettings> = {
  name: 'agents',
  title: 'Agents',
  settings: agentsSection,
  found({ config }) {
    const settings = settingsFor(config)
    const tools = toolsFor.get(settings) ?? handOverTools(settings)
    toolsFor.set(settings, tools)
    return tools
  },
  mayFind: (name, settings) => name === transferBack || agentNamed(settings, agentOfTransfer(name)) !== undefined,
  context: (turn, call, settings): AgentsContext => ({
    handOver: (tool, why) => handOver(tool, why, call, turn, settings),
  }),
  prompt(session, { mentioned }, settings) {
    const [named] = mentioned
    const agent = named === undefined ? agentsOf(session, settings).at(-1) : agentNamed(settings, named)
    return agent === undefined ? [] : [sectionOf(agent)]
  },
  names: async (_session, _bot, settings) => agentsOn(settings).map(({ name }) => name),
  async implied(text, session, _bot, settings) {
    if (!settings.byWords || agentsOf(session, settings).length > 0) return []
    const match = byWords(text, settings)
    return match === undefined ? [] : [{ name: match.agent.name, why: { words: match.words } satisfies Why }]
  },
  async named(tx, session, [first], { bot, turn }) {
    if (first === undefined) return
    const { stack = [], chosen } = (await handedTo(tx, session)) ?? {}
    if (chosen && stack.length === 1 && stack[0] === first.name) return
    const words = (first.why as Why | undefined)?.words.map((word) => `“${word}”`).join(', ')
    const because = words === undefined ? '' : `, because of ${words}`
    const text = `**${first.name}** has this thread now${because}. \`agents off\` gets me back.`
    await change(tx, { session, turn, stack: [first.name], chosen: true }, settingsFor(bot.config))
    const payload = { text, files: [] }
    await insertOutbox(tx, { key: newId('msg', tx.now), session, turn: undefined, kind: 'answer', payload })
  },
  narrows: narrowingOf,
  mayCall(tool, turn, input) {
    const skill = tool.skillOf?.(input as never)
    if (skill === undefined) return
    const all = agentsOf(turn.session, settingsFor(turn.bot.config))
    const without = all.find(({ skills }) => skills !== undefined && !skills.includes(skill))
    if (without === undefined) return
    const fact = `The agent ${without.name} doesn’t use the skill ${skill}.`
    throw new Failure('not_allowed', fact, `It uses: ${without.skills?.join(', ') || 'none'}.`)
  },
  async beforeModel(_, { bot, session, row, lease }) {
    const { agents: handed } = session
    if (handed === undefined || handed.stack.length === 0 || handed.turn === row.id) return undefined
    if (lease === undefined || noted.has(row)) return undefined
    noted.add(row)
    const agent = agentsOf(session, settingsFor(bot.config)).at(-1)
    if (agent === undefined) return undefined
    const run = { session: session.id, turn: row.id, place: 0, agent: agent.name, version: agent.version }
    await bot.store.fenced(lease, (tx) => noteRun(tx, run))
    return undefined
  },
  commandsOf: (bot, settings) => [agentsCommand(bot, settings)],
  events: { taken_over: z.object({ agent: z.string(), stack: z.array(z.string()) }) },
  standing: (_, settings) => async (session) => {
    const agent = agentsOf(session, settings).at(-1)
    return agent === undefined ? [] : [`Agent: ${agent.name}`]
  },
  routesAt: 'agents',
  operations: async () => (await import('./operations.ts')).agentOperations,
  routes: (bot) => async (request) => (await import('./routes.ts')).answerRoute(request, bot),
  terminal: async (args, _, settings, open) => (await import('./terminal.ts')).agentsTerminal(args, settings, open),
  checks: checksOf,
}
