import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { moveBot } from '../../src/wiring/move.ts'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { type Row, rowsIn, tablesIn } from '../support/rows.ts'

export const silentMs = 2_000

export const moveHere = (from: string, to: string) =>
  moveBot({ from, to, silentMs, signal: new AbortController().signal })

/** Although the tests here stand on PostgreSQL. */
export const startOnSqlite = (options: TestBotOptions = {}) =>
  startTestBot({ ...options, environment: { DATABASE_URL: '', BOBBIN_NODE: '', ...options.environment } })

export const sqliteIn = (dataDir: string): string => join(dataDir, 'bobbin.db')

/** Every row of every table that has to be the same after a move, by table and in an order of its own. */
export function contentOf(place: string): Record<string, string[]> {
  const tables = [...tablesIn(place)].filter(([name]) => !/^(kysely_|sqlite_|locks$|wakes$)/.test(name))
  return Object.fromEntries(
    tables
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, json]) => {
        const rows = (JSON.parse(json) as Row[]).filter(
          (row) => name !== 'notes' || !String(row.name).startsWith('store.'),
        )
        return [name, rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted()]
      }),
  )
}

export const noteIn = (place: string): string | undefined =>
  rowsIn<{ value: string }>(place, "select value from notes where name = 'store.move'")[0]?.value

/** `bobbin move` in a process of its own, which may be killed. */
export function launchMove(dataDir: string, to: string, environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, BOBBIN_HOME: dataDir, BOBBIN_DATA_DIR: dataDir, ...environment }
  const child = spawn(process.execPath, ['src/bin.js', 'move', '--to', to], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return { signal: (name: NodeJS.Signals) => child.kill(name), ended, said: () => said }
}
