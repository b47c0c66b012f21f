import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallId, TurnId } from '../../src/domain/ids.ts'
import type { Message, MessageOrigin } from '../../src/domain/messages.ts'
import { shorten } from '../../src/turn/ask/window.ts'
import { windowOf } from '../../src/turn/port/history.ts'

const turn: TurnId = 'turn_1'
const ana = { id: 'ana', name: 'ana' }

/** One step of a history: a message, an answer, or calls with their results (in any order, some still missing). */
type Step =
  | { kind: 'said'; origin: MessageOrigin }
  | { kind: 'answer'; text: string }
  | { kind: 'calls'; text: string; count: number; order: number[]; missing: number }

function historyOf(steps: Step[]): Message[] {
  const messages: Message[] = []
  let call = 0
  const place = () => ({ seq: messages.length + 1, turn, at: 0 })
  for (const step of steps) {
    if (step.kind === 'said') {
      const person = step.origin === 'person' ? { person: ana } : {}
      messages.push({
        ...place(),
        role: 'user',
        text: `said ${messages.length}`,
        origin: step.origin,
        files: [],
        ...person,
      })
    } else if (step.kind === 'answer') {
      messages.push({ ...place(), role: 'assistant', text: step.text, calls: [] })
    } else {
      const ids = Array.from({ length: step.count }, (): CallId => `call_${call++}`)
      const calls = ids.map((id) => ({ id, name: 'now', arguments: '{}' }))
      messages.push({ ...place(), role: 'assistant', text: step.text, calls })
      const order = ids.toSorted((a, b) => (step.order[ids.indexOf(a)] ?? 0) - (step.order[ids.indexOf(b)] ?? 0))
      for (const id of order.slice(0, Math.max(0, order.length - step.missing)))
        messages.push({ ...place(), role: 'tool', text: `result of ${id}`, call: id })
    }
  }
  return messages
}

const said = fc.constantFrom<MessageOrigin>('person', 'person', 'alarm', 'resume', 'plugin:critic')
const words = fc.constantFrom('', 'words')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: said.map((origin) => ({ kind: 'said' as const, origin })) },
  { weight: 2, arbitrary: words.map((text) => ({ kind: 'answer' as const, text })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      text: words,
      count: fc.integer({ min: 1, max: 14 }),
      order: fc.array(fc.nat(100), { minLength: 14, maxLength: 14 }),
      missing: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
    }),
  },
)

/** A session begins with a person; the model is asked after a message, or once all calls have results. */
const history = fc
  .array(step, { maxLength: 40 })
  .map((steps) => historyOf([{ kind: 'said', origin: 'person' }, ...steps]))
const size = fc.integer({ min: 10, max: 100 })

/** Groups an assistant's message with its results; any other message stands alone. */
function groups(messages: Message[]): Message[][] {
  const found: Message[][] = []
  for (const message of messages) {
    if (message.role === 'tool') found.at(-1)?.push(message)
    else found.push([message])
  }
  return found
}

/** The latest messages as the store gives them: more than the window, with the group at the edge complete. */
const latest = (messages: Message[], size: number) => messages.slice(-(size + 14 + 1))

const check = (property: (messages: Message[], size: number) => void) =>
  fc.assert(
    fc.property(history, size, (messages, size) => property(messages, size)),
    { numRuns: 500 },
  )

