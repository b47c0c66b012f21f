import { z } from 'zod'
import type { Tool } from '../../domain/tool.ts'
import { findSession } from '../../store/sessions.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { delegating } from '../../turn/port/mentions.ts'
import { byMeaning } from './by-meaning.ts'
import { byWords } from './by-words.ts'
import { checksOf } from './checks.ts'
import { agentsCommand } from './commands.ts'
import { continueRoute } from './continue.ts'
import { dropGone } from './drop-gone.ts'
import { takeUpChanges } from './end-gone.ts'
import { type AgentsContext, handOver, handOverTools } from './hand-over.ts'
import { mayGiveTo, mayUse } from './may.ts'
import { namedBy, namedIn, takenBy } from './named.ts'
import { agentOfTransfer, transferBack } from './names.ts'
import { noteFirst } from './note-first.ts'
import { catalogue, remindersOf, sectionOf } from './prompt.ts'
import { isRouted, nextCalls } from './routed.ts'
import {
  type AgentsSettings,
  agentNamed,
  agentsOn,
  agentsSection,
  inTenant,
  keepSettings,
  onAnywhere,
  settingsFor,
} from './settings.ts'
import { agentsOf, narrowingOf } from './stack.ts'
import { unknownIn } from './unknown.ts'

/** The same list as long as the agents are the same. */
const toolsFor = new WeakMap<AgentsSettings['agents'], readonly Tool[]>()

/** How often to look what other processes have changed, ms, in case they couldn't tell this one. */
const followMs = 60_000

/** Agents: ways of working that a person, or another agent, gives a thread to. They only narrow what it has. */
export const agents: Capability<AgentsSettings> = {
  name: 'agents',
  title: 'Agents',
  settings: agentsSection,
  unknownNames: unknownIn,
  async start(bot, settings) {
    keepSettings(bot.config, settings)
    const follow = () => takeUpChanges(bot)
    await follow()
    if (bot.store.wire === undefined) return
    bot.store.whenChanged('agents', () => void follow())
    bot.often('what other processes change about agents', follow, followMs, { isOwn: true })
  },
  found({ config }) {
    const settings = settingsFor(config)
    const tools = toolsFor.get(settings.agents) ?? handOverTools({ ...settings, agents: onAnywhere(settings) })
    toolsFor.set(settings.agents, tools)
    return tools
  },
  foundBefore: async (_, settings) => handOverTools(settings),
  mayFind: (name, settings) => name === transferBack || agentNamed(settings, agentOfTransfer(name)) !== undefined,
  context: (turn, call, settings): AgentsContext => ({
    handOver: (tool, why) => handOver(tool, why, call, turn, inTenant(settings, turn.session.thread)),
  }),
  prompt(session, { mentioned }, everywhere) {
    const settings = inTenant(everywhere, session.thread)
    const on = agentsOf(session, settings)
    const taken = takenBy(mentioned, settings)
    const stack = taken === undefined ? on : [taken]
    const agent = stack.at(-1)
    const own = agent === undefined ? [] : [sectionOf(agent, stack, session)]
    return session.parent === undefined ? [...catalogue(settings), ...own] : own
  },
  names: async ({ parent, thread }, _bot, settings) =>
    parent === undefined ? [...delegating, ...agentsOn(inTenant(settings, thread)).map(({ name }) => name)] : [],
  async implied(text, session, _bot, everywhere) {
    const settings = inTenant(everywhere, session.thread)
    if (session.agents?.isOff || agentsOf(session, settings).length > 0) return []
    const match = byWords(text, settings)
    return match === undefined ? [] : [namedBy(match)]
  },
  async named(tx, session, named, about) {
    const settings = settingsFor(about.bot.config)
    const thread = (await findSession(tx.db, session))?.thread
    await namedIn(tx, session, named, about, thread === undefined ? settings : inTenant(settings, thread))
  },
  continued: continueRoute,
  narrows: (session, turn, settings) => narrowingOf(session, turn, inTenant(settings, session.thread)),
  async mayCall(tool, turn, input) {
    const settings = inTenant(settingsFor(turn.bot.config), turn.session.thread)
    // A subagent may begin long after the model was asked.
    if (tool.kind === 'child') await dropGone(turn, settings)
    mayUse(tool.skillOf?.(input as never), turn, settings)
    for (const { agent, skills = [] } of tool.handsOut?.(input as never) ?? []) {
      mayGiveTo(agent, turn, settings)
      for (const skill of skills) mayUse(skill, turn, settings, agent)
    }
  },
  async beforeModel(_, scope) {
    const settings = inTenant(settingsFor(scope.bot.config), scope.session.thread)
    await dropGone(scope, settings)
    await noteFirst(scope, settings)
    const found = await byMeaning(scope, settings)
    if (found !== undefined && found !== 'routed') return found
    return found === 'routed' || isRouted(scope.session, scope.row.id) ? nextCalls(scope) : undefined
  },
  reminders: async ({ bot, session, row }) =>
    remindersOf(session, row.id, inTenant(settingsFor(bot.config), session.thread)),
  commands: (bot, settings) => [agentsCommand(bot, settings)],
  events: { taken_over: z.object({ agent: z.string(), stack: z.array(z.string()) }) },
  standing: (_, settings) => async (session) => {
    const agent = agentsOf(session, inTenant(settings, session.thread)).at(-1)
    return agent === undefined ? [] : [`Agent: ${agent.name}`]
  },
  routesAt: 'agents',
  operations: async () => (await import('./operations.ts')).agentOperations,
  routes: (bot) => async (request) => (await import('./routes.ts')).answerRoute(request, bot),
  terminal: async (args, config, settings, open) =>
    (await import('./terminal.ts')).agentsTerminal(args, { config, settings }, open),
  checks: checksOf,
}
