import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateLimited, Scheduler, superseded, type WritingCall } from '../../src/platforms/calls/scheduler.ts'
import type { Rate } from '../../src/platforms/calls/token-bucket.ts'
import { ManualTime } from './scheduler-time.ts'

/** A call that somebody makes, and what the platform does with it. */
interface Script {
  atMs: number
  call: WritingCall
  takesMs: number
  refusals: { afterMs: number; scope: RateLimited['scope'] }[]
}

interface Run {
  script: Script
  number: number
  startedAt: number
  endedAt: number
  refused: boolean
}

interface Limits {
  buckets: Record<string, Rate>
  channels: Rate
  overall: Rate
}

const rate = fc.record({ perMinute: fc.integer({ min: 10, max: 600 }), burst: fc.integer({ min: 1, max: 8 }) })
const limitsOf: fc.Arbitrary<Limits> = fc.record({
  buckets: fc.record({ post: rate, update: rate }),
  channels: rate,
  overall: rate,
})

const call: fc.Arbitrary<WritingCall> = fc
  .record({
    bucket: fc.constantFrom('post', 'update'),
    channel: fc.constantFrom('C1', 'C2', undefined),
    priority: fc.constantFrom<WritingCall['priority']>('answer', 'card', 'progress', 'progress'),
    coalesce: fc.constantFrom('M1', 'M2', undefined, undefined),
  })
  .map(({ bucket, channel, priority, coalesce }) => ({
    bucket,
    priority,
    ...(channel && { channel }),
    ...(coalesce && { coalesce }),
  }))

const script: fc.Arbitrary<Script> = fc.record({
  atMs: fc.integer({ min: 0, max: 6_000 }),
  call,
  takesMs: fc.integer({ min: 0, max: 1_500 }),
  refusals: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Script['refusals']>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 5_000 }),
          scope: fc.constantFrom<RateLimited['scope']>('channel', 'bucket', 'global'),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    },
  ),
})

/** Plays what is written, to the end. `scripts` in the order in which they were scheduled. */
async function play(limits: Limits, written: Script[]) {
  const time = new ManualTime()
  const begun = time.time
  const scheduler = new Scheduler({
    clock: time,
    after: time.after,
    limits: (bucket) => limits.buckets[bucket],
    spacing: () => limits.channels,
    overall: limits.overall,
    patienceMs: 10 ** 9,
  })
  const scripts = written.toSorted((a, b) => a.atMs - b.atMs)
  const runs: Run[] = []
  const outcomes: Promise<unknown>[] = []
  for (const one of scripts) {
    await time.pass(begun + one.atMs - time.time)
    let number = 0
    outcomes.push(
      scheduler.schedule(one.call, async () => {
        const refusal = one.refusals[number]
        const run: Run = {
          script: one,
          number: number++,
          startedAt: time.time,
          endedAt: Number.POSITIVE_INFINITY,
          refused: refusal !== undefined,
        }
        runs.push(run)
        await time.sleep(one.takesMs)
        run.endedAt = time.time
        if (refusal) throw new RateLimited(refusal.afterMs, refusal.scope)
        return 'done'
      }),
    )
  }
  await time.pass(3_600_000)
  return { scripts, runs, begun, outcomes: await Promise.all(outcomes) }
}

const holds = (check: (limits: Limits, scripts: Script[]) => Promise<void>) =>
  fc.assert(fc.asyncProperty(limitsOf, fc.array(script, { minLength: 1, maxLength: 40 }), check), { numRuns: 150 })

const urgent = ({ priority }: WritingCall) => priority !== 'progress'

test('answers and cards are always done, and nothing twice', async () => {
  await holds(async (limits, written) => {
    const { scripts, runs, outcomes } = await play(limits, written)
    scripts.forEach((one, index) => {
      const own = runs.filter((run) => run.script === one)
      const outcome = outcomes[index]
      if (urgent(one.call)) expect([outcome, own.length]).toEqual(['done', one.refusals.length + 1])
      else if (outcome === 'done') expect([own.length, one.refusals.length]).toEqual([1, 0])
      else expect([outcome, own.every((run) => run.refused), own.length <= 1]).toEqual([superseded, true, true])
    })
  })
})

