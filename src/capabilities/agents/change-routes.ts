import { z } from 'zod'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import { nearestName } from '../../kit/nearest.ts'
import { fitsName } from '../../kit/patterns/name.ts'
import { problem } from '../../turn/port/problem.ts'
import type { Services } from '../../turn/port/scope.ts'
import { mayBeAdded } from '../../turn/port/unknown-names.ts'
import { byWords } from './by-words.ts'
import { changeAgent, whereFrom } from './changes.ts'
import { takeUpChanges } from './end-gone.ts'
import { isHandOver } from './names.ts'
import {
  type Agent,
  type AgentsSettings,
  agentName,
  agentNamed,
  agentRules,
  inTenant,
  settingsFor,
} from './settings.ts'
import { agentsWords } from './words.ts'

const keys = z.record(z.string(), z.json())
const named = keys.and(z.object({ name: agentName }))
const matchBody = z.strictObject({ message: z.string().min(1) })

/**
 * The tenant that a request is about; undefined: all of them. An empty name, as a script may send it, means neither.
 */
export function tenantIn({ url }: Request): string | undefined {
  const tenant = new URL(url).searchParams.get('tenant_id')
  if (tenant === '') throw new Failure('bad_tenant', agentsWords.emptyTenant(), agentsWords.everyTenantRemedy())
  return tenant ?? undefined
}

const settingsThere = ({ config }: Services, tenant: string | undefined): AgentsSettings =>
  tenant === undefined ? settingsFor(config) : inTenant(settingsFor(config), { tenant })

/** Adds and changes agents, and says which of them a message would choose. Undefined if there is no such operation. */
export async function changeRoute(
  request: Request,
  [name, action]: (string | undefined)[],
  bot: Services,
): Promise<Response | undefined> {
  const tenant = tenantIn(request)
  const settings = settingsThere(bot, tenant)
  const { method } = request
  if (method === 'POST' && name === 'match' && action === undefined)
    return Response.json(matched((await bodyOf(request, matchBody)).message, settings))
  if (method === 'POST' && name === undefined) {
    if (tenant !== undefined) return problem(400, 'bad_agent', agentsWords.addedEverywhereRemedy())
    const { name: own, ...rest } = await bodyOf(request, named)
    if (settings.agents.has(own)) return problem(409, 'exists', agentsWords.thereIsOne({ name: own }))
    if (isTool(own, bot)) return meansTool(own)
    return changed(bot, own, rest, undefined, 201)
  }
  if (name === undefined || method === 'GET') return undefined
  // What was changed can be taken back even if there is no such agent any more.
  const isKnown = settings.agents.has(name) || (await whereFrom(bot.config, bot.store, tenant))(name).from !== 'file'
  if (method === 'DELETE' && action === undefined && isKnown) return changed(bot, name, undefined, tenant)
  if (!settings.agents.has(name)) return problem(404, 'no_agent', agentsWords.unknownAgent({ name }))
  if (method === 'POST' && action === 'invoke') return isTool(name, bot) ? meansTool(name) : invited(name, settings)
  if (method === 'POST' && (action === 'enable' || action === 'disable'))
    return changed(bot, name, { enabled: action === 'enable' }, tenant)
  if (action !== undefined) return undefined
  if (method === 'PATCH') return changed(bot, name, await bodyOf(request, keys), tenant)
  return undefined
}

/** Also one that is switched off: people who write its name are told so. */
function isTool(name: string, { toolbox, config }: Services): boolean {
  const off = Object.keys(config.tiers).filter((tool) => config.tiers[tool]?.enabled === false)
  return [...toolbox.all.map((tool) => tool.name), ...off].some((tool) => fitsName(name, tool))
}

/** Servers’ tools, and hand-overs to agents, come and go. */
const mayCome = (name: string, { mayFind }: Services): boolean =>
  (name.endsWith('*') ? name.startsWith('mcp__') : mayBeAdded(name)) || isHandOver(name) || mayFind(name)

/** A rule for a tool that doesn’t exist would protect nothing. */
function checkRules(agent: string, rules: Agent['rules'], bot: Services): void {
  const names = [...rules.ask, ...Object.keys(rules.deny)]
  const unknown = names.find((name) => !mayCome(name, bot) && !isTool(name, bot))
  if (unknown === undefined) return
  const tools = bot.toolbox.all.map(({ name }) => name)
  const meant = nearestName(unknown, tools)
  const remedy = meant === undefined ? `There are: ${tools.join(', ')}.` : agentsWords.misspeltRemedy({ meant })
  throw new Failure('bad_agent', agentsWords.noSuchTool({ agent, tool: unknown }), remedy)
}

const meansTool = (name: string): Response =>
  problem(409, 'name_taken', `${agentsWords.meansTool({ name })}.`, agentsWords.meansToolRemedy())

/** Whether a message can be given to an agent: the interface takes the message itself. */
const invited = (name: string, settings: AgentsSettings): Response =>
  agentNamed(settings, name) === undefined
    ? problem(409, 'switched_off', agentsWords.agentOff({ name }), agentsWords.agentOffRemedy())
    : new Response(null, { status: 204 })

/** What words choose: meaning is compared only in a turn, where it is paid for. */
function matched(text: string, settings: AgentsSettings) {
  const found = byWords(text, settings)
  const choice = found && { name: found.choice.name, how: found.choice.how, agents: found.choice.agents }
  return { choice: choice ?? null, words: found?.words ?? [], by_meaning: found === undefined && settings.byMeaning }
}

async function changed(
  bot: Services,
  name: string,
  entry: JsonObject | undefined,
  tenant?: string,
  status = 200,
): Promise<Response> {
  // `null` takes away what the file says.
  const isEnabled = (entry?.enabled === true || entry?.enabled === null) && entry.rules === undefined
  const { rules } = isEnabled ? (settingsThere(bot, tenant).agents.get(name) ?? {}) : (entry ?? {})
  const fitting = agentRules.safeParse(rules).data
  if (fitting !== undefined) checkRules(name, fitting, bot)
  await changeAgent(bot, name, entry, tenant)
  await takeUpChanges(bot)
  const isThere = settingsFor(bot.config).agents.has(name)
  return isThere ? Response.json({ name }, { status }) : new Response(null, { status: 204 })
}

async function bodyOf<Body>(request: Request, schema: z.ZodType<Body>): Promise<Body> {
  const parsed = schema.safeParse(await request.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Failure('bad_agent', [issue?.path.join('.'), issue?.message].filter(Boolean).join(': '), '')
}
