import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advance, type BegunCall, type Outcome } from '../../src/capabilities/compositions/advance.ts'
import type { Tally } from '../../src/capabilities/compositions/counts.ts'
import { inOrder, toSwap } from '../../src/capabilities/compositions/order.ts'
import { type Composition, compositionsSection } from '../../src/capabilities/compositions/settings.ts'
import { type CallId, newId } from '../../src/domain/ids.ts'

const parse = (steps: unknown[], parameters = {}) =>
  compositionsSection.schema.safeParse({ compositions: { chain: { description: 'D.', parameters, steps } } })

function composition(steps: unknown[], parameters = {}): Composition {
  const found = parse(steps, parameters).data?.get('chain')
  if (found === undefined) throw new Error(parse(steps, parameters).error?.message)
  return found
}

/** Runs a chain whose calls end as `ends` says, by tool. Returns what was called, in order. */
function run(chain: Composition, ends: Record<string, Outcome['state']>, loseSome = () => false) {
  const begun: BegunCall[] = []
  const outcomes = new Map<CallId, Outcome>()
  const called: { tool: string; input: unknown; group: number }[] = []
  for (let group = 0; group < 50; group++) {
    const next = advance(chain, { who: 'Ana' }, begun, outcomes)
    if (next.do === 'end') return { called, failed: next.failed }
    for (const { step, isFallback, id = newId('call'), tool, input } of next.calls) {
      const known = begun.findIndex((one) => one.id === id)
      if (known >= 0) begun.splice(known, 1)
      begun.push({ step: step.name, isFallback, id })
      // The process may end before the call is made.
      if (loseSome()) continue
      called.push({ tool, input, group })
      outcomes.set(id, { state: ends[tool] ?? 'done', result: `result of ${tool}` })
    }
  }
  throw new Error('it goes on for ever')
}

const failed = (times: number): Tally => ({ done: 0, failed: times })

const steps = [
  { name: 'first', tool: 'a', input: { to: '{{who}}' }, otherwise: { tool: 'b' } },
  [
    { tool: 'c', if: 'first', input: { list: ['{{first}} and {{who}}', 1] } },
    { name: 'other', tool: 'd', unless: 'first' },
  ],
  { tool: 'e', input: { text: '{{other}}' } },
]

test.each([
  ['all well', {}, ['a', 'c', 'e'], undefined],
  ['a fall-back', { a: 'failed' }, ['a', 'b', 'c', 'e'], undefined],
  ['a denial', { a: 'denied' }, ['a', 'b', 'c', 'e'], undefined],
  ['what another step asks about may fail', { a: 'failed', b: 'failed' }, ['a', 'b', 'd', 'e'], undefined],
  ['no other way if nobody knows what the first did', { a: 'unknown' }, ['a'], 'first'],
  ['nor instead of the other way', { a: 'failed', b: 'unknown' }, ['a', 'b'], 'first'],
  ['a failure', { c: 'failed' }, ['a', 'c'], 'step_1'],
] as const)('the steps of a chain: %s', (_, ends, tools, failed) => {
  const found = run(composition(steps, { who: 'who' }), ends)
  expect([found.called.map(({ tool }) => tool), found.failed]).toEqual([tools, failed])
})

test('results and parameters are put into texts, and no further text into these', () => {
  const { called } = run(composition(steps, { who: 'who' }), { b: 'done' })
  expect(called.map(({ input }) => input)).toEqual([{ to: 'Ana' }, { list: ['result of a and Ana', 1] }, { text: '' }])
  const chain = composition([{ tool: 'a', input: { to: '{{who}}' } }], { who: 'who' })
  expect(advance(chain, { who: '{{other}}' }, [], new Map())).toMatchObject({ calls: [{ input: { to: '{{other}}' } }] })
})

test('steps of one group run at the same time', () => {
  const { called } = run(composition([[{ tool: 'a' }, { tool: 'b' }], { tool: 'c' }]), {})
  expect(called.map(({ tool, group }) => [tool, group])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 1],
  ])
})

test('however calls end and whenever the process does, each is made once, in order, and the chain ends', () => {
  const state = fc.constantFrom('done', 'failed', 'denied', 'unknown')
  const ends = fc.record({ a: state, b: state, c: state, d: state, e: state })
  fc.assert(
    fc.property(ends, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), (states, losses) => {
      const lost = () => losses.next().value === 0
      const [with_, without] = [
        run(composition(steps, { who: 'who' }), states, lost),
        run(composition(steps, { who: 'who' }), states),
      ]
      expect(with_.failed).toBe(without.failed)
      expect(with_.called.map(({ tool }) => tool).toSorted()).toEqual(without.called.map(({ tool }) => tool).toSorted())
      const tools = without.called.map(({ tool }) => tool)
      expect(new Set(tools).size).toBe(tools.length)
      expect(tools).toEqual(tools.toSorted())
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['six tools', Array.from({ length: 6 }, () => ({ tool: 'a' })), 'there are 6 tools; 5 are the most'],
  ['an unknown name', [{ name: 'x', tool: 'a', input: { b: '{{y}}' } }], 'x uses {{y}}, which is no parameter'],
  [
    'a later step',
    [
      { name: 'x', tool: 'a', if: 'y' },
      { name: 'y', tool: 'b' },
    ],
    'x asks about y, which is no earlier',
  ],
  [
    'a name twice',
    [
      { name: 'x', tool: 'a' },
      { name: 'x', tool: 'b' },
    ],
    'x is there twice',
  ],
  ['itself', [{ tool: 'chain' }], 'a step can’t be a composition'],
])('what can’t be carried out is refused: %s', (_, wrong, message) => {
  expect(parse(wrong).error?.message).toContain(message)
})

test.each([
  ['the fall-back works more often', [2, 8], [], ['first']],
  ['it works less often', [8, 2], [], []],
  ['it is tried first already', [2, 8], ['first'], []],
  ['it was, and works less often by now', [8, 2], ['first'], ['first']],
] as const)('counts suggest what to try first: %s', (_, [first, second], swapped, wanted) => {
  const of = (done: number) => ({ done, failed: 10 - done })
  const count = { done: 9, failed: 1, steps: { first: [of(first), of(second)] as [Tally, Tally] } }
  expect(toSwap(composition(steps, { who: 'who' }), count, swapped).map(({ name }) => name)).toEqual(wanted)
})

test('too few calls suggest nothing', () => {
  const count = { ...{ done: 0, failed: 4 }, steps: { first: [failed(9), { done: 4, failed: 0 }] as [Tally, Tally] } }
  expect(toSwap(composition(steps, { who: 'who' }), count, [])).toEqual([])
  expect(toSwap(composition(steps, { who: 'who' }), undefined, [])).toEqual([])
})

test('a step in the other order tries its fall-back first, with the input that belongs to it', () => {
  const chain = inOrder(composition(steps, { who: 'who' }), ['first'])
  expect(run(chain, { b: 'failed' }).called.slice(0, 2)).toMatchObject([
    { tool: 'b', input: {} },
    { tool: 'a', input: { to: 'Ana' } },
  ])
  expect(inOrder(chain, ['first'])).toEqual(composition(steps, { who: 'who' }))
})
