import pLimit from 'p-limit'
import { parseJson } from '../domain/json.ts'
import type { Tool } from '../domain/tool.ts'
import type { OpenCall } from './journal.ts'
import { type SettleDeps, settle } from './settle.ts'

/**
 * The open calls of a step, at the same time, at most `atOnce` of them; those that touch one path in the order in which
 * the model asked for them. One failure never loses the others' results.
 */
export async function settleAll(calls: OpenCall[], deps: SettleDeps, atOnce: number): Promise<'settled' | 'waiting'> {
  const limit = pLimit(atOnce)
  const lastOnPath = new Map<string, Promise<unknown>>()
  const settling = calls.map((call) => {
    const paths = pathsOf(call, deps.findTool(call.name))
    const earlier = paths.flatMap((path) => lastOnPath.get(path) ?? [])
    const work = Promise.allSettled(earlier).then(() => limit(() => settle(call, deps)))
    for (const path of paths) lastOnPath.set(path, work)
    return work
  })
  const results = await Promise.allSettled(settling)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.some((result) => result.status === 'fulfilled' && result.value === 'waiting') ? 'waiting' : 'settled'
}

function pathsOf(call: OpenCall, tool: Tool | undefined): string[] {
  if (tool?.paths === undefined) return []
  try {
    const input = tool.input.parse(parseJson(call.arguments || '{}'))
    return tool.paths(input).map((path) => path.replace(/^(\.?\/)+/, ''))
  } catch {
    // Settling it will say what is wrong with the arguments.
    return []
  }
}
