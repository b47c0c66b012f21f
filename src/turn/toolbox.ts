import type { Installation, Tool } from '../domain/tool.ts'
import type { ToolDefinition } from '../kit/model/model.ts'
import { type Mentioned, mentionsIn } from './mentions.ts'
import { toDefinitions } from './request.ts'

/** A tool's place in `config/tools.yaml`. */
export interface Tier {
  enabled: boolean
  always_available: boolean
  category: string
  tags: string[]
  description?: string
  /** For how many model calls its results are sent. */
  rounds?: number
}

/** The tools of the bot: those that are always there, and those that come into a thread when a person names them. */
export interface Toolbox {
  /** All that are enabled, also those that lack something. */
  all: Tool[]
  /** Not loaded anywhere by themselves. */
  byName: Tool[]
  /** Why an enabled tool cannot be used in this installation; undefined when it can. */
  lacks(name: string): string | undefined
  /**
   * Those of a thread: what the model has been `offered` in that order, then what was loaded, in the order in which it came.
   * A tool that is new to the bot comes last, as a provider caches what stands before it.
   */
  of(loaded: string[], offered: string[]): Tool[]
  /** As the model is told of them: made once, for it takes its time. */
  definitionsOf(tools: Tool[]): ToolDefinition[]
  /** What `@name` in a person's message means. */
  mentionsIn(text: string): Mentioned
}

export function toolbox(tools: Tool[], tiers: Record<string, Tier>, installation: Installation): Toolbox {
  const isEnabled = ({ name }: Tool) => tiers[name]?.enabled !== false
  const enabled = tools.filter(isEnabled).map((tool) => {
    const { description = tool.description, rounds = tool.rounds } = tiers[tool.name] ?? {}
    return { ...tool, description, ...(rounds !== undefined && { rounds }) }
  })
  const lacking = new Map(
    enabled.flatMap((tool) => {
      const lacks = tool.lacks?.(installation)
      return lacks === undefined ? [] : [[tool.name, lacks]]
    }),
  )
  const usable = enabled.filter(({ name }) => !lacking.has(name))
  const byName = usable.filter(({ name }) => tiers[name]?.always_available === false)
  const always = usable.filter((tool) => !byName.includes(tool))
  const definitions = new Map(toDefinitions(enabled).map((definition, place) => [enabled[place]?.name, definition]))
  const switchedOff = tools.filter((tool) => !isEnabled(tool)).map(({ name }) => [name, off] as const)
  const names = {
    byName: byName.map(({ name }) => name),
    all: usable.map(({ name }) => name),
    unusable: new Map([...lacking, ...switchedOff]),
  }
  return {
    all: enabled,
    byName,
    lacks: (name) => lacking.get(name),
    of(loaded, offered) {
      const named = loaded.flatMap((name) => byName.find((tool) => tool.name === name) ?? [])
      const all = offered.length === 0 ? [...always, ...named] : [...named, ...always]
      const known = offered.flatMap((name) => all.find((tool) => tool.name === name) ?? [])
      return [...known, ...all.filter((tool) => !known.includes(tool))]
    },
    definitionsOf: (wanted) => wanted.flatMap(({ name }) => definitions.get(name) ?? []),
    mentionsIn: (text) => mentionsIn(text, names),
  }
}

const off = 'It is switched off in config/tools.yaml.'
