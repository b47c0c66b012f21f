import { describe, expect, test } from 'vitest'
import {
  RateLimited,
  Scheduler,
  type SchedulerOptions,
  superseded,
  type WritingCall,
} from '../../src/platforms/calls/scheduler.ts'
import { TokenBuckets } from '../../src/platforms/calls/token-bucket.ts'
import { NotPosted } from '../../src/platforms/platform.ts'
import { ManualTime, settle } from './scheduler-time.ts'

function setUp(options: Partial<SchedulerOptions> = {}) {
  const time = new ManualTime()
  const scheduler = new Scheduler({
    clock: time,
    after: time.after,
    limits: () => ({ perMinute: 60, burst: 10 }),
    ...options,
  })
  /** What was run, with the second it was run at. */
  const runs: string[] = []
  const outcomes = new Map<string, unknown>()
  const begun = time.time
  function write(name: string, call: Partial<WritingCall> = {}, run: () => Promise<unknown> = async () => name) {
    const asked = scheduler.schedule({ bucket: 'post', priority: 'answer', ...call }, () => {
      runs.push(`${name} ${(time.time - begun) / 1000}`)
      return run()
    })
    asked.then(
      (value) => outcomes.set(name, value),
      (thrown) => outcomes.set(name, thrown),
    )
    return asked
  }
  return { time, scheduler, runs, outcomes, write }
}

/** Refuses so often, then lets it through. */
function refusing(times: number, afterMs: number, scope: RateLimited['scope'] = 'bucket') {
  let left = times
  return async () => {
    if (left-- > 0) throw new RateLimited(afterMs, scope)
    return 'through'
  }
}

