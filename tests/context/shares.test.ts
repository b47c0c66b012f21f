import { expect, test } from 'vitest'
import { recentView, tokensWith } from '../../src/capabilities/context/room.ts'
import { viewOf, wholeView } from '../../src/capabilities/context/view.ts'
import { tokensIn } from '../../src/kit/model/tokens.ts'
import { joined, withinShare } from '../../src/turn/prompt/sections.ts'
import { historyOf } from './histories.ts'

const section = (name: string, lines: number) => ({ name, text: `A line of ${name}.\n`.repeat(lines).trim() })

test('instructions that are brought along share what is left of a tenth; the last ones are cut first', () => {
  const [own, one, two] = [section('Own', 50), section('One', 400), section('Two', 2_000)]
  const cut = withinShare([own, one, two], [one, two], 5_000)
  expect(cut.slice(0, 2)).toEqual([own, one])
  expect(cut[2]?.text).toMatch(/^A line of Two\.\n[\s\S]*\[The rest of this section is left out/)
  expect(tokensIn(joined(cut))).toBeLessThan(5_100)
  expect(withinShare([own, one, two], [one, two], 50_000)).toEqual([own, one, two])
  // However small the model is, they are not left out altogether.
  expect(withinShare([own, one], [one], 100)[1]?.text.split('\n').length).toBeGreaterThan(100)
})

test('beside a summary, long messages have at most a quarter of the room', () => {
  const long = { kind: 'answer', length: 700 } as const
  const messages = historyOf([{ kind: 'said', origin: 'person', length: 5 }, ...Array.from({ length: 20 }, () => long)])
  const room = { budget: 20_000, fixed: 2_000, ratio: 1 }
  const view = recentView(messages, wholeView, room, { recent: 0.15, recentMessages: 10 })
  const kept = tokensWith(viewOf(messages, view), { ...room, fixed: 0 })
  expect(kept).toBeGreaterThan(1_500)
  expect(kept).toBeLessThanOrEqual(18_000 * 0.25 + 100)
})
