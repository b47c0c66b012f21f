import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/domain/clock.ts'
import { publish } from '../../src/sessions/publish.ts'
import { readEvents } from '../../src/store/events.ts'
import { createSession } from '../../src/store/sessions.ts'
import { Store } from '../../src/store/store.ts'
import { openConsole } from './console-driver.ts'
import { contractSuite } from './suite.ts'

contractSuite('the console', openConsole)

test('what is posted under one key is shown once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-test-'))
  const store = await Store.open(join(directory, 'a.db'), systemClock)
  onTestFinished(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const thread = { platform: 'console', tenant: 'local', project: 'general', thread: 'msg_1' }
  const person = { id: 'ana', name: 'ana' }
  const session = await store.transaction((tx) => createSession(tx, { thread, person, title: '', timeZone: 'UTC' }))
  const message = { text: 'Hello.', files: [] }
  await Promise.all([1, 2, 3, 4].map(() => publish(store, thread, message, 'msg_key')))
  expect(await readEvents(store.db, session.id, 1, 10)).toHaveLength(1)
})