/** A call that goes on until told to end. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { run: () => promise, end: () => resolve('ended') }
}

test('a process that was frozen and replaced calls nothing any more', async () => {
  let isReplaced = false
  const { time, scheduler, runs, outcomes, write } = setUp({ isReplaced: async () => isReplaced })
  write('a')
  await time.pass(0)
  isReplaced = true
  write('answer')
  write('progress', { priority: 'progress' })
  await time.pass(0)
  await scheduler.idle()
  expect(runs).toEqual(['a 0'])
  expect(outcomes.get('answer')).toMatchObject({ again: 'later' })
  expect(outcomes.get('progress')).toBe(superseded)
})

test('one that was frozen while it asked whether it was replaced asks again', async () => {
  const answers = [false, true]
  const isReplaced = async () => {
    await time.pass(5_000)
    return answers.shift() ?? true
  }
  const { time, scheduler, runs, outcomes, write } = setUp({ isReplaced })
  write('answer')
  await time.pass(0)
  await scheduler.idle()
  expect(runs).toEqual([])
  expect(outcomes.get('answer')).toMatchObject({ again: 'later' })
})

test('progress for which nobody knows whether the process was replaced certainly wasn’t shown', async () => {
  const isReplaced = async () => {
    throw new Error('the database is busy')
  }
  const { time, scheduler, runs, outcomes, write } = setUp({ isReplaced })
  write('progress', { priority: 'progress' })
  await time.pass(0)
  await scheduler.idle()
  expect(runs).toEqual([])
  expect(outcomes.get('progress')).toBe(superseded)
})

describe('limits', () => {
  test('let a burst through, and then one at a time', async () => {
    const { time, runs, write } = setUp({ limits: () => ({ perMinute: 60, burst: 2 }) })
    for (const name of ['a', 'b', 'c', 'd']) write(name)
    await time.pass(2_000)
    expect(runs).toEqual(['a 0', 'b 0', 'c 1', 'd 2'])
  })

  test('of a channel and of everything hold beside those of a bucket', async () => {
    const { time, runs, write } = setUp({
      spacing: (bucket) => (bucket === 'post' ? { perMinute: 60, burst: 1 } : undefined),
      overall: { perMinute: 30, burst: 3 },
    })
    write('a', { channel: 'C1' })
    write('b', { channel: 'C1' })
    write('c', { channel: 'C2' })
    write('d', { bucket: 'update', channel: 'C1' })
    write('e', { bucket: 'update', channel: 'C1' })
    await time.pass(60_000)
    expect(runs).toEqual(['a 0', 'c 0', 'd 0', 'b 2', 'e 4'])
  })

  test('hold when the clock is set back', async () => {
    const { time, runs, write } = setUp({ limits: () => ({ perMinute: 60, burst: 1 }) })
    write('a')
    write('b')
    await settle()
    time.time -= 3_600_000
    write('c')
    await time.pass(3_602_000)
    expect(runs.map((run) => run.split(' ')[0])).toEqual(['a', 'b', 'c'])
    expect(runs[1]).toBe('b -3599')
  })

  test('in which no call fits are refused', () => {
    expect(() => setUp({ overall: { perMinute: 60, burst: 0.5 } }).write('a')).not.toThrow()
    const buckets = new TokenBuckets({ limits: () => ({ perMinute: 0, burst: 1 }) })
    expect(() => buckets.waitMs({ bucket: 'post' }, 0, 1)).toThrow('no call fits into 0 a minute')
  })

  test('forget channels in which nothing happens any more', () => {
    const buckets = new TokenBuckets({
      limits: () => undefined,
      spacing: () => ({ perMinute: 60, burst: 1 }),
    })
    for (let number = 0; number < 10_000; number++) {
      buckets.take({ bucket: 'post', channel: `C${number}` }, number * 100)
    }
    expect(buckets.size).toBeLessThan(600)
    expect(buckets.waitMs({ bucket: 'post', channel: 'C9999' }, 9_999 * 100, 1)).toBe(1_000)
  })
})

describe('priorities', () => {
  test('answers and cards go before progress, and keep their own order', async () => {
    const { time, runs, write } = setUp({ limits: () => ({ perMinute: 60, burst: 1 }) })
    write('first')
    write('progress', { priority: 'progress' })
    write('card', { priority: 'card' })
    write('answer')
    await time.pass(3_000)
    expect(runs).toEqual(['first 0', 'card 1', 'answer 2', 'progress 3'])
  })

  test('progress leaves room for answers', async () => {
    const { time, runs, write } = setUp({ limits: () => ({ perMinute: 6, burst: 10 }) })
    for (let number = 1; number <= 9; number++) write(`p${number}`, { priority: 'progress', channel: `C${number}` })
    for (const name of ['a', 'b', 'c', 'd']) write(name)
    await time.pass(0)
    expect(runs).toEqual(['p1 0', 'p2 0', 'p3 0', 'p4 0', 'p5 0', 'p6 0', 'p7 0', 'a 0', 'b 0', 'c 0'])
  })

  test('progress is shown where only one call fits at a time', async () => {
    const { time, runs, write } = setUp({ limits: () => ({ perMinute: 60, burst: 1 }) })
    write('a', { priority: 'progress' })
    write('b', { priority: 'progress' })
    await time.pass(1_000)
    expect(runs).toEqual(['a 0', 'b 1'])
  })
})

describe('order', () => {
  test('of a channel is kept: the next begins when the one before has ended, or failed', async () => {
    const { runs, write, outcomes } = setUp()
    const first = held()
    write('a', { channel: 'C1' }, first.run)
    write('b', { channel: 'C1' }, () => Promise.reject(new Error('broken')))
    write('c', { channel: 'C1' })
    write('other', { channel: 'C2' })
    await settle()
    expect(runs).toEqual(['a 0', 'other 0'])
    first.end()
    await settle()
    expect(runs).toEqual(['a 0', 'other 0', 'b 0', 'c 0'])
    expect(outcomes.get('b')).toEqual(new Error('broken'))
  })

  test('is kept by a call that schedules another', async () => {
    const { runs, write, scheduler } = setUp()
    write('a', {}, async () => {
      write('c')
    })
    write('b')
    await scheduler.idle()
    expect(runs).toEqual(['a 0', 'b 0', 'c 0'])
  })
})

describe('coalescing', () => {
  test('keeps the newest progress, in the place of the oldest', async () => {
    const { time, runs, outcomes, write } = setUp({ limits: () => ({ perMinute: 60, burst: 1 }) })
    write('first')
    write('a1', { priority: 'progress', coalesce: 'A' })
    write('b1', { priority: 'progress', coalesce: 'B' })
    write('a2', { priority: 'progress', coalesce: 'A' })
    await time.pass(2_000)
    expect(runs).toEqual(['first 0', 'a2 1', 'b1 2'])
    expect(outcomes.get('a1')).toBe(superseded)
    expect(outcomes.get('a2')).toBe('a2')
  })

  test('an answer takes the place of progress that waits, and waits for progress that runs', async () => {
    const { runs, outcomes, write, scheduler } = setUp()
    const running = held()
    write('p1', { priority: 'progress', coalesce: 'A' }, running.run)
    await settle()
    write('p2', { priority: 'progress', coalesce: 'A' })
    write('answer', { coalesce: 'A' })
    write('p3', { priority: 'progress', coalesce: 'A' })
    await settle()
    expect(runs).toEqual(['p1 0'])
    running.end()
    await scheduler.idle()
    expect(runs).toEqual(['p1 0', 'answer 0'])
    expect([outcomes.get('p2'), outcomes.get('p3')]).toEqual([superseded, superseded])
  })

  test('lets one at a time overwrite, also where they could begin together', async () => {
    const { runs, write, scheduler } = setUp()
    const [first, second] = [held(), held()]
    write('a', { coalesce: 'A' }, first.run)
    write('b', { coalesce: 'A' }, second.run)
    write('c', { coalesce: 'A', bucket: 'update' })
    await settle()
    first.end()
    await settle()
    expect(runs).toEqual(['a 0', 'b 0'])
    second.end()
    await scheduler.idle()
    expect(runs).toEqual(['a 0', 'b 0', 'c 0'])
  })

  test('never drops an answer', async () => {
    const { time, outcomes, write } = setUp({ limits: () => ({ perMinute: 60, burst: 1 }) })
    for (const name of ['a', 'b', 'c']) write(name, { coalesce: 'A' })
    await time.pass(2_000)
    expect([...outcomes.values()]).toEqual(['a', 'b', 'c'])
  })

  test('drops progress that is stale', async () => {
    const { time, runs, outcomes, write } = setUp({ limits: () => ({ perMinute: 6, burst: 1 }), staleMs: 4_000 })
    write('first')
    write('progress', { priority: 'progress' })
    await time.pass(3_999)
    expect(outcomes.has('progress')).toBe(false)
    await time.pass(1)
    expect(outcomes.get('progress')).toBe(superseded)
    await time.pass(60_000)
    expect(runs).toEqual(['first 0'])
  })
})

describe('a refusal of the platform', () => {
  test('pauses the bucket, and the same call comes first afterwards', async () => {
    const { time, runs, outcomes, write } = setUp()
    write('a', { channel: 'C1' }, refusing(2, 3_000))
    await settle()
    write('b', { channel: 'C1' })
    write('c', { channel: 'C2' })
    write('elsewhere', { bucket: 'update' })
    await time.pass(7_000)
    expect(runs).toEqual(['a 0', 'elsewhere 0', 'a 3', 'a 6', 'b 7'])
    expect(outcomes.get('a')).toBe('through')
  })

  test.each([
    ['channel', ['a 0', 'b 0', 'other bucket 0', 'a 3', 'same channel 3']],
    ['bucket', ['a 0', 'other bucket 0', 'a 3', 'same channel 4', 'b 5']],
    ['global', ['a 0', 'a 3', 'b 3', 'other bucket 3', 'same channel 3']],
  ] as const)('of the scope "%s" pauses only that', async (scope, expected) => {
    const { time, runs, write } = setUp()
    write('a', { channel: 'C1' }, refusing(1, 3_000, scope))
    await settle()
    write('same channel', { channel: 'C1' })
    write('b', { channel: 'C2' })
    write('other bucket', { bucket: 'update', channel: 'C1' })
    await time.pass(10_000)
    expect(runs.toSorted(bySecond)).toEqual(expected)
  })

  test('drops progress', async () => {
    const { time, runs, outcomes, write } = setUp()
    write('progress', { priority: 'progress' }, refusing(1, 1_000))
    await time.pass(10_000)
    expect(runs).toEqual(['progress 0'])
    expect(outcomes.get('progress')).toBe(superseded)
  })

  test('that lasts too long gives the answer back, and says when', async () => {
    const { time, outcomes, write } = setUp({ patienceMs: 10_000 })
    write('a', {}, refusing(100, 4_000))
    write('b', {}, refusing(1, 3_600_000))
    await time.pass(10_000)
    expect(outcomes.get('a')).toBeInstanceOf(NotPosted)
    expect(outcomes.get('b')).toMatchObject({ again: 'later', afterMs: 3_600_000 })
  })

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])('of %s ms does not become a storm', async (afterMs) => {
    const { time, runs, write } = setUp({ patienceMs: 10_000 })
    write('a', {}, refusing(100_000, afterMs))
    await time.pass(20_000)
    expect(runs).toEqual(['a 0', 'a 0.1', 'a 0.3', 'a 0.7', 'a 1.5', 'a 3.1', 'a 6.3'])
  })
})

describe('ending', () => {
  test('gives back what waits, and whatever comes; what runs is waited for', async () => {
    const { scheduler, runs, outcomes, write, time } = setUp({ limits: () => ({ perMinute: 1, burst: 1 }) })
    const running = held()
    write('a', {}, running.run)
    write('b')
    write('p', { priority: 'progress' })
    await settle()
    let stopped = false
    const stop = scheduler.stop().then(() => {
      stopped = true
    })
    write('c')
    await settle()
    expect(stopped).toBe(false)
    expect(outcomes.get('b')).toMatchObject({ again: 'later' })
    expect(outcomes.get('c')).toMatchObject({ again: 'later' })
    expect(outcomes.get('p')).toBe(superseded)
    running.end()
    await stop
    expect(runs).toEqual(['a 0'])
    expect(time.waiting).toBe(0)
  })

  test('does not try again what is refused meanwhile', async () => {
    const { scheduler, outcomes, write } = setUp()
    write('a', {}, refusing(1, 1_000))
    await scheduler.stop()
    expect(outcomes.get('a')).toMatchObject({ again: 'later' })
  })

  test('too many calls: progress makes room, then calls are given back', async () => {
    const { time, outcomes, write } = setUp({ limits: () => ({ perMinute: 60, burst: 1 }), mostWaiting: 2 })
    write('a')
    write('p', { priority: 'progress' })
    for (const name of ['b', 'c', 'd']) write(name)
    write('p2', { priority: 'progress' })
    await time.pass(10_000)
    expect(outcomes.get('p')).toBe(superseded)
    expect(outcomes.get('p2')).toBe(superseded)
    expect(outcomes.get('d')).toMatchObject({ again: 'later', message: 'post was not called: too many calls wait' })
    expect([outcomes.get('b'), outcomes.get('c')]).toEqual(['b', 'c'])
  })

  test('a call that throws before it returns a promise fails alone', async () => {
    const { outcomes, write, scheduler } = setUp()
    write('a', {}, () => {
      throw new Error('at once')
    })
    write('b')
    await scheduler.idle()
    expect(outcomes.get('a')).toEqual(new Error('at once'))
    expect(outcomes.get('b')).toBe('b')
  })
})

const bySecond = (a: string, b: string) => Number(a.split(' ').at(-1)) - Number(b.split(' ').at(-1))