describe('the window', () => {
  test('never separates a call from its result: results follow their calls, in the same order', () => {
    check((messages, size) => {
      for (const [first, ...results] of groups(windowOf(latest(messages, size), size))) {
        expect(first?.role).not.toBe('tool')
        const calls = first?.role === 'assistant' ? first.calls.map(({ id }) => id) : []
        expect(results.map((result) => (result.role === 'tool' ? result.call : undefined))).toEqual(calls)
      }
    })
  })

  test('leaves no call without a result, and no empty message', () => {
    check((messages, size) => {
      const results = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.call] : [])))
      for (const message of windowOf(latest(messages, size), size)) {
        if (message.role !== 'assistant') continue
        for (const { id } of message.calls) expect(results).toContain(id)
        expect(message.calls.length + message.text.length).toBeGreaterThan(0)
      }
    })
  })

  test('has at most its size of messages, unless one group alone is larger', () => {
    check((messages, size) => {
      const window = windowOf(latest(messages, size), size)
      const largest = Math.max(...groups(window).map((group) => group.length))
      // A large group may have the person's message in front of it.
      expect(window.length).toBeLessThanOrEqual(Math.max(size, largest + 1))
    })
  })

  test('ends with the newest messages, without gaps', () => {
    check((messages, size) => {
      const window = windowOf(latest(messages, size), size)
      const whole = windowOf(messages, Number.MAX_SAFE_INTEGER)
      const [first] = window
      const tail = window.filter((message, place) => place > 0 || message === whole.at(-window.length))
      expect(tail.map(({ seq }) => seq)).toEqual(whole.slice(whole.length - tail.length).map(({ seq }) => seq))
      expect(first?.role).not.toBe('tool')
    })
  })

  test('includes the latest message that asks for something, a person’s or an alarm’s', () => {
    const asks = (message: Message) => message.role === 'user' && ['person', 'alarm'].includes(message.origin)
    check((messages, size) => {
      const known = latest(messages, size)
      const asked = known.findLast(asks)
      if (asked !== undefined) expect(windowOf(known, size)).toContainEqual(asked)
    })
  })

  test('is the whole history when it fits', () => {
    check((messages) => {
      const whole = windowOf(messages, 1000)
      expect(whole.filter(({ role }) => role === 'user')).toEqual(messages.filter(({ role }) => role === 'user'))
    })
  })

  test('begins at the same message for many steps, so that a prefix cache can be used', () => {
    const long = historyOf(
      Array.from(
        { length: 300 },
        (_, place): Step => (place % 2 === 0 ? { kind: 'said', origin: 'person' } : { kind: 'answer', text: 'words' }),
      ),
    )
    const starts = long.slice(60).map((_, place) => windowOf(long.slice(0, 60 + place), 40)[0]?.seq)
    expect(new Set(starts).size).toBeLessThanOrEqual(Math.ceil(starts.length / 20) + 1)
  })
})

describe('shortening', () => {
  test('cuts old results first, and never the model’s own text', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 20_000 }), (messages, most) => {
        const long = messages.map((message) =>
          message.role === 'tool' ? { ...message, text: 'x'.repeat(3000) } : message,
        )
        const short = shorten(long, most)
        expect(short.map(({ seq }) => seq)).toEqual(long.map(({ seq }) => seq))
        const cut = short.map((message, place) => message.text !== long[place]?.text)
        const cuttable = long.map(({ text, role }) => role !== 'assistant' && text.length > 500)
        const firstWhole = cut.findIndex((isCut, place) => !isCut && cuttable[place])
        // Once one is left whole, so are all later ones.
        if (firstWhole >= 0) expect(cut.slice(firstWhole).some(Boolean)).toBe(false)
        for (const [place, message] of short.entries()) if (message.role === 'assistant') expect(cut[place]).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  test('leaves short texts whole, also where there is no room at all', () => {
    check((messages) => {
      const long = { role: 'user' as const, text: 'x'.repeat(3000), origin: 'person' as const, files: [] }
      const all: Message[] = [...messages, { ...long, seq: 1000, turn, at: 0 }]
      expect(shorten(all, 0).slice(0, -1)).toEqual(messages)
      expect(shorten(all, 0).at(-1)?.text).toMatch(/^x{500}\n\[2500 characters/)
    })
  })

  test('changes nothing that fits', () => {
    check((messages) => {
      expect(shorten(messages, 1_000_000)).toEqual(messages)
    })
  })
})
