import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { type SettingsSection, settingsIn } from '../../config/section.ts'
import { Failure } from '../../kit/failure.ts'
import { slotNames } from '../../kit/model/model.ts'
import { compileWildcard } from '../../kit/patterns/pattern.ts'
import { delegating } from '../../turn/port/mentions.ts'
import { agentsWords } from './words.ts'

export const agentName = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, agentsWords.nameForm())
const name = agentName
const toolName = z.string().min(1).max(128)

const wildcard = z.string().superRefine((source, context) => {
  try {
    compileWildcard(source)
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    context.addIssue({ code: 'custom', message: `${thrown.message} ${thrown.remedy}` })
  }
})

export const agentRules = z.strictObject({
  ask: z.array(toolName).default([]).describe('Tools that need approval each time; a * at the end matches any ending'),
  deny: z
    .record(toolName, z.array(wildcard).min(1))
    .default({})
    .describe('What is forbidden, by tool (a * at its end matches any ending), as in hitl_rules.yaml'),
})

const agent = z.strictObject({
  description: z.string().trim().min(1).max(300).describe('What it is for: people and other agents read it'),
  prompt: z.string().trim().min(1).max(20_000).describe('How it works, for the model'),
  model: z.enum(slotNames).optional().describe('The slot of its model; if unset, the model is chosen as usual'),
  tools: z
    .array(toolName)
    .optional()
    .describe('The tools it has; a * at the end matches any ending. If unset, all of the thread’s'),
  skills: z.array(z.string().min(1)).optional().describe('Skills it may load and run; if unset, all of them'),
  mcp_servers: z.array(z.string().min(1)).optional().describe('MCP servers whose tools it has; if unset, see tools'),
  max_tokens: z.int().min(1).default(4_096).describe('Of one reply; never more than its model’s own limit'),
  temperature: z.number().min(0).max(2).default(0.7),
  top_p: z.number().gt(0).max(1).optional(),
  steps: z.int().min(1).default(10).describe('Model calls in a turn; never more than agent.max_steps of bobbin.yaml'),
  triggers: z.array(z.string().trim().min(1)).default([]).describe('Words that choose it, if by_words is true'),
  transfers_to: z.array(name).optional().describe('Agents it may hand a thread to; if unset, all that aren’t hidden'),
  rules: agentRules.prefault({}).describe('Added to hitl_rules.yaml. They can’t allow anything'),
  enabled: z.boolean().default(true),
  hidden: z.boolean().default(false).describe('true: not listed, but still there for people who write @name'),
  version: z.union([z.string(), z.number()]).default('1').transform(String),
})

/** More agents for one request would mostly cost. */
const mostAtOnce = 5

const route = z
  .strictObject({
    for: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe('Which requests it is for; by_meaning compares them with it'),
    words: z.array(z.string().trim().min(1)).default([]).describe('Words that choose it'),
    how: z
      .enum(['one', 'parallel', 'chain', 'delegate'])
      .default('one')
      .describe(
        'one: the agent gets the thread; parallel: all work on it, and their results are joined; chain: each builds on the one before; delegate: the bot hands out parts to them',
      ),
    agents: z.array(name).min(1).max(mostAtOnce),
  })
  .superRefine(({ for: about, words, how, agents }, context) => {
    if (how === 'one' && agents.length > 1)
      context.addIssue({ code: 'custom', path: ['agents'], message: agentsWords.oneAgentOnly() })
    if (about === undefined && words.length === 0)
      context.addIssue({ code: 'custom', message: agentsWords.nothingChooses() })
  })

