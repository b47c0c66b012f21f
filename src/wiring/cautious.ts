import { effectOf, type Tool } from '../domain/tool.ts'
import { Failure } from '../kit/failure.ts'
import type { Capability } from '../turn/port/capability.ts'
import { toolFault } from './tool-fault.ts'
import { wiringWords } from './words.ts'

/**
 * A plug-in as the bot uses it. If it doesn't say whether its tools bring in or send out content, they count as doing
 * both. Those that it finds are checked when it has found them.
 */
export function cautious(plugin: Capability): Capability {
  const whole = plain(plugin)
  const { tools, found, foundBefore } = whole
  const known = new WeakMap<readonly Tool[], readonly Tool[]>()
  const checked = (list: readonly Tool[]): readonly Tool[] => {
    const made = known.get(list) ?? usable(list)
    known.set(list, made)
    return made
  }
  return {
    ...whole,
    ...(tools && { tools: tools.map(cautiousTool) }),
    ...(found && { found: (bot, where) => checked(found(bot, where)) }),
    ...(foundBefore && { foundBefore: async (open, settings) => checked(await foundBefore(open, settings)) }),
  }
}

/** Throws `bad_plugin`. */
function usable(found: readonly Tool[]): readonly Tool[] {
  const fault = Array.isArray(found)
    ? found.map(toolFault).find((one) => one !== undefined)
    : wiringWords.toolsAreNoList()
  if (fault === undefined) return found.map(cautiousTool)
  throw new Failure('bad_plugin', wiringWords.foundUnusable({ reason: fault }), wiringWords.pluginUnusableRemedy())
}

function cautiousTool(given: Tool): Tool {
  const tool = plain(given)
  if (tool.kind !== 'run') return tool
  const { source = () => `the tool ${tool.name}`, sends = effectOf(tool) === 'external' } = tool
  return { ...tool, source, sends }
}

/** An object with everything that its class gives it, whose functions are called on the original. */
function plain<Made extends object>(made: Made): Made {
  const names = new Set<string>()
  for (let level = made; level !== Object.prototype && level !== null; level = Object.getPrototypeOf(level))
    for (const name of Object.getOwnPropertyNames(level)) names.add(name)
  names.delete('constructor')
  const fields = Array.from(names, (name) => {
    const value: unknown = made[name as keyof Made]
    return [name, typeof value === 'function' ? value.bind(made) : value]
  })
  return Object.fromEntries(fields)
}
