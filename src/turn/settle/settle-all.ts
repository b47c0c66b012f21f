import pLimit from 'p-limit'
import { sameCall } from '../../domain/messages.ts'
import { parseJson } from '../../kit/json.ts'
import { pathsNamed } from '../../trust/paths-written.ts'
import { inWorkspace, tablePath } from '../../workspace/table-path.ts'
import type { OpenCall, Settled } from '../port/calls.ts'
import type { Turn } from '../state/turn.ts'
import { refuseToEnd, settle } from './settle.ts'

/**
 * Settles the open calls of a step, at most `agent.parallel_calls` at the same time. Calls that touch the same path or
 * ask for the same thing run in the order the model asked for them, so if one needs a person, the later ones wait. A
 * call that ends the turn comes last. If one fails, the others' results are kept.
 */
export async function settleAll(calls: OpenCall[], turn: Turn): Promise<'settled' | 'waiting'> {
  const limit = pLimit(turn.bot.config.agent.parallelCalls)
  const lastOn = new Map<string, Promise<Settled>>()
  const isEnd = (call: OpenCall) => turn.findTool(call.name)?.kind === 'end'

  const others = calls
    .filter((call) => !isEnd(call))
    .map((call) => {
      const keys = [`call ${sameCall(call)}`, ...pathsOf(call, turn).map((path) => `path ${path}`)]
      const earlier = keys.flatMap((key) => lastOn.get(key) ?? [])
      const work = after(earlier, () => limit(() => settle(call, turn)))
      for (const key of keys) lastOn.set(key, work)
      return work
    })
  const ends = calls
    .filter(isEnd)
    .map((call) => after(others, (results) => (results.every(isDone) ? settle(call, turn) : refuseToEnd(call, turn))))
  const results = await Promise.allSettled([...others, ...ends])
  throwRejected(results)
  if (!results.some(isWaiting)) return 'settled'
  if (results.every(isWaiting)) return 'waiting'
  // A child that another one's end was waited for may begin now.
  const ordered = [...calls.filter((call) => !isEnd(call)), ...calls.filter(isEnd)]
  const waiting = ordered.filter((_, place) => results[place] !== undefined && isWaiting(results[place]))
  const later = waiting.filter(({ name, state }) => state === 'proposed' && turn.findTool(name)?.kind === 'child')
  const rest = later.length === 0 ? 'settled' : await settleAll(later, turn)
  return later.length < waiting.length ? 'waiting' : rest
}

type Result = PromiseSettledResult<Settled>

async function after(earlier: Promise<Settled>[], work: (results: Result[]) => Promise<Settled>): Promise<Settled> {
  const results = await Promise.allSettled(earlier)
  // They are tried again, and come first again.
  throwRejected(results)
  return results.some(isWaiting) ? 'waiting' : work(results)
}

function throwRejected(results: Result[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

const isWaiting = (result: Result): boolean => result.status === 'fulfilled' && result.value === 'waiting'
const isDone = (result: Result): boolean => result.status === 'fulfilled' && result.value === 'done'

function pathsOf(call: OpenCall, turn: Turn): string[] {
  const tool = turn.findTool(call.name)
  if (tool === undefined) return []
  try {
    const input = tool.input.parse(parseJson(call.arguments || '{}'))
    // The files a call runs count as its paths, like those it reads or writes.
    const inspection = tool.inspect?.(input)
    const { runs = [], alongside = [] } = inspection ?? {}
    const named = inspection === undefined ? [] : pathsNamed(inspection)
    const all = [...(tool.paths?.(input) ?? []), ...runs, ...alongside.map(({ path }) => path), ...named]
    return all.map((path) => tablePath(turn.workspace, inWorkspace(path)))
  } catch {
    // Settling the call will report what is wrong with its arguments.
    return []
  }
}
