import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { auditRoutes } from '../../src/api/audit.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { appendAudit } from '../../src/store/audit.ts'
import { openStore } from '../support/store.ts'

test('tabs that ask at the same time whether the log is whole share one check', async () => {
  const store = await openStore()
  await store.transaction(async (tx) => {
    for (let seq = 0; seq < 500; seq++) await appendAudit(tx, { kind: 'asked', session: undefined, data: { seq } })
  })
  let pages = 0
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name === 'selectFrom') pages++
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const app = new Hono()
  // The rest of what routes are made of is not used by these.
  auditRoutes(app, { store: { db } } as unknown as ApiDeps)
  const ask = async () => (await app.request('/audit/verify')).json()

  const whole = expect.objectContaining({ ok: true, entries: 500 })
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([whole, whole, whole])
  const together = pages
  pages = 0
  expect(await ask()).toEqual(whole)
  expect(together).toBe(pages)
})
