import type { Config } from '../../config/config.ts'

/** The names that settings may mention. */
export interface NamesThere {
  config: Config
  tools: readonly string[]
  mayBe(tool: string): boolean
}

export interface UnknownName {
  path: PropertyKey[]
  /** `tool`, `MCP server`. */
  what: string
  name: string
  known: readonly string[]
  /** Of a rule, which would protect nothing: it keeps the bot from starting. */
  isRule?: boolean
}

/** What else is wrong with a name. */
export interface NameFault {
  path: PropertyKey[]
  message: string
  remedy: string
}

/** Whether a server that is added while the bot runs may have a tool of this name. */
export const mayBeAdded = (tool: string): boolean => /^mcp__[\w-]+?__[\w-]+$/.test(tool)
