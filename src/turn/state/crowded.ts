import type { Tool } from '../../domain/tool.ts'
import { leftToLoad, mostTools } from '../port/most-tools.ts'

const isOwn = ({ server }: Tool): boolean => server === undefined

/**
 * The tools of servers for which a request has no room beside the bot's own: models are told their names, and load
 * them. The servers with the fewest tools come first, so that a large one doesn't take the room of the others.
 */
export function crowdedOut(
  usable: readonly Tool[],
  isAlways: (tool: Tool) => boolean,
  isChosen: (tool: Tool) => boolean,
): Set<Tool> {
  const there = usable.filter(({ retired }) => !retired)
  // Even with all that can be loaded.
  if (there.length <= mostTools) return new Set()
  const described = there.filter(isAlways)
  const others = described.filter((tool) => !isOwn(tool))
  const room = mostTools - leftToLoad - (described.length - others.length)
  const servers = Object.values(Object.groupBy(others, ({ server = '' }) => server))
  const inOrder = servers.toSorted((a = [], b = []) => a.length - b.length).flatMap((tools = []) => tools)
  const ranked = [...inOrder.filter(isChosen), ...inOrder.filter((tool) => !isChosen(tool))]
  return new Set(ranked.slice(Math.max(0, room)))
}

/**
 * Those of a thread's tools that a request has room for: what every thread has, then what this one has `loaded`, then
 * what it has only because it was offered that before.
 */
export function withRoom(always: readonly Tool[], loaded: readonly Tool[], before: readonly Tool[]): Set<Tool> {
  const first = [...always, ...loaded].filter(({ retired }) => !retired)
  const ranked = [...first.filter(isOwn), ...first.filter((tool) => !isOwn(tool)), ...before, ...always, ...loaded]
  return new Set([...new Set(ranked)].slice(0, mostTools))
}
