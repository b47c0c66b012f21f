import { Failure } from '../../kit/failure.ts'
import { dollarsOf } from '../../kit/model/cost.ts'
import { agentRuns } from '../../store/agents.ts'
import { tenantsOf } from '../../store/tenants.ts'
import { problem } from '../../turn/port/problem.ts'
import type { Services } from '../../turn/port/scope.ts'
import { changeRoute, tenantIn } from './change-routes.ts'
import { whereFrom } from './changes.ts'
import { type AgentNumbers, countedDays, numbersOf, outcomeOf, successRate, workedMs } from './numbers.ts'
import { type Agent, type AgentsSettings, inTenant, settingsFor } from './settings.ts'
import { agentsWords } from './words.ts'

const mostListed = 50

/**
 * `/api/v1/agents`: the agents with their numbers; `/api/v1/agents/<name>`: one with its latest runs; and changing
 * them.
 */
export async function answerRoute(request: Request, bot: Services): Promise<Response> {
  const path = new URL(request.url).pathname.split('/api/v1/agents')[1]?.split('/').filter(Boolean) ?? []
  const [name, more] = path.map(decodeURIComponent)
  try {
    if (request.method === 'GET' && more === undefined)
      return await (name === undefined ? list(bot, tenantIn(request)) : one(name, bot, tenantIn(request)))
    const answer = await changeRoute(request, [name, more], bot)
    return answer ?? problem(405, 'not_allowed', agentsWords.noSuchOperation())
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return problem(thrown.code === 'no_change' ? 409 : 400, thrown.code, thrown.message, thrown.remedy)
  }
}

async function list({ config, store, clock }: Services, tenant?: string): Promise<Response> {
  const settings = settingsIn(config, tenant)
  const from = await whereFrom(config, store, tenant)
  const numbers = new Map((await numbersOf(store.db, clock.now())).map((all) => [all.agent, all]))
  const shown = [...settings.agents.values()].map((agent) => ({
    ...shape(agent, numbers.get(agent.name)),
    ...from(agent.name),
  }))
  const tenants = (await tenantsOf(store.db)).map((one) => ({ platform: one.platform, tenant_id: one.tenant }))
  return Response.json({ days: countedDays, agents: shown, routing: routingIn(settings), tenants })
}

const settingsIn = (config: Services['config'], tenant: string | undefined): AgentsSettings =>
  tenant === undefined ? settingsFor(config) : inTenant(settingsFor(config), { tenant })

const routingIn = ({ byWords, byMeaning, handOver, routes }: AgentsSettings) => ({
  by_words: byWords,
  by_meaning: byMeaning,
  hand_over: handOver,
  routes: routes.map(({ name, about = null, words, how, agents }) => ({ name, for: about, words, how, agents })),
})

async function one(name: string, { config, store, clock }: Services, tenant?: string): Promise<Response> {
  const agent = settingsIn(config, tenant).agents.get(name)
  if (agent === undefined) return problem(404, 'no_agent', agentsWords.unknownAgent({ name }))
  const from = await whereFrom(config, store, tenant)
  const numbers = (await numbersOf(store.db, clock.now())).find((all) => all.agent === name)
  const since = clock.now() - countedDays * 86_400_000
  const runs = await agentRuns(store.db, { since, agent: name, limit: mostListed })
  const latest = runs.map((run) => ({
    conversation_id: run.session,
    version: run.version,
    started_at: new Date(run.startedAt).toISOString(),
    ...(run.endedAt !== undefined && { worked_ms: workedMs(run) }),
    outcome: outcomeOf(run),
    usd: dollarsOf(run.nanos),
  }))
  const { prompt, transfersTo = null, sampling } = agent
  const more = {
    prompt,
    transfers_to: transfersTo,
    temperature: sampling.temperature,
    max_tokens: sampling.outputLimit,
  }
  return Response.json({ ...shape(agent, numbers), ...more, ...from(name), latest })
}

function shape(agent: Agent, numbers: AgentNumbers | undefined) {
  const { name, description, version, isOn, isHidden, slot, tools, skills, servers, steps, triggers } = agent
  return {
    name,
    description,
    version,
    is_disabled: !isOn,
    is_hidden: isHidden,
    model: slot ?? null,
    tools: tools ?? null,
    skills: skills ?? null,
    mcp_servers: servers ?? null,
    steps,
    triggers,
    ...(numbers === undefined ? { runs: 0 } : told(numbers)),
  }
}

const told = (numbers: AgentNumbers) => ({
  runs: numbers.runs,
  succeeded: numbers.succeeded,
  failed: numbers.failed,
  stopped: numbers.stopped,
  open: numbers.open,
  success_rate: successRate(numbers) ?? null,
  mean_ms: numbers.meanMs,
  usd: dollarsOf(numbers.nanos),
  last_at: new Date(numbers.lastAt).toISOString(),
})
