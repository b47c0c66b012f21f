import { Failure } from '../kit/failure.ts'
import type { Capability } from '../turn/port/capability.ts'
import { toolFault } from './tool-fault.ts'
import { isFunction, isObject, isSchema, isText } from './values.ts'
import { wiringWords } from './words.ts'

type Data = 'name' | 'title' | 'settings' | 'tools' | 'events' | 'routesAt' | 'ofChildren' | 'rounds'

/** Every field that is called. Names that aren't here are the plug-in's own. */
const called: Record<Exclude<keyof Capability, Data>, true> = {
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
  narrows: true,
  beforeCalls: true,
  reminders: true,
  history: true,
  views: true,
  standing: true,
  commands: true,
  checks: true,
  terminal: true,
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

/** Throws `bad_plugin` for what would crash the bot later, without the plug-in's name. */
export function checkShape(path: string, made: unknown): void {
  const reason = isObject(made) ? faultIn(made) : wiringWords.pluginMadeNothing()
  if (reason === undefined) return
  throw new Failure('bad_plugin', wiringWords.pluginUnusable({ path, reason }), wiringWords.pluginUnusableRemedy())
}

function faultIn(made: Record<string, unknown>): string | undefined {
  const { name, settings, tools, events } = made
  if (!isText(name)) return wiringWords.fieldIsNoText({ field: 'name' })
  if (settings !== undefined && !(isObject(settings) && isText(settings.section) && isSchema(settings.schema)))
    return wiringWords.settingsAreNoSection()
  const ours = onlyOurs(made, ['routesAt']) ?? onlyOurs(settings, ['file', 'variables', 'secretNames'])
  if (ours !== undefined) return wiringWords.fieldIsOurs({ field: ours })
  if (tools !== undefined && !Array.isArray(tools)) return wiringWords.toolsAreNoList()
  const ofTools = tools?.map(toolFault).find((fault) => fault !== undefined)
  if (ofTools !== undefined) return ofTools
  if (events !== undefined && !(isObject(events) && Object.values(events).every(isSchema)))
    return wiringWords.eventsAreNoSchemas()
  const field = Object.keys(called).find((key) => made[key] !== undefined && !isFunction(made[key]))
  return field && wiringWords.fieldIsNoFunction({ field })
}

/** What would be passed over, because plug-ins are loaded after files and environment have been read, or hide ours. */
const onlyOurs = (made: unknown, fields: string[]): string | undefined =>
  isObject(made) ? fields.find((field) => made[field] !== undefined) : undefined
