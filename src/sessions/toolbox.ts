import { toDefinitions } from '../agent/request.ts'
import type { ToolDefinition } from '../domain/model.ts'
import type { Tool } from '../domain/tool.ts'

/** A tool's place in `config/tools.yaml`. */
export interface Tier {
  enabled: boolean
  always_available: boolean
  category: string
  tags: string[]
  description?: string
}

/** The tools of the bot: those that are always there, and those that come into a thread when a person names them. */
export interface Toolbox {
  /** All that are enabled. */
  all: Tool[]
  /** Not loaded anywhere by themselves. */
  byName: Tool[]
  /** Those of a thread: the first always in the same order, then what was loaded, in the order in which it came. */
  of(loaded: string[]): Tool[]
  /** As the model is told of them: made once, for it takes its time. */
  definitionsOf(tools: Tool[]): ToolDefinition[]
  /** The tools that a text names and that are not always there: `@run_command`, or the bare name. */
  namedIn(text: string): string[]
}

export function toolbox(tools: Tool[], tiers: Record<string, Tier>): Toolbox {
  const enabled = tools
    .filter(({ name }) => tiers[name]?.enabled !== false)
    .map((tool) => ({ ...tool, description: tiers[tool.name]?.description ?? tool.description }))
  const byName = enabled.filter(({ name }) => tiers[name]?.always_available === false)
  const always = enabled.filter((tool) => !byName.includes(tool))
  const definitions = new Map(toDefinitions(enabled).map((definition, place) => [enabled[place]?.name, definition]))
  return {
    all: enabled,
    byName,
    of: (loaded) => [...always, ...loaded.flatMap((name) => byName.find((tool) => tool.name === name) ?? [])],
    definitionsOf: (wanted) => wanted.flatMap(({ name }) => definitions.get(name) ?? []),
    namedIn: (text) =>
      byName
        .map(({ name }) => name)
        .filter((name) => new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(text)),
  }
}
