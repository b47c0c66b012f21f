import type { JsonObject } from '../../src/kit/json.ts'
import type { ModelMessage } from '../../src/kit/model/model.ts'
import { situationOf } from '../../src/kit/practice/conversation.ts'
import { decideStep } from '../../src/kit/practice/decide.ts'
import type { PlannedCall } from '../../src/kit/practice/situation.ts'

export type FakeTools = Record<string, (input: JsonObject) => string>

const definition = (name: string) => ({ name, description: name, parameters: { type: 'object' } })

/** A user message in the bot's format, with its heading for uploads. */
export const withFiles = (text: string, ...names: string[]): string =>
  `[ana] ${text}\n\nFiles:\n${names.map((name) => `- uploads/${name} (${name}, text/plain, 120 bytes)`).join('\n')}`

/** A read_file for some texts, with numbered lines like the real one. */
export const filesOf = (files: Record<string, string>) => ({
  read_file: ({ path }: JsonObject) => {
    const text = files[String(path)]
    if (text === undefined) return `Error: There is no file ${path}. List the folder to see what there is.`
    const lines = text.replace(/\n$/, '').split('\n')
    return [
      ...lines.map((line, place) => `${place + 1}\t${line}`),
      `[End of ${path}: it has ${lines.length} lines.]`,
    ].join('\n')
  },
})

/** Talks until the practice model answers, with results from `tools`; returns its calls and answer. */
export function talk(asked: string | ModelMessage[], tools: FakeTools = {}) {
  const talking = conversation(asked, Object.keys(tools))
  let next = talking.next()
  while (next.done !== true) {
    const { name, input } = next.value
    next = talking.next(tools[name]?.(input) ?? 'Error: no such tool.')
  }
  return next.value
}

/** The same with real tools. What they throw is told as the pipeline tells it. */
export async function talkWith(asked: string, names: string[], run: (name: string, input: unknown) => Promise<string>) {
  const talking = conversation(asked, names)
  let next = talking.next()
  while (next.done !== true) {
    const { name, input } = next.value
    next = talking.next(await run(name, input).catch((thrown: Error) => `Error: ${thrown.message}`))
  }
  return next.value
}

interface Talked {
  answer: string
  calls: PlannedCall[]
  steps: number
}

/** Yields each call, and takes its result. */
function* conversation(asked: string | ModelMessage[], names: string[]): Generator<PlannedCall, Talked, string> {
  const messages: ModelMessage[] = [{ role: 'system', content: 'You are Bobbin.' }]
  if (typeof asked === 'string') messages.push({ role: 'user', content: asked })
  else messages.push(...asked)
  const calls: PlannedCall[] = []
  for (let step = 0; step < 30; step++) {
    const reply = decideStep(situationOf({ messages, tools: names.map(definition) }))
    const planned = reply.calls ?? []
    if (planned.length === 0) return { answer: reply.text, calls, steps: step }
    calls.push(...planned)
    const withIds = planned.map((call, place) => ({
      id: `call_${step}_${place}`,
      name: call.name,
      arguments: JSON.stringify(call.input),
    }))
    messages.push({ role: 'assistant', content: reply.text, calls: withIds })
    for (const [place, call] of planned.entries())
      messages.push({ role: 'tool', call: `call_${step}_${place}`, content: yield call })
  }
  throw new Error('it loops')
}