const schema = z
  .strictObject({
    hand_over: z.boolean().describe('true: the bot itself may hand a thread to an agent, before anybody named one'),
    by_words: z.boolean().describe('true: a message with an agent’s triggers chooses that agent'),
    by_meaning: z
      .boolean()
      .describe(
        'true: if no words choose, the meaning of a message does, by the embedding model if there is one, or else the base model',
      ),
    meaning_at_least: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('For the embedding model: how similar a message must be to what a route or agent is for'),
    routes: z.record(name, route).describe('Who works on which requests'),
    agents: z.record(name, agent),
  })
  .superRefine(({ agents, routes }, context) => {
    for (const [own, { agents: all }] of Object.entries(routes))
      for (const [place, other] of all.entries())
        if (!Object.hasOwn(agents, other)) {
          const path = ['routes', own, 'agents', place]
          context.addIssue({ code: 'custom', path, message: agentsWords.unknownAgentInRoute({ name: other }) })
        }
    for (const [own, { transfers_to = [] }] of Object.entries(agents)) {
      if (delegating.includes(own))
        context.addIssue({ code: 'custom', path: ['agents', own], message: agentsWords.meansElse({ name: own }) })
      for (const [place, other] of transfers_to.entries())
        if (!Object.hasOwn(agents, other)) {
          const path = ['agents', own, 'transfers_to', place]
          context.addIssue({ code: 'custom', path, message: agentsWords.unknownAgentInRoute({ name: other }) })
        }
    }
  })
  .transform(({ hand_over, by_words, by_meaning, meaning_at_least, routes, agents }) => ({
    handOver: hand_over,
    byWords: by_words,
    byMeaning: by_meaning,
    meaningAtLeast: meaning_at_least,
    routes: Object.entries(routes).map(([own, { for: about, ...one }]) => ({ name: own, about, ...one })),
    agents: new Map(Object.entries(agents).map(([own, one]) => [own, toAgent(own, one)])),
  }))

const toAgent = (own: string, one: z.infer<typeof agent>) => ({
  name: own,
  description: one.description,
  prompt: one.prompt,
  slot: one.model,
  tools: one.tools,
  skills: one.skills,
  servers: one.mcp_servers,
  sampling: {
    temperature: one.temperature,
    outputLimit: one.max_tokens,
    ...(one.top_p !== undefined && { topP: one.top_p }),
  },
  steps: one.steps,
  triggers: one.triggers,
  transfersTo: one.transfers_to,
  rules: one.rules,
  isOn: one.enabled,
  isHidden: one.hidden,
  version: one.version,
})

export type AgentsSettings = z.infer<typeof schema>
export type Agent = ReturnType<typeof toAgent>
export type Route = AgentsSettings['routes'][number]

export const agentsSection: SettingsSection<AgentsSettings> = { section: 'agents', file: 'agents.yaml', schema }

const parsed = new WeakMap<object, AgentsSettings>()

/** The settings of a bot, parsed once. */
export function settingsFor(config: Pick<Config, 'sections'>): AgentsSettings {
  const settings = parsed.get(config.sections) ?? settingsIn(config, agentsSection)
  parsed.set(config.sections, settings)
  return settings
}

/** From now on, `settingsFor` gives these, which change while the bot runs. */
export const keepSettings = (config: Pick<Config, 'sections'>, settings: AgentsSettings): void => {
  parsed.set(config.sections, settings)
}

/** By settings of a bot: those of the tenants for which something was changed. */
const tenantsOf = new WeakMap<AgentsSettings, ReadonlyMap<string, AgentsSettings>>()

export const keepTenants = (settings: AgentsSettings, tenants: ReadonlyMap<string, AgentsSettings>): void => {
  tenantsOf.set(settings, tenants)
}

/** The settings that hold in a tenant: a Slack workspace or a Discord server. */
export const inTenant = (settings: AgentsSettings, { tenant }: { tenant: string }): AgentsSettings =>
  tenantsOf.get(settings)?.get(tenant) ?? settings

/** Of all agents, those that are switched on somewhere. */
export function onAnywhere(settings: AgentsSettings): AgentsSettings['agents'] {
  const others = [...(tenantsOf.get(settings)?.values() ?? [])]
  return new Map(
    [...settings.agents].map(([own, agent]) => {
      const isOn = agent.isOn || others.some(({ agents }) => agents.get(own)?.isOn)
      return [own, { ...agent, isOn }]
    }),
  )
}

/** The one of this name, unless it is switched off. */
export function agentNamed({ agents }: AgentsSettings, wanted: string | undefined): Agent | undefined {
  const found = wanted === undefined ? undefined : agents.get(wanted)
  return found?.isOn ? found : undefined
}

/** Whether the bot itself may hand a thread to an agent before anybody named one. */
export const mayHandOver = ({ handOver, byMeaning }: AgentsSettings): boolean => handOver || byMeaning

export const agentsOn = ({ agents }: AgentsSettings): Agent[] => [...agents.values()].filter(({ isOn }) => isOn)
