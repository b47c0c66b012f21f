import type { z } from 'zod'
import type { AskTool, ChildTool, Effect, EndTool, RunTool, Tool } from '../domain/tool.ts'
import { reasonOf } from '../kit/failure.ts'
import { toolSchema } from '../kit/model/tool-schema.ts'
import { isFunction, isObject, isSchema, isText } from './values.ts'
import { wiringWords } from './words.ts'

/** What each kind of tool does. */
const work = { run: 'run', ask: 'question', end: 'answer', child: 'task' } as const satisfies Record<
  Tool['kind'],
  string
>

const effects: Record<Effect, true> = { read: true, write: true, external: true }

type FieldsOf<One> = One extends unknown ? keyof One : never

type Field = FieldsOf<RunTool<never> | AskTool<never> | EndTool<never> | ChildTool<never>>

/** What else of a tool is called. */
const called = [
  'doing',
  'paths',
  'inspect',
  'inspectFile',
  'source',
  'sources',
  'skillOf',
  'handsOut',
  'lacks',
  'check',
  'showFile',
  'ended',
] as const satisfies Field[]

type Called = (typeof called)[number] | (typeof work)[Tool['kind']]

const read: Record<Exclude<Field, Called>, true> = {
  kind: true,
  name: true,
  description: true,
  input: true,
  parameters: true,
  effect: true,
  repeatable: true,
  polls: true,
  rounds: true,
  byName: true,
  onDemand: true,
  unlisted: true,
  stays: true,
  server: true,
  identity: true,
  onlyInThreads: true,
  retired: true,
  inPlanMode: true,
  confirmed: true,
  timeoutMs: true,
  tags: true,
  pages: true,
  foreign: true,
  runsPrograms: true,
  sends: true,
}

/** Names that aren't here are the plug-in's own. */
export const toolFields = [...Object.keys(read), ...called, ...Object.values(work)] as readonly (keyof Tool)[]

/**
 * Why something can't be used as a tool: it would end turns later, or run without being asked about. `tool` is a
 * plug-in's, which needn't be in TypeScript.
 */
export function toolFault(tool: unknown): string | undefined {
  if (!isObject(tool) || !isText(tool.name)) return wiringWords.toolWithoutName()
  const { name, kind, effect, description, input, parameters } = tool
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return wiringWords.toolNameUnsendable({ tool: name })
  if (!isText(kind) || !Object.hasOwn(work, kind)) return wiringWords.toolWithoutKind({ tool: name })
  if (!isText(effect) || !Object.hasOwn(effects, effect)) return wiringWords.toolWithoutEffect({ tool: name })
  if (!isText(description)) return wiringWords.toolFieldIsNoText({ tool: name, field: 'description' })
  if (!isSchema(input)) return wiringWords.toolFieldIsNoSchema({ tool: name, field: 'input' })
  if (parameters !== undefined && !isObject(parameters))
    return wiringWords.toolFieldIsNoSchema({ tool: name, field: 'parameters' })
  const does = work[kind as Tool['kind']]
  const field = [does, ...called].find((one) => (one === does || tool[one] !== undefined) && !isFunction(tool[one]))
  if (field !== undefined) return wiringWords.toolFieldIsNoFunction({ tool: name, field })
  return parameters === undefined ? unshowable(name, input as z.ZodType) : undefined
}

function unshowable(tool: string, input: z.ZodType): string | undefined {
  try {
    toolSchema(input)
    return undefined
  } catch (thrown) {
    return wiringWords.toolInputUnshowable({ tool, reason: reasonOf(thrown).replace(/\.$/, '') })
  }
}
