import { createHash } from 'node:crypto'
import type { ListedTool } from './port.ts'

/** A tool as it was when people first got it, or last agreed to a change. */
export interface KnownTool extends ListedTool {
  /**
   * Covers everything that the server said of it. Empty if it may have been another tool before, which isn't known.
   */
  hash: string
  /** The server no longer lists it. */
  gone?: boolean
  /** The server says something else of it now, and nobody has agreed to that. */
  changed?: ListedTool & { hash: string }
}

/** What is known of a server, kept from start to start, so that its tools can be offered before it runs. */
export interface Known {
  /** Covers what the operator configured. With another command or address, everything is new. */
  identity: string
  /** In the order in which they were found. */
  tools: KnownTool[]
  /** Some tools that were gone aren't remembered any more. */
  forgot?: true
}

export const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** How much is remembered of a server, with the tools that are gone. */
export interface Remembered {
  tools: number
  bytes: number
}

const withHash = (tool: ListedTool) => ({ ...tool, hash: hashOf(tool) })

/** People may have allowed an earlier tool of this name for good, so they are asked before this one is called. */
const maybeAnother = (tool: ListedTool & { hash: string }): KnownTool => ({ ...tool, hash: '', changed: tool })

/**
 * What is known after a server listed its tools. A tool keeps its place and its description; a change is noted and
 * waits for a person, and a tool that is gone stays for the threads that were offered it, as long as there aren't too
 * many of them. Once any were forgotten, one that is added may be one of them that has changed. Returns `known` itself
 * if nothing is new.
 */
export function learn(
  known: Known | undefined,
  identity: string,
  listed: readonly ListedTool[],
  most: Remembered,
): Known {
  if (known === undefined || known.identity !== identity) return { identity, tools: listed.map(withHash) }
  const now = new Map(listed.map((tool) => [tool.name, withHash(tool)]))
  const tools = known.tools.map((tool) => seenAgain(tool, now.get(tool.name)))
  const names = new Set(known.tools.map(({ name }) => name))
  const unknown = [...now.values()].filter(({ name }) => !names.has(name))
  const added = known.forgot ? unknown.map(maybeAnother) : unknown
  const isSame = added.length === 0 && tools.every((tool, place) => tool === known.tools[place])
  if (isSame) return known
  const all = [...tools, ...added]
  const kept = withFewGone(all, most)
  return { identity, tools: kept, ...((known.forgot || kept.length < all.length) && { forgot: true }) }
}

/**
 * A server that lists other tools each time would fill the memory with those that are gone: the first ones are
 * forgotten.
 */
function withFewGone(tools: KnownTool[], most: Remembered): KnownTool[] {
  const sizes = new Map(tools.map((tool) => [tool, JSON.stringify(tool).length]))
  let count = tools.length
  let bytes = sizes.values().reduce((sum, size) => sum + size, 0)
  return tools.filter((tool) => {
    if (!tool.gone || (count <= most.tools && bytes <= most.bytes)) return true
    count--
    bytes -= sizes.get(tool) ?? 0
    return false
  })
}

function seenAgain(tool: KnownTool, now: (ListedTool & { hash: string }) | undefined): KnownTool {
  const { gone = false, changed, ...plain } = tool
  if (now === undefined) return gone ? tool : { ...tool, gone: true }
  if (now.hash === tool.hash) return gone || changed !== undefined ? plain : tool
  if (!gone && changed?.hash === now.hash) return tool
  return { ...plain, changed: now }
}

/**
 * What a workspace knows of its own server, from what was known of the server elsewhere and what its own has listed. It
 * isn't told what was said elsewhere of a tool; but people may have allowed that one.
 */
export const asFirstHeard = (known: Known): Known => ({
  ...known,
  tools: known.tools.map((tool) => (tool.gone || !tool.changed ? tool : maybeAnother(tool.changed))),
})

/** A person agreed to a call of a tool that had changed. */
export function agreeTo(known: Known, name: string, hash: string): Known {
  const tools = known.tools.map((tool) => (tool.name === name && tool.changed?.hash === hash ? tool.changed : tool))
  return { ...known, tools }
}
