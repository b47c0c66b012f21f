import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { look } from './look.ts'

const unfinished = {
  turns: `select count(*) from turns where state in ('running', 'waiting')`,
  inbox: `select count(*) from inbox where state = 'pending'`,
  requests: `select count(*) from requests where state = 'pending'`,
  alarms: `select count(*) from alarms where state = 'pending'`,
  outbox: `select count(*) from outbox where state = 'pending'`,
}

/** Waits until nothing is left to do. Returns what is left if that never happens; `more` adds to it. */
export async function untilQuiet(
  file: string,
  mostMs: number,
  more: (database: Sqlite.Database) => string[] = () => [],
): Promise<string> {
  const left = () =>
    look(file, (database) =>
      Object.entries(unfinished)
        .map(([name, query]) => `${database.prepare(query).pluck().get()} ${name}`)
        .concat(more(database))
        .filter((line) => !line.startsWith('0 '))
        .join(', '),
    )
  for (let waited = 0; waited < mostMs; waited += 200) {
    if (left() === '') {
      // A turn may be between two rows, so check twice.
      await sleep(500)
      if (left() === '') return ''
    }
    await sleep(200)
  }
  return left()
}
