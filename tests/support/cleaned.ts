import { expect } from 'vitest'
import type { TestBot } from './bot.ts'
import { rowsIn } from './rows.ts'
import { eventually } from './until.ts'

interface Job {
  kind: string
  holder: string | null
  due_at: number
}

/**
 * Resolves when the bot has posted everything, has no work left that it does by itself, and has cleaned, as it does at
 * its start. The next time is in an hour.
 */
export const cleaned = ({ database }: Pick<TestBot, 'database'>): Promise<void> =>
  eventually(() => {
    expect(rowsIn(database, "select key from outbox where state = 'pending'")).toEqual([])
    const jobs = rowsIn<Job>(database, 'select kind, holder, due_at from jobs')
    const left = jobs.map(({ kind, holder, due_at }) => [kind, holder, Number(due_at) > Date.now()])
    expect(left).toEqual([['clean', null, true]])
  })
