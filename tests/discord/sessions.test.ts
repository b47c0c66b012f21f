import { describe, expect, test } from 'vitest'
import { RefusedRequests } from '../../src/platforms/discord/api/refused-requests.ts'
import { IdentifyBudget, identifyWaitMs } from '../../src/platforms/discord/receive/identify-budget.ts'
import { stubDeps } from './stub.ts'

const day = 86_400_000

describe('new sessions', () => {
  const wait = (changes: Partial<Parameters<typeof identifyWaitMs>[0]>) =>
    identifyWaitMs({ used: 0, total: 1_000, leftMs: day, failures: 0, ...changes }, 5_000)

  test('begin at once, and later the more of them did not last', () => {
    expect(wait({})).toBe(0)
    expect([1, 2, 3, 4].map((failures) => wait({ failures }))).toEqual([5_000, 10_000, 20_000, 40_000])
    expect(wait({ failures: 50 })).toBe(300_000)
  })

  test('are paced when half of the day’s are gone, and kept back when nearly all are', () => {
    expect(wait({ used: 499 })).toBe(0)
    expect(wait({ used: 500 })).toBe(day / 500)
    expect(wait({ used: 900 })).toBe(day)
    expect(wait({ used: 1_000, leftMs: 60_000 })).toBe(60_000)
  })

  test('are never so many that the token is lost, however often they fail', () => {
    let now = 0
    let used = 0
    for (; now < day; used++) now += Math.max(wait({ used, leftMs: day - now, failures: 1 }), 5_000)

    expect(used).toBeLessThan(950)
  })

  test('are counted over restarts, and anew each day', async () => {
    const notes = new Map<string, string>()
    const clock = { now: () => 1_000_000 }
    const unknown = async () => ({ total: 1_000, remaining: 1_000, reset_after: day })
    const budget = () => new IdentifyBudget({ ...stubDeps(notes), clock }, 0)
    await budget().begin(unknown, new AbortController().signal)
    await budget().begin(unknown, new AbortController().signal)
    expect(JSON.parse(notes.get('discord.sessions') ?? '')).toEqual({ began: 1_000_000, used: 2 })

    clock.now = () => 1_000_000 + day
    await budget().begin(unknown, new AbortController().signal)
    expect(JSON.parse(notes.get('discord.sessions') ?? '')).toEqual({ began: 1_000_000 + day, used: 1 })
  })

  test('that are not wanted any more do not begin', async () => {
    const budget = new IdentifyBudget(stubDeps(), 0)
    const limit = async () => ({ total: 1_000, remaining: 10, reset_after: day })
    const stopping = new AbortController()
    const begun = budget.begin(limit, stopping.signal)
    stopping.abort()

    await expect(begun).rejects.toThrow()
    expect(budget.waitingUntil).toBeUndefined()
  })
})

test('many refused requests hold everything until their window has passed', () => {
  const clock = { now: () => 0 }
  const refused = new RefusedRequests({ ...stubDeps(), clock })
  refused.count(5_900, 60_000)
  expect(refused.pauseMs()).toBe(0)
  refused.count(6_000, 60_000)
  expect(refused.pauseMs()).toBe(60_000)
  clock.now = () => 60_000
  expect(refused.pauseMs()).toBe(0)
})
