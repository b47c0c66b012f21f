import { describe, expect, test } from 'vitest'
import { ModelFailure } from '../../src/kit/model/model.ts'
import { nextTry, retryDelay } from '../../src/model/retry.ts'
import { patienceWith } from '../support/model-client.ts'

const patience = patienceWith({ attempts: 4, baseDelayMs: 100, maxDelayMs: 1_000, maxRetryAfterMs: 5_000 })
const failed = (code: ModelFailure['code'], retry = true, retryAfterMs?: number) =>
  new ModelFailure(code, code, retry, retryAfterMs)

describe('retryDelay', () => {
  test.each([
    [0, 100],
    [1, 200],
    [3, 800],
    [4, 1_000],
    [2_000, 1_000],
  ])('after %i earlier failures at most %i ms', (attempt, most) => {
    expect(retryDelay(attempt, patience, () => 1)).toBe(most)
    expect(retryDelay(attempt, patience, () => 0.5)).toBe(most / 2)
    expect(retryDelay(attempt, patience, () => 0)).toBe(0)
  })
})

describe('nextTry', () => {
  const decided = (...failures: ModelFailure[]) => nextTry(failures, patience, () => 1)

  test('counts attempts, the first among them', () => {
    const cut = failed('cut')
    expect(decided(cut, cut, cut)).toEqual({ do: 'wait', waitMs: 400, attempts: 4 })
    expect(decided(cut, cut, cut, cut)).toEqual({ do: 'give-up' })
  })

  test("does not repeat what can't work", () => {
    expect(decided(failed('refused', false))).toEqual({ do: 'give-up' })
  })

  test('an empty reply only twice', () => {
    const empty = failed('empty')
    expect(decided(empty, empty)).toMatchObject({ do: 'wait' })
    expect(decided(empty, empty, empty)).toEqual({ do: 'give-up' })
    expect(decided(empty, failed('cut'), empty)).toMatchObject({ do: 'wait' })
  })

  test('tells how many attempts there are if they all fail like the last one', () => {
    expect(decided(failed('hang'))).toMatchObject({ attempts: 2 })
    expect(decided(failed('empty'))).toMatchObject({ attempts: 3 })
    expect(decided(failed('empty'), failed('empty'))).toMatchObject({ attempts: 3 })
    expect(decided(failed('cut'), failed('hang'))).toMatchObject({ attempts: 3 })
    expect(decided(failed('cut'), failed('cut'), failed('empty'))).toMatchObject({ attempts: 4 })
  })

  test('never before the time asked for, up to the longest we accept', () => {
    expect(decided(failed('rate_limited', true, 0))).toMatchObject({ do: 'wait', waitMs: 100 })
    expect(decided(failed('rate_limited', true, 5_000))).toMatchObject({ do: 'wait', waitMs: 5_100 })
    expect(decided(failed('rate_limited', true, 5_001))).toEqual({ do: 'give-up' })
    expect(nextTry([failed('rate_limited', true, 300)], patience, () => 0)).toMatchObject({ do: 'wait', waitMs: 300 })
  })
})
