import { dollarsOf } from '../../kit/model/cost.ts'
import { agentRuns } from '../../store/agents.ts'
import type { Services } from '../../turn/capability.ts'
import { type AgentNumbers, countedDays, numbersOf, outcomeOf, successRate, workedMs } from './numbers.ts'
import { type Agent, settingsFor } from './settings.ts'
import { agentsWords } from './words.ts'

const mostListed = 50

/** `/api/v1/agents`: the agents with their numbers; `/api/v1/agents/<name>`: one with its latest runs. */
export async function answerRoute(request: Request, { config, store, clock }: Services): Promise<Response> {
  const [name, more] = new URL(request.url).pathname.split('/api/v1/agents')[1]?.split('/').filter(Boolean) ?? []
  if (request.method !== 'GET') return problem(405, 'not_allowed', agentsWords.useGet())
  const { agents } = settingsFor(config)
  const numbers = new Map((await numbersOf(store.db, clock.now())).map((one) => [one.agent, one]))
  if (name === undefined) {
    const shown = [...agents.values()].map((agent) => shape(agent, numbers.get(agent.name)))
    return Response.json({ days: countedDays, agents: shown })
  }
  const agent = agents.get(name)
  if (agent === undefined || more !== undefined) return problem(404, 'no_agent', agentsWords.noAgentCalled({ name }))
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
  return Response.json({ ...shape(agent, numbers.get(name)), latest })
}

function shape(agent: Agent, numbers: AgentNumbers | undefined) {
  const { name, description, version, isOn, isHidden, slot, tools, skills, servers, steps, triggers } = agent
  return {
    ...{ name, description, version, is_disabled: !isOn, is_hidden: isHidden },
    ...{ model: slot ?? null, tools: tools ?? null, skills: skills ?? null, mcp_servers: servers ?? null },
    ...{ steps, triggers },
    ...(numbers === undefined ? { runs: 0 } : told(numbers)),
  }
}

const told = (numbers: AgentNumbers) => ({
  ...{ runs: numbers.runs, succeeded: numbers.succeeded, failed: numbers.failed, stopped: numbers.stopped },
  open: numbers.open,
  success_rate: successRate(numbers) ?? null,
  mean_ms: numbers.meanMs,
  usd: dollarsOf(numbers.nanos),
  last_at: new Date(numbers.lastAt).toISOString(),
})

const problem = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message, remedy: '' } }, { status })
