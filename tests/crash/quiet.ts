import { setTimeout as sleep } from 'node:timers/promises'
import type { Stored } from './stored.ts'

const unfinished = {
  turns: `select count(*) as count from turns where state in ('running', 'waiting')`,
  inbox: `select count(*) as count from inbox where state = 'pending'`,
  requests: `select count(*) as count from requests where state = 'pending'`,
  alarms: `select count(*) as count from alarms where state = 'pending'`,
  outbox: `select count(*) as count from outbox where state = 'pending'`,
}

/** What is left may go on changing for this many times as long: something that comes and goes never rests. */
const mostTimes = 6

/**
 * Waits until nothing is left to do. Returns what is left once that has stayed the same for `mostMs`; `more` adds to it, and
 * `say` hears of each change.
 */
export async function untilQuiet(
  stored: Stored,
  mostMs: number,
  more: () => Promise<string[]> = async () => [],
  say: (line: string) => void = () => {},
): Promise<string> {
  const left = async () => {
    const counts = Object.entries(unfinished).map(async ([name, query]) => {
      const [row] = await stored.all<{ count: number }>(query)
      return `${row?.count} ${name}`
    })
    const lines = [...(await Promise.all(counts)), ...(await more())]
    return lines.filter((line) => !line.startsWith('0 ')).join(', ')
  }
  const end = Date.now() + mostTimes * mostMs
  let now = await left()
  for (let waited = 0; waited < mostMs; waited += 500) {
    const before = now
    await sleep(500)
    now = await left()
    if (now !== before) {
      waited = 0
      say(`left: ${now || 'nothing'}`)
    }
    // A turn may be between two rows, so check twice.
    else if (now === '') return ''
    if (Date.now() > end) return `${now || 'nothing'} (it never rests; just before: ${before || 'nothing'})`
  }
  return now
}