test('no limit is exceeded, nor called into a pause', async () => {
  await holds(async (limits, written) => {
    const { runs } = await play(limits, written)
    const counted: [Rate | undefined, (call: WritingCall) => boolean][] = [
      [limits.overall, () => true],
      ...['post', 'update'].flatMap((bucket): [Rate | undefined, (call: WritingCall) => boolean][] => [
        [limits.buckets[bucket], (one) => one.bucket === bucket],
        ...['C1', 'C2'].map((channel): [Rate, (call: WritingCall) => boolean] => [
          limits.channels,
          (one) => one.bucket === bucket && one.channel === channel,
        ]),
      ]),
    ]
    for (const [rate, counts] of counted) {
      const times = runs.filter((run) => !run.refused && counts(run.script.call)).map((run) => run.startedAt)
      expect(excess(times, rate)).toEqual([])
    }

    for (const { script, number, endedAt, refused } of runs) {
      const refusal = script.refusals[number]
      if (!refused || refusal === undefined) continue
      const { scope, afterMs } = refusal
      const { bucket, channel } = script.call
      const into = runs.filter(
        ({ script: { call }, startedAt }) =>
          startedAt > endedAt &&
          startedAt < endedAt + afterMs &&
          (scope === 'global' || call.bucket === bucket) &&
          (scope !== 'channel' || channel === undefined || call.channel === channel),
      )
      expect(into).toEqual([])
    }
  })
})

/** Pairs of moments with more calls from the one to the other than the rate lets through. */
function excess(times: number[], rate: Rate | undefined): [number, number][] {
  if (rate === undefined) return []
  return times.flatMap((from, first) =>
    times.slice(first).flatMap((to, more): [number, number][] => {
      const most = rate.burst + ((to - from) / 60_000) * rate.perMinute
      return more + 1 > most + 0.001 ? [[from, to]] : []
    }),
  )
}

test('a channel keeps its order, one call after another', async () => {
  await holds(async (limits, written) => {
    const { scripts, runs } = await play(limits, written)
    const answers = runs.filter(({ script: { call } }) => urgent(call) && call.channel !== undefined)
    for (const [first, run] of answers.entries()) {
      const later = answers
        .slice(first + 1)
        .filter(
          ({ script: { call } }) => call.bucket === run.script.call.bucket && call.channel === run.script.call.channel,
        )
      for (const next of later) {
        expect(next.startedAt).toBeGreaterThanOrEqual(run.endedAt)
        expect(scripts.indexOf(next.script)).toBeGreaterThanOrEqual(scripts.indexOf(run.script))
      }
    }
  })
})

test('what overwrites the same never runs at the same time, and progress never over a newer answer', async () => {
  await holds(async (limits, written) => {
    const { scripts, runs } = await play(limits, written)
    for (const key of ['M1', 'M2']) {
      const own = runs.filter(({ script: { call } }) => call.coalesce === key)
      for (const [index, run] of own.entries()) {
        const next = own[index + 1]
        if (next) expect(next.startedAt).toBeGreaterThanOrEqual(run.endedAt)
        const older = own
          .slice(index + 1)
          .filter(({ script }) => !urgent(script.call) && scripts.indexOf(script) < scripts.indexOf(run.script))
        expect(older).toEqual([])
      }
    }
  })
})

test('progress never starts while an answer could in its place', async () => {
  await holds(async (limits, written) => {
    const { scripts, runs, begun } = await play(limits, written.map(withoutKey))
    for (const { script, startedAt } of runs.filter((run) => !urgent(run.script.call))) {
      const samePlace = ({ call }: Script) =>
        urgent(call) && call.bucket === script.call.bucket && call.channel === script.call.channel
      const busy = runs.some((run) => samePlace(run.script) && run.startedAt <= startedAt && run.endedAt >= startedAt)
      const overtaken = scripts.filter(
        (one) =>
          samePlace(one) &&
          begun + one.atMs < startedAt &&
          !runs.some((run) => run.script === one && run.startedAt <= startedAt),
      )
      expect(busy ? [] : overtaken).toEqual([])
    }
  })
})

const withoutKey = ({ call: { coalesce: _, ...call }, ...script }: Script): Script => ({ ...script, call })
