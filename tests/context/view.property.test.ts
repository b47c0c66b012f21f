import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { budgetOf, levelOf } from '../../src/capabilities/context/levels.ts'
import { type Room, recentView, tokensWith, windowView } from '../../src/capabilities/context/room.ts'
import { prune, type View, viewOf, wholeView } from '../../src/capabilities/context/view.ts'
import type { Message } from '../../src/domain/messages.ts'
import { fitTo } from '../../src/turn/ask/window.ts'
import { asks, lastGroup } from '../../src/turn/port/history.ts'
import { tokensOf, tokensOfAll } from '../../src/turn/port/weigh.ts'
import { history } from './histories.ts'

const room = fc.record({
  budget: fc.integer({ min: 4_000, max: 60_000 }),
  fixed: fc.integer({ min: 0, max: 2_000 }),
  ratio: fc.constantFrom(0.7, 1, 1.6),
})
const limits = { protectedTurns: 2, protectedTokens: 3_000, pruneTokens: 1_000 }
const recent = { recent: 0.15, recentMessages: 10 }

/** What compaction and cutting do, one after the other. */
const ways: [name: string, of: (messages: Message[], view: View, room: Room) => View][] = [
  ['pruning', (messages, view) => prune(messages, view, limits)],
  ['cutting to the window', (messages, view, room) => windowView(messages, view, room, 40)],
  ['compaction', (messages, view, room) => ({ ...recentView(messages, view, room, recent), summary: 'Notes.' })],
]

const check = (property: (messages: Message[], room: Room) => void) =>
  fc.assert(fc.property(history, room, property), { numRuns: 300 })

/** Every call has its result right behind it, in order, and every result its call. */
function expectWhole(sent: Message[]): void {
  let open: string[] = []
  for (const message of sent) {
    if (message.role === 'tool') {
      expect(open.shift()).toBe(message.call)
      continue
    }
    expect(open).toEqual([])
    open = message.role === 'assistant' ? message.calls.map(({ id }) => id) : []
  }
  expect(open).toEqual([])
}

describe.each(ways)('%s', (name, of) => {
  test('leaves no call without its result and no result without its call', () => {
    check((messages, room) => expectWhole(viewOf(messages, of(messages, wholeView, room))))
  })

  test('keeps the latest message that asks for something, and the last group', () => {
    check((messages, room) => {
      const sent = viewOf(messages, of(messages, wholeView, room)).map(({ seq }) => seq)
      const whole = viewOf(messages, wholeView)
      const asked = whole.findLast(asks)
      expect(sent).toContain(asked?.seq)
      for (const { seq } of lastGroup(whole)) expect(sent).toContain(seq)
    })
  })

  test('is stable: once more changes nothing', () => {
    check((messages, room) => {
      const once = of(messages, wholeView, room)
      expect(of(messages, once, room)).toEqual(once)
    })
  })

  test('lets what is sent grow only at its end as long as nothing more is left out', () => {
    check((messages, room) => {
      const half = messages.slice(0, Math.ceil(messages.length / 2))
      const view = of(half, wholeView, room)
      // Only what is complete counts: a call that waits for its result isn't sent yet.
      const before = viewOf(half, view)
      const settled = before.filter(({ seq }) => seq < (lastGroup(half)[0]?.seq ?? 0))
      const after = viewOf(messages, view)
      expect(after.slice(0, settled.length)).toEqual(settled)
    })
  })

  test('never sends more than before', () => {
    check((messages, room) => {
      const notes = name === 'compaction' ? 150 : 0
      const before = tokensWith(viewOf(messages, wholeView), room)
      expect(tokensWith(viewOf(messages, of(messages, wholeView, room)), room)).toBeLessThanOrEqual(
        before + Math.ceil(notes * room.ratio),
      )
    })
  })
})

