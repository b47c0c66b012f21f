import { expect, onTestFinished, test } from 'vitest'
import type { SessionId } from '../../src/domain/ids.ts'
import { BossEngine } from '../../src/engine/boss.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const never = 2 ** 31 - 1
const session = 'ses_woken' as SessionId

/** An engine that finds no work by itself, and notes what it runs. */
async function startEngine(url: string) {
  const ran: SessionId[] = []
  const faults: unknown[] = []
  const nothing = async () => []
  const engine = new BossEngine({
    ...{ url, turnsAtOnce: 4, sweepMs: never, runnable: nothing, orphans: nothing, interruptElsewhere: () => {} },
    wakeElsewhere: () => {},
    report: (_, thrown) => void faults.push(thrown),
  })
  await engine.start(async (id) => void ran.push(id))
  onTestFinished(async () => {
    await engine.stop(0)
    await engine.close()
  })
  return { engine, ran, faults }
}

test('what a process hears while it leaves, another one runs', async () => {
  const url = await postgresDatabase('empty')
  const leaving = await startEngine(url)
  const staying = await startEngine(url)
  await leaving.engine.stop(0)
  leaving.engine.wake(session)
  await until('the session to run', async () => staying.ran.length > 0)
  expect([leaving.ran, leaving.faults]).toEqual([[], []])
})

test('a wake that could not be sent is sent once the server is back', async () => {
  const url = await postgresDatabase('empty')
  const server = new URL(url)
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  const { engine, ran, faults } = await startEngine(url)
  const allow = (yes: boolean) => atServer(server.href, `alter database ${name} allow_connections ${yes}`)
  await allow(false)
  await atServer(server.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  engine.wake(session)
  await until('the wake to fail', async () => faults.length > 0)
  await allow(true)
  await until('the session to run', async () => ran.includes(session))
})
