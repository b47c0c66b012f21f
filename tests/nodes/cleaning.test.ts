import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanWorkspaces, removals } from '../../src/inbound/clean.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import type { Store } from '../../src/store/store.ts'
import { workspacesIn } from '../../src/workspace/workspaces.ts'
import { startTestBot } from '../support/bot.ts'
import { ana, newSession, scratch } from '../support/store.ts'
import { meanwhile, two } from '../support/two-stores.ts'
import { startBeside } from './support.ts'

const rethrow = (thrown: unknown) => {
  throw thrown
}

const dayMs = 86_400_000

/** The files of an idle thread, on the disk that two processes share. */
async function start() {
  const [store, other] = await two()
  const directory = await scratch()
  const session = await newSession(store)
  const root = join(directory, session.id)
  await (await workspacesIn(directory, rethrow).open(session)).write('uploads/a', 'hello')
  const workspacesOf = (one: Store) =>
    workspacesIn(directory, rethrow, {
      alone: (work) =>
        one.transaction(async (tx) => {
          await tx.alone(removals)
          await work()
        }),
    })
  return { store, other, directory, session, root, workspacesOf }
}

test('files stay when a message is received while another process is about to remove them', async () => {
  const { store, other, session, root, workspacesOf } = await start()
  const said = { person: ana, text: 'Are they still there?', files: [], message: '1' }
  const row = { dedupKey: 'said', kind: 'message' as const, payload: said, eventId: 1 }
  const cleaning = { store: other, clock: { now: () => Date.now() + 30 * dayMs }, idleWorkspaceDays: 7 }
  const cleaned = await meanwhile(
    store,
    (tx) => insertInbox(tx, session.id, row),
    () => cleanWorkspaces({ ...cleaning, workspaces: workspacesOf(other) }),
  )
  expect(cleaned.removed).toBe(0)
  expect(await readdir(join(root, 'uploads'))).toEqual(['a'])
})

test('a process that looks for what a crash left waits for a removal that is under way in another one', async () => {
  const { store, other, directory, session, root, workspacesOf } = await start()
  await meanwhile(
    store,
    async (tx) => {
      await tx.alone(removals)
      await rename(root, join(directory, `.removed-${session.id}-0123456789ab`))
    },
    () => workspacesOf(other).sweep(),
    () => mkdir(root),
  )
  expect(await readdir(directory)).toEqual([session.id])
  expect(await readdir(root)).toEqual([])
})

test('a start beside another process removes an upload that nobody expects, once it is a day old', async () => {
  const one = await startTestBot()
  const incoming = join(one.dataDir, 'incoming')
  const hoursAgo = { upload_new: 5, upload_old: 30 }
  for (const [name, hours] of Object.entries(hoursAgo)) {
    const then = new Date(Date.now() - hours * 3_600_000)
    await writeFile(join(incoming, name), 'of a request that was cut')
    await utimes(join(incoming, name), then, then)
  }
  await startBeside(one, 'two')
  expect(await readdir(incoming)).toEqual(['upload_new'])
})
