import type { Capability } from '../turn/port/capability.ts'
import { toolFault } from './tool-fault.ts'
import { isFunction, isObject, isSchema, isText } from './values.ts'
import { wiringWords } from './words.ts'

const read = ['name', 'title', 'settings', 'tools', 'events', 'ofChildren', 'rounds'] as const

/**
 * What only Bobbin's own parts may have: no plug-in is loaded for a command of `terminal`, `routesAt` could hide our
 * routes, `deciderNames` are for commands of ours, and `underway` is asked in transactions.
 */
const ours = ['deciderNames', 'routesAt', 'terminal', 'underway'] as const

/** Every field that is called. */
const called: Record<Exclude<keyof Capability, (typeof read | typeof ours)[number]>, true> = {
  unknownNames: true,
  secrets: true,
  found: true,
  foundBefore: true,
  mayFind: true,
  ready: true,
  context: true,
  prompt: true,
  names: true,
  implied: true,
  named: true,
  continued: true,
  narrows: true,
  beforeCalls: true,
  reminders: true,
  history: true,
  views: true,
  standing: true,
  commands: true,
  checks: true,
  uploaded: true,
  rewritten: true,
  jobs: true,
  routes: true,
  operations: true,
  watch: true,
  start: true,
  stop: true,
  promptBuilt: true,
  userMessage: true,
  status: true,
  text: true,
  replyComplete: true,
  beforeModel: true,
  modelFailed: true,
  mayCall: true,
  beforeCall: true,
  callDone: true,
}

/** Names that aren't here are the plug-in's own. */
export const capabilityFields = [...read, ...Object.keys(called)] as readonly (keyof Capability)[]

/** Why something can't be used as a plug-in: it would crash the bot later, without the plug-in's name. */
export function pluginFault(made: unknown): string | undefined {
  if (!isObject(made)) return wiringWords.pluginMadeNothing()
  const { name, settings, tools, events } = made
  if (!isText(name)) return wiringWords.fieldIsNoText({ field: 'name' })
  if (settings !== undefined && !(isObject(settings) && isText(settings.section) && isSchema(settings.schema)))
    return wiringWords.settingsAreNoSection()
  // Plug-ins are loaded after files and environment have been read.
  const onlyOurs = oneOf(ours, made) ?? oneOf(['file', 'variables', 'secretNames'], settings)
  if (onlyOurs !== undefined) return wiringWords.fieldIsOurs({ field: onlyOurs })
  if (tools !== undefined && !Array.isArray(tools)) return wiringWords.toolsAreNoList({ field: 'tools' })
  const ofTools = tools?.map(toolFault).find((fault) => fault !== undefined)
  if (ofTools !== undefined) return ofTools
  if (events !== undefined && !(isObject(events) && Object.values(events).every(isSchema)))
    return wiringWords.eventsAreNoSchemas()
  const field = Object.keys(called).find((key) => made[key] !== undefined && !isFunction(made[key]))
  return field && wiringWords.fieldIsNoFunction({ field })
}

const oneOf = (fields: readonly string[], made: unknown): string | undefined =>
  isObject(made) ? fields.find((field) => made[field] !== undefined) : undefined
