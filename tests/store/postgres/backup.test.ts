import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { appendAudit } from '../../../src/store/audit.ts'
import { verifyAudit } from '../../../src/store/audit-chain.ts'
import { appendEvents } from '../../../src/store/events.ts'
import { insertOutbox } from '../../../src/store/outbox.ts'
import { Store } from '../../../src/store/store.ts'
import { contentOf } from '../../move/support.ts'
import { postgresDatabase } from '../../support/database.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { newSession, scratch } from '../../support/store.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/running.md'), 'utf8')

/** Runs a program in the way that the page says. */
function asDocumented(program: string, DATABASE_URL: string, cwd: string): void {
  const [line] = new RegExp(`${program} --[^\\n\`]*`).exec(page) ?? []
  if (line === undefined) throw new Error(`docs/running.md says nothing about ${program}`)
  execFileSync('sh', ['-c', line], { cwd, env: { PATH: `${postgresPrograms}:${process.env.PATH}`, DATABASE_URL } })
}

test('what is backed up and restored as docs/running.md says is the same, and a bot of this version opens it', async () => {
  const [from, to, folder] = [await postgresDatabase(), await postgresDatabase('empty'), await scratch()]
  const store = await Store.open(from, systemClock)
  const { id: session } = await newSession(store)
  await store.transaction(async (tx) => {
    await appendEvents(tx, session, [
      { type: 'warning', data: { code: 'late', message: 'hello \\ "there" \u2028 🧶' } },
    ])
    await insertOutbox(tx, {
      ...{ key: 'msg_a', session, turn: undefined, kind: 'answer' },
      payload: { text: 'hi', files: [] },
    })
    await appendAudit(tx, { kind: 'asked', session, data: { request: 'req_a' } })
  })
  await store.close()

  asDocumented('pg_dump', from, folder)
  asDocumented('pg_restore', to, folder)
  expect(contentOf(to)).toEqual(contentOf(from))
  const restored = await Store.open(to, systemClock, undefined, { migrates: false })
  try {
    expect(await verifyAudit(restored.db)).toMatchObject({ ok: true, entries: 1 })
    await expect(restored.db.deleteFrom('audit').execute()).rejects.toThrow()
    // Numbers that the database gives go on.
    await restored.transaction((tx) => appendAudit(tx, { kind: 'asked', session, data: { request: 'req_b' } }))
    expect(await verifyAudit(restored.db)).toMatchObject({ ok: true, entries: 2 })
  } finally {
    await restored.close()
  }
})
