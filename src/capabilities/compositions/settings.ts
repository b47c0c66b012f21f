import { z } from 'zod'
import type { SettingsSection } from '../../config/section.ts'
import { compositionsWords } from './words.ts'

const name = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, compositionsWords.nameForm())
const call = { tool: z.string().min(1).max(128), input: z.record(z.string(), z.json()).default({}) }

const step = z.strictObject({
  name: name.optional().describe('What later steps call its result'),
  ...call,
  if: name.optional().describe('Only if this step was done'),
  unless: name.optional().describe('Only if this step was not done'),
  otherwise: z.strictObject(call).optional().describe('Called if the tool fails'),
})

const group = z.union([step, z.array(step).min(1)]).transform((one) => (Array.isArray(one) ? one : [one]))

const most = 5

const composition = z
  .strictObject({
    description: z.string().min(1).max(500).describe('What it is for, for the model'),
    parameters: z.record(name, z.string().min(1)).default({}).describe('What the model passes, and what that is'),
    steps: z.array(group).min(1),
  })
  .transform(({ description, parameters, steps }) => {
    let count = 0
    const groups = steps.map((group) =>
      group.map(({ name: given, ...one }): Step => ({ name: given ?? `step_${++count}`, ...one })),
    )
    return { description, parameters: new Map(Object.entries(parameters)), groups }
  })
  .superRefine(({ parameters, groups }, context) => {
    for (const message of faultsIn(groups, parameters)) context.addIssue({ code: 'custom', message })
  })

const schema = z
  .strictObject({ compositions: z.record(name, composition).default({}) })
  .transform(({ compositions }) => new Map(Object.entries(compositions)))
  .superRefine((compositions, context) => {
    for (const [own, { groups }] of compositions)
      for (const { tool, otherwise } of groups.flat())
        if (compositions.has(tool) || compositions.has(otherwise?.tool ?? ''))
          context.addIssue({ code: 'custom', path: [own], message: compositionsWords.notInAnother() })
  })

export interface Step extends Omit<z.infer<typeof step>, 'name'> {
  name: string
}

export interface Composition {
  description: string
  /** What the model passes, and what that is. */
  parameters: ReadonlyMap<string, string>
  /** Steps of one group run at the same time. */
  groups: readonly (readonly Step[])[]
}

export type Compositions = ReadonlyMap<string, Composition>

function faultsIn(groups: readonly (readonly Step[])[], parameters: ReadonlyMap<string, string>): string[] {
  const all = groups.flat()
  const names = [...parameters.keys(), ...all.map((one) => one.name)]
  const faults = names.filter((one, place) => names.indexOf(one) < place).map((one) => `${one} is there twice`)
  if (all.length > most) faults.push(`there are ${all.length} tools; ${most} are the most`)
  const known = new Set(parameters.keys())
  const before = new Set<string>()
  for (const group of groups) {
    for (const { name: own, input, otherwise, if: when, unless } of group) {
      for (const one of [when, unless])
        if (one !== undefined && !before.has(one)) faults.push(`${own} asks about ${one}, which is no earlier step`)
      for (const one of namesIn([input, otherwise?.input]))
        if (!known.has(one)) faults.push(`${own} uses {{${one}}}, which is no parameter and no earlier step`)
    }
    for (const one of group) {
      known.add(one.name)
      before.add(one.name)
    }
  }
  return faults
}

const reference = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g

const namesIn = (value: unknown): string[] =>
  Array.from(JSON.stringify(value).matchAll(reference), ([, found]) => found ?? '')

/** The same with each `{{name}}` in its texts replaced. */
export function filled<Value>(value: Value, texts: ReadonlyMap<string, string>): Value {
  if (typeof value === 'string')
    return value.replace(reference, (_, one: string) => texts.get(one) ?? '') as Value & string
  if (Array.isArray(value)) return value.map((one) => filled(one, texts)) as Value & unknown[]
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, texts)])) as Value
}

export const compositionsSection: SettingsSection<Compositions> = {
  section: 'compositions',
  file: 'compositions.yaml',
  schema,
}