test('pruning leaves out nothing of the last two turns, of the protected tokens, and of skills', () => {
  check((messages) => {
    const whole = viewOf(messages, wholeView)
    const sent = viewOf(messages, prune(messages, wholeView, limits))
    const changed = new Set(sent.filter(({ text }, place) => text !== whole[place]?.text).map(({ seq }) => seq))
    const second = whole.filter(asks).at(-2)?.seq ?? 0
    let protectedTokens = 0
    for (const message of whole.toReversed()) {
      if (message.role !== 'tool') continue
      const call = whole
        .flatMap((one) => (one.role === 'assistant' ? one.calls : []))
        .find(({ id }) => id === message.call)
      if (call?.name === 'skill') {
        expect(changed).not.toContain(message.seq)
        continue
      }
      protectedTokens += tokensOf(message)
      if (message.seq >= second || protectedTokens <= limits.protectedTokens) expect(changed).not.toContain(message.seq)
    }
  })
})

test('pruning happens only when it frees enough', () => {
  check((messages) => {
    const pruned = prune(messages, wholeView, limits)
    const freed = tokensOfAll(viewOf(messages, wholeView)) - tokensOfAll(viewOf(messages, pruned))
    if (pruned.prunedTo === 0) expect(freed).toBe(0)
    else expect(freed).toBeGreaterThanOrEqual(limits.pruneTokens)
  })
})

test('what is sent never exceeds what there is room for, unless the request alone does', () => {
  check((messages, { budget }) => {
    const sent = viewOf(messages, wholeView)
    const fitted = fitTo(sent, budget)
    expectWhole(fitted)
    const asked = fitted.findLast(asks)
    expect(asked?.seq).toBe(sent.findLast(asks)?.seq)
    const least = tokensOfAll(lastGroup(fitted)) + (asked === undefined ? 0 : tokensOf(asked))
    expect(tokensOfAll(fitted)).toBeLessThanOrEqual(Math.max(budget, least))
    if (tokensOfAll(sent) <= budget) expect(fitted).toEqual(sent)
  })
})

test('a summary stays whole as long as there is room for it beside the request and the last group', () => {
  const summary = 'The keeper’s password is MAGNOLIA-7. '.repeat(100)
  check((messages, room) => {
    const sent = viewOf(messages, { ...recentView(messages, wholeView, room, recent), summary })
    const least = [sent.findLast(asks), ...lastGroup(sent)].flatMap((message) => message ?? [])
    const needed = tokensOfAll([...new Set([...sent.slice(0, 1), ...least])])
    const fitted = fitTo(sent, Math.min(room.budget, tokensOfAll(sent) - 1))
    expectWhole(fitted)
    if (needed <= room.budget && needed < tokensOfAll(sent)) expect(fitted[0]).toEqual(sent[0])
    expect(tokensOfAll(fitted)).toBeLessThanOrEqual(Math.max(room.budget, tokensOfAll([...new Set(least)])))
  })
})

test('cutting to the window gets below the critical level, unless the latest group is larger', () => {
  check((messages, room) => {
    const view = windowView(messages, wholeView, room, 40)
    const sent = viewOf(messages, view)
    const must = tokensOfAll(lastGroup(sent)) + tokensOfAll(sent.filter(({ seq }) => seq === view.pinned))
    const all = Math.max(0, room.budget / room.ratio - room.fixed)
    expect(tokensOfAll(sent)).toBeLessThanOrEqual(Math.max(all * 0.7 + must, must))
  })
})

test('levels begin at their shares of what is left after the reserve for the reply', () => {
  const settings = { tokens: 128_000, information: 0.75, warning: 0.85, critical: 0.95 }
  expect(budgetOf({ contextLimit: 128_000, outputLimit: 4_096 }, settings)).toBe(123_904)
  expect(budgetOf({ contextLimit: 1_000_000, outputLimit: 64_000 }, settings)).toBe(119_808)
  const at = (share: number) => levelOf(share * 1000, 1000, settings)
  expect([0.74, 0.75, 0.85, 0.949, 0.95, 2].map(at)).toEqual([
    'fine',
    'information',
    'warning',
    'warning',
    'critical',
    'critical',
  ])
})
