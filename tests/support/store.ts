import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/kit/clock.ts'
import { createSession } from '../../src/store/new-session.ts'
import type { Session } from '../../src/store/sessions.ts'
import { Store } from '../../src/store/store.ts'
import { onPostgres, postgresDatabase } from './database.ts'
import { layDatabase } from './sqlite-template.ts'

/** A directory that is removed after the test. */
export async function scratch(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}

/** A file of its own, or a database where tests stand on a server. */
export async function newPlace(): Promise<string> {
  if (onPostgres) return postgresDatabase()
  const file = join(await scratch(), 'test.db')
  await layDatabase(file)
  return file
}

/** A store of its own. */
export async function openStore(clock: Clock = { now: () => Date.now() }): Promise<Store> {
  const store = await Store.open(await newPlace(), clock)
  onTestFinished(() => store.close())
  return store
}

export const ana = { id: 'ana', name: 'ana' }

export const newSession = (store: Store, thread = 'msg_1'): Promise<Session> =>
  store.transaction((tx) =>
    createSession(tx, {
      thread: { platform: 'console', tenant: 'local', project: 'general', thread },
      person: ana,
      title: 'test',
      timeZone: 'UTC',
    }),
  )
