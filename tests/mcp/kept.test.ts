import { expect, onTestFinished, test } from 'vitest'
import { confirmBegun } from '../../src/capabilities/mcp/login/begun.ts'
import { ChatLogins } from '../../src/capabilities/mcp/login/in-chat.ts'
import { notYetKept } from '../../src/capabilities/mcp/login/kept.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import type { Store } from '../../src/store/store.ts'
import { openStore } from '../support/store.ts'
import { never, visited } from './visited.ts'

/** A login that can't be written to the disk the first times. `tried` is called at each attempt. */
function failing(times: number, code: string, tried = (_: number) => {}) {
  const seen: { tries: number; stored?: JsonObject } = { tries: 0 }
  const kept = notYetKept({
    file: 'x.json',
    read: async () => undefined,
    alone: (work) => work(),
    async write(value) {
      tried(seen.tries + 1)
      if (seen.tries++ < times) throw Object.assign(new Error(`${code}: it can’t be written`), { code })
      seen.stored = value
    },
  })
  return { kept, seen }
}

test('a login that was confirmed while the disk was full is kept once there is room', async () => {
  const { kept, seen } = failing(2, 'ENOSPC')
  await kept.write({ tokens: 'hers' })
  await kept.keep(never)
  expect(seen).toEqual({ tries: 3, stored: { tokens: 'hers' } })
})

test('whoever waits for it learns that the disk stays full, and at once of what doesn’t pass', async () => {
  const full = failing(Number.POSITIVE_INFINITY, 'ENOSPC')
  await full.kept.write({ tokens: 'hers' })
  const why = 'The disk that holds Bobbin’s data is full.'
  await expect(full.kept.keep(AbortSignal.abort())).rejects.toMatchObject({ code: 'disk_full', message: why })

  const denied = failing(1, 'EACCES')
  await denied.kept.write({ tokens: 'hers' })
  await expect(denied.kept.keep(never)).rejects.toMatchObject({ code: 'EACCES' })
  expect(denied.seen.tries).toBe(1)
})

test.each([
  ['fails', (end: () => void) => end()],
  ['waits for the next', (end: () => void) => process.nextTick(end)],
])('nothing is written for whoever stops waiting while an attempt %s', async (_, soon) => {
  const over = new AbortController()
  const { kept, seen } = failing(2, 'ENOSPC', (number) => {
    if (number === 2) soon(() => over.abort())
  })
  await kept.write({ tokens: 'hers' })
  await expect(kept.keep(over.signal)).rejects.toMatchObject({ code: 'disk_full' })
  expect(seen).toEqual({ tries: 2 })
})

const ana = { id: 'ana', name: 'ana' }

/** A login that ana has begun, in whose browser is a number. `kept` is called once it is kept. */
async function begun(store: Store, kept = async () => {}, clock = systemClock) {
  const { named, config, settings } = await visited()
  const logins = new ChatLogins({ config, settings, store, clock, learn() {}, kept })
  onTestFinished(() => logins.stopAll())
  const shown = await (await fetch((await logins.begin(named, ana)) ?? '')).text()
  const [, code = ''] = /mcp login x (\d{6})/.exec(shown) ?? []
  return { logins, code }
}

test('a login that is kept when an outage begins counts once it is over', async () => {
  const store = await openStore()
  let isAway = false
  const wavering = Object.create(store, {
    transaction: {
      value: (...work: Parameters<Store['transaction']>) => {
        if (!isAway) return store.transaction(...work)
        isAway = false
        throw new Unavailable('database_unreachable', 'The server is away.', 'Start it', { passes: true })
      },
    },
  })
  const { logins, code } = await begun(wavering, async () => {
    isAway = true
  })
  await logins.confirm({ name: 'x' }, ana, code)
  expect(isAway).toBe(false)
})

test('a login that is kept at the last moment counts', async () => {
  let aheadMs = 0
  const clock = { now: () => systemClock.now() + aheadMs }
  const late = async () => {
    aheadMs = 60_000
  }
  const { logins, code } = await begun(await openStore(), late, clock)
  await logins.confirm({ name: 'x' }, ana, code)
  expect(aheadMs).toBe(60_000)
})

test('a number that was heard just before an outage is right, too, when it is heard again', async () => {
  const store = await openStore()
  const { logins, code } = await begun(store)
  await confirmBegun(store, 'x', ana.id, code)
  await logins.confirm({ name: 'x' }, ana, code)
  await logins.confirm({ name: 'x' }, ana, code)
  await expect(logins.confirm({ name: 'x' }, ana, `${code}0`)).rejects.toMatchObject({ code: 'mcp_login' })
})
