import type { Tool } from '../domain/tool.ts'
import { Failure } from '../kit/failure.ts'
import type { Capability } from '../turn/port/capability.ts'
import { capabilityFields } from './plugin-shape.ts'
import { toolFault, toolFields } from './tool-fault.ts'
import { wiringWords } from './words.ts'

/**
 * A plug-in as the bot uses it. If it doesn't say whether its tools bring in or send out content, they count as doing
 * both. Those that it finds are checked when it has found them; what can't be used is reported and left out.
 */
export function cautious(plugin: Capability): Capability {
  const { tools, found, foundBefore, ...rest } = only(capabilityFields, plugin)
  const known = new WeakMap<readonly Tool[], readonly Tool[]>()
  const reported = new Set<string>()
  const usable = (list: readonly Tool[] = none, report: (fault: Failure) => void = () => {}): readonly Tool[] => {
    if (!Array.isArray(list)) throw unusable(wiringWords.toolsAreNoList({ field: 'found' }))
    const made =
      known.get(list) ??
      list.flatMap((tool) => {
        const fault = toolFault(tool)
        if (fault === undefined) return cautiousTool(tool)
        if (!reported.has(fault)) report(unusable(fault))
        reported.add(fault)
        return []
      })
    known.set(list, made)
    return made
  }
  return {
    ...rest,
    ...(tools && { tools: tools.map(cautiousTool) }),
    ...(found && {
      found: (bot, where) =>
        usable(found(bot, where), bot.report('a capability failed', { capability: plugin.name, hook: 'found' })),
    }),
    ...(foundBefore && { foundBefore: async (open, settings) => usable(await foundBefore(open, settings)) }),
  }
}

const none: readonly Tool[] = []

const unusable = (reason: string): Failure =>
  new Failure('bad_plugin', wiringWords.foundUnusable({ reason }), wiringWords.pluginUnusableRemedy())

function cautiousTool(given: Tool): Tool {
  const tool = only(toolFields, given)
  if (tool.kind !== 'run') return tool
  const { source = () => `the tool ${tool.name}`, sends = tool.effect === 'external' } = tool
  return { ...tool, source, sends }
}

/** An object with these fields, also those that its class gives it. Its functions are called on the original. */
function only<Made extends object>(fields: readonly (keyof Made)[], made: Made): Made {
  const own = fields.flatMap((field) => {
    const value: unknown = made[field]
    if (value === undefined) return []
    return [[field, typeof value === 'function' ? value.bind(made) : value]]
  })
  return Object.fromEntries(own)
}
