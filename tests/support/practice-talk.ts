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
  const messages: ModelMessage[] = [{ role: 'system', content: 'You are Bobbin.' }]
  if (typeof asked === 'string') messages.push({ role: 'user', content: asked })
  else messages.push(...asked)
  const calls: PlannedCall[] = []
  for (let step = 0; step < 30; step++) {
    const request = { messages, tools: Object.keys(tools).map(definition) }
    const reply = decideStep(situationOf(request))
    const planned = reply.calls ?? []
    if (planned.length === 0) return { answer: reply.text, calls, steps: step }
    calls.push(...planned)
    const withIds = planned.map((call, place) => ({
      id: `call_${step}_${place}`,
      name: call.name,
      arguments: JSON.stringify(call.input),
    }))
    messages.push({ role: 'assistant', content: reply.text, calls: withIds })
    for (const [place, { name, input }] of planned.entries()) {
      messages.push({
        role: 'tool',
        call: `call_${step}_${place}`,
        content: tools[name]?.(input) ?? 'Error: no such tool.',
      })
    }
  }
  throw new Error('it loops')
}
