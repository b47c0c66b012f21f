import { describe, expect, test } from 'vitest'
import type { Model, SlotName } from '../../src/kit/model/model.ts'
import { Answerers } from '../../src/model/answerers.ts'
import { routeOf, taskOf } from '../../src/model/route.ts'

const all = () => true
const only =
  (...slots: SlotName[]) =>
  (slot: SlotName) =>
    slots.includes(slot)

describe('the route', () => {
  test.each([
    [{ chosen: undefined, task: undefined }, ['base', 'chat', 'code', 'reasoning', 'vision']],
    [{ chosen: undefined, task: 'code' as const }, ['code', 'base', 'chat', 'reasoning', 'vision']],
    [{ chosen: undefined, task: 'complex' as const }, ['reasoning', 'base', 'chat', 'code', 'vision']],
    [{ chosen: undefined, task: 'wording' as const }, ['chat', 'base', 'code', 'reasoning', 'vision']],
    [{ chosen: 'base' as const, task: 'code' as const }, ['base', 'chat', 'code', 'reasoning', 'vision']],
    [{ chosen: 'vision' as const, task: undefined }, ['vision', 'base', 'chat', 'code', 'reasoning']],
  ])('%o', (wish, expected) => {
    expect(routeOf(wish, all)).toEqual(expected)
  })

  test('has only what is set up', () => {
    expect(routeOf({ chosen: 'code', task: 'complex' }, only('base', 'chat'))).toEqual(['base', 'chat'])
  })
})

test.each([
  ['what is in the report?', [], undefined],
  ['fix this:\n```js\nlet a\n```', [], 'code'],
  ['look', ['uploads/main.go'], 'code'],
  ['look', ['uploads/notes.txt'], undefined],
  ['Think hard about this', ['uploads/main.go'], 'complex'],
  ['Denk gut nach', [], 'complex'],
  ['I thought about the code', [], undefined],
  ['fix (#main.go), please', [], 'code'],
  ['see #notes.c.txt, #r and https://x.org/#/a.c', [], undefined],
  ['summarise this', ['uploads/Node.js - Folien.pdf', 'uploads/v1.c-final.docx'], undefined],
  ['请仔细思考', [], 'complex'],
])('%j with %j is about %s', (text, paths, task) => {
  expect(taskOf([{ text, files: paths.map((path) => ({ path })) }])).toBe(task)
})

describe('a model that keeps failing', () => {
  let now = 0
  const model = (name: string) => ({ name }) as Model
  const [base, chat] = [
    { slot: 'base' as const, model: model('b'), price: undefined },
    { slot: 'chat' as const, model: model('c'), price: undefined },
  ]
  const answerers = () => new Answerers([base, chat], { afterFailures: 2, restMs: 100 }, () => now)

  test('rests after several failures in a row, then one request tries it', () => {
    now = 0
    const some = answerers()
    some.failed(base)
    expect(some.lets(base)).toBe(true)
    some.failed(base)
    expect([some.lets(base), some.lets(chat)]).toEqual([false, true])
    now = 100
    expect([some.lets(base), some.lets(base)]).toEqual([true, false])
    some.failed(base)
    now = 199
    expect(some.lets(base)).toBe(false)
    now = 200
    expect(some.lets(base)).toBe(true)
    some.answered(base)
    expect([some.lets(base), some.lets(base)]).toEqual([true, true])
  })

  test('an answer between two failures makes them two beginnings', () => {
    const some = answerers()
    some.failed(base)
    some.answered(base)
    some.failed(base)
    expect(some.lets(base)).toBe(true)
  })
})
