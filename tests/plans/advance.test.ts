import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Advice, advance, done, settled, standingsOf, withOutcomes } from '../../src/capabilities/plans/advance.ts'
import { edited } from '../../src/capabilities/plans/edit.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { failureWays, isGood, type Plan, type PlanStep } from '../../src/domain/plan.ts'
import type { EndState } from '../../src/store/calls.ts'

const attempts = 2
const atOnce = 5

interface Shape {
  oneByOne: boolean
  steps: { after: number[]; ifItFails: PlanStep['ifItFails']; otherWay: boolean }[]
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  oneByOne: fc.boolean(),
  steps: fc.array(
    fc.record({
      after: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
      ifItFails: fc.constantFrom(...failureWays),
      otherWay: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
})

const planOf = ({ oneByOne, steps }: Shape): Plan => ({
  ...{ id: 'plan_1', session: 'ses_1', turn: 'turn_1', call: 'call_0', title: '', confidence: 90, oneByOne, words: [] },
  status: 'in_progress',
  steps: steps.map(
    ({ after, ifItFails, otherWay }, place): PlanStep => ({
      ...{ number: place + 1, what: `step ${place + 1}`, gives: '', after: after.filter((one) => one <= place) },
      ...{ tools: [], files: [], skills: [], words: [], ifItFails, status: 'planning', isFinal: false, attempt: 0 },
      ...{ isOther: false, ...(otherWay && { otherWay: `otherwise ${place + 1}` }) },
    }),
  ),
})

/**
 * A turn that carries out a plan, with all that is stored of it. Whatever happens in between, such as an end of the
 * process, it only knows what is stored.
 */
class World {
  plan: Plan
  readonly outcomes = new Map<CallId, EndState>()
  readonly advice = new Map<CallId, Advice>()
  /** Calls that were made and haven't ended, by the number of their step; the program asks nobody while there are any. */
  open = new Map<CallId, number>()
  /** What began, in order: the step, its attempt, and what was there for it to read. */
  readonly begun: { step: number; call: CallId }[] = []
  #calls = 0

  constructor(plan: Plan) {
    this.plan = plan
  }

  /** Between calls. `isMade`: the process lives until they are stored. */
  decide(isMade: boolean): void {
    const { steps, next } = advance(this.plan, { outcomes: this.outcomes, advice: this.advice, attempts })
    if (next.do === 'end') {
      this.plan = { ...this.plan, steps, status: next.status }
      return
    }
    const numbers = next.steps.map(({ number }) => number)
    const ready = steps.map((step): PlanStep => {
      if (!numbers.includes(step.number)) return step
      const id = (): CallId => `call_${++this.#calls}`
      if (next.do === 'ask') return { ...step, question: step.question ?? id() }
      return step.call === undefined ? { ...step, call: id(), attempt: step.attempt + 1 } : step
    })
    this.plan = { ...this.plan, steps: ready }
    if (!isMade) return
    for (const { number, call, question } of ready)
      if (numbers.includes(number))
        if (next.do === 'ask') this.advice.set(question as CallId, this.#advise())
        else this.open.set(call as CallId, number)
  }

  #advise(): Advice {
    return (['again', 'without', 'stop'] as const)[this.#calls % 3] as Advice
  }

  /** What the call of a step does when it is looked at: it begins, waits, or ends because it can't begin any more. */
  look(call: CallId): void {
    const steps = withOutcomes(this.plan.steps, this.outcomes)
    const number = this.open.get(call)
    const step = steps.find((one) => one.number === number)
    const standing = standingsOf({ ...this.plan, steps }, (one) => this.open.has(one)).get(number ?? 0)
    if (step?.call !== call || standing === 'blocked') {
      this.close(call, 'failed')
      return
    }
    const running = steps.filter(({ status }) => status === 'in_progress').length
    if (standing !== 'ready' || running >= (this.plan.oneByOne ? 1 : atOnce)) return
    for (const needed of step.after) {
      const before = steps.find((one) => one.number === needed)
      expect(before?.isFinal && isGood(before)).toBe(true)
    }
    this.begun.push({ step: step.number, call })
    this.put({ ...step, status: 'in_progress' })
  }

  /** An attempt ends. `isNoted`: the step's own row says so before the call's does. */
  end(call: CallId, how: 'done' | 'failed' | 'timeout', isNoted: boolean): void {
    const step = this.plan.steps.find((one) => one.call === call)
    if (step?.status !== 'in_progress') return
    const failed: PlanStep = { ...step, status: how === 'timeout' ? 'timeout' : 'failed' }
    const now = settled(failed, { advice: new Map(), attempts })
    if (isNoted) this.put(how === 'done' ? done(step) : now.isFinal ? now : failed)
    this.close(call, how === 'done' ? 'done' : 'failed')
  }

  close(call: CallId, how: EndState): void {
    this.open.delete(call)
    this.outcomes.set(call, how)
  }

  put(step: PlanStep): void {
    this.plan = { ...this.plan, steps: this.plan.steps.map((one) => (one.number === step.number ? step : one)) }
  }
}

const ways = fc.infiniteStream(fc.integer({ min: 0, max: 1_000 }))

test('whatever ends or dies, and in which order: each step runs after those it needs, once per attempt, and the plan ends', () => {
  const ends = new Set<string>()
  fc.assert(
    fc.property(shapes, ways, (shape, numbers) => {
      const pick = (below: number): number => (numbers.next().value as number) % below
      const world = new World(planOf(shape))
      for (let turn = 0; world.plan.status === 'in_progress'; turn++) {
        if (turn > 2_000) throw new Error('it goes on for ever')
        const open = [...world.open.keys()]
        if (open.length === 0) {
          world.decide(pick(4) > 0)
          continue
        }
        for (const call of open) if (world.open.has(call)) world.look(call)
        const running = [...world.open].filter(([, number]) =>
          world.plan.steps.some((step) => step.number === number && step.status === 'in_progress'),
        )
        // Nothing would ever wake it again.
        if (world.open.size > 0 && running.length === 0) {
          expect([...world.open.keys()].length).toBeLessThan(open.length)
          continue
        }
        const call = running[pick(running.length || 1)]?.[0]
        if (call !== undefined)
          world.end(call, (['done', 'done', 'failed', 'timeout'] as const)[pick(4)] ?? 'done', pick(5) > 0)
      }
      ends.add(world.plan.status)
      expect(new Set(world.begun.map(({ call }) => call)).size).toBe(world.begun.length)
      for (const step of world.plan.steps) {
        expect(step.isFinal).toBe(true)
        expect(['completed', 'failed', 'timeout', 'fallback']).toContain(step.status)
        const times = world.begun.filter((one) => one.step === step.number).length
        if (step.ifItFails !== 'ask') expect(times).toBeLessThanOrEqual(2)
        if (step.status === 'completed') expect(times).toBeGreaterThan(0)
      }
      expect(world.plan.steps.every(isGood)).toBe(['completed', 'fallback'].includes(world.plan.status))
    }),
    { numRuns: 2_000 },
  )
  expect([...ends].toSorted()).toEqual(['completed', 'failed', 'fallback', 'timeout'])
})

const words = fc.constantFrom(
  ...[
    'drop 1',
    'drop 2 and 3',
    '3 before 1',
    'move 1 after 2',
    'order: 3, 2, 1',
    '2: words',
    'add: more',
    'run',
    'one by one',
  ],
  ...['drop 9', 'something else'],
)

test('however a plan is edited, its steps stay numbered, and need only steps before them', () => {
  fc.assert(
    fc.property(shapes, fc.array(words, { maxLength: 4 }), (shape, said) => {
      const before = planOf(shape)
      const result = edited(before, said.join('\n'))
      if (result.kind !== 'edited') return
      const { steps } = result.plan
      expect(steps.map(({ number }) => number)).toEqual(steps.map((_, place) => place + 1))
      for (const { number, after } of steps)
        for (const one of after) {
          expect(one).toBeLessThan(number)
          expect(one).toBeGreaterThan(0)
        }
      const kept = new Set(steps.map(({ what }) => what))
      expect(kept.size).toBe(steps.length)
      for (const what of kept) expect(before.steps.map((one) => one.what)).toContain(what)
      expect(result.runs).toBe(said.some((one) => one === 'run' || one === 'one by one'))
    }),
    { numRuns: 2_000 },
  )
})
