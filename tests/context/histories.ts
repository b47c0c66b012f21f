import fc from 'fast-check'
import type { CallId, TurnId } from '../../src/domain/ids.ts'
import type { Message, MessageOrigin } from '../../src/domain/messages.ts'

const turn: TurnId = 'turn_1'

/** One step: something said, an answer, or calls with their results, of which the last ones may be missing. */
type Step =
  | { kind: 'said'; origin: MessageOrigin; length: number }
  | { kind: 'answer'; length: number }
  | { kind: 'calls'; tool: string; lengths: number[]; missing: number }

export function historyOf(steps: readonly Step[]): Message[] {
  const messages: Message[] = []
  const place = () => ({ seq: messages.length + 1, turn, at: 0 })
  let number = 0
  for (const step of steps) {
    if (step.kind === 'said') {
      const { origin, length } = step
      messages.push({ ...place(), role: 'user', origin, text: 'said '.repeat(length), files: [] })
    } else if (step.kind === 'answer') {
      messages.push({ ...place(), role: 'assistant', text: 'answered '.repeat(step.length), calls: [] })
    } else {
      const ids = step.lengths.map((): CallId => `call_${number++}`)
      const calls = ids.map((id) => ({ id, name: step.tool, arguments: '{}' }))
      messages.push({ ...place(), role: 'assistant', text: '', calls })
      for (const [index, id] of ids.slice(0, ids.length - step.missing).entries())
        messages.push({ ...place(), role: 'tool', text: 'found '.repeat(step.lengths[index] ?? 0), call: id })
    }
  }
  return messages
}

const origin = fc.constantFrom<MessageOrigin>('person', 'person', 'alarm', 'resume', 'plugin:critic')
const long = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 200, max: 4_000 }))
const tool = fc.constantFrom('read_file', 'read_file', 'skill')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('said' as const), origin, length: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('answer' as const), length: fc.integer({ min: 1, max: 300 }) }),
  fc.record({
    kind: fc.constant('calls' as const),
    tool,
    lengths: fc.array(long, { minLength: 1, maxLength: 6 }),
    missing: fc.constantFrom(0, 0, 0, 0, 1),
  }),
)

/** A session begins with a person. */
export const history: fc.Arbitrary<Message[]> = fc
  .array(step, { minLength: 1, maxLength: 60 })
  .map((steps) => historyOf([{ kind: 'said', origin: 'person', length: 5 }, ...steps]))
