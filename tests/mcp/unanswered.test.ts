import { expect, onTestFinished, test, vi } from 'vitest'
import { ChatLogins } from '../../src/capabilities/mcp/login/in-chat.ts'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
import { logInMcp } from '../../src/capabilities/mcp/sdk/log-in.ts'
import { logOutMcp } from '../../src/capabilities/mcp/sdk/log-out.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { openStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { codeFrom, never, visited } from './visited.ts'

test.each(['/.well-known/oauth-authorization-server', '/revoke'])(
  'a logout ends with its time also where %s gives no answer',
  async (at) => {
    const { wanted, hanging } = await visited()
    await logInMcp({ ...wanted, state: 's' }, codeFrom, never)
    hanging.at = at
    const over = new AbortController()
    const out = logOutMcp(wanted, over.signal).catch((thrown: unknown) => thrown)
    await hanging.asked.promise
    over.abort(new Error('its time is over'))
    expect(await out).toMatchObject({ message: 'its time is over' })
  },
)

test('a login ends with its time also where the code is taken but not answered', async () => {
  const { wanted, hanging } = await visited()
  hanging.at = '/token'
  const over = new AbortController()
  const login = logInMcp({ ...wanted, state: 's' }, codeFrom, over.signal).catch((thrown: unknown) => thrown)
  await hanging.asked.promise
  over.abort(new Error('its time is over'))
  expect(await login).toMatchObject({ message: 'The login failed: its time is over' })
})

test('whoever says the number of a login learns within half a minute that its tokens don’t come', async () => {
  const { named, config, settings, hanging } = await visited()
  hanging.at = '/token'
  const store = await openStore()
  const logins = new ChatLogins({ config, settings, store, clock: systemClock, learn() {}, kept: async () => {} })
  onTestFinished(() => logins.stopAll())
  const ana = { id: 'ana', name: 'ana' } as never
  const address = await logins.begin(named, ana)
  const shown = await (await fetch(address ?? '')).text()
  const [, code = ''] = /mcp login x (\d{6})/.exec(shown) ?? []
  await hanging.asked.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let failure: unknown
  void logins.confirm({ name: 'x' }, ana, code).catch((thrown: unknown) => {
    failure = thrown
  })
  await until('the failure', () => {
    vi.advanceTimersByTime(30_000)
    return failure !== undefined
  })
  expect(failure).toMatchObject({ code: 'mcp_login', message: expect.stringContaining('didn’t answer in time') })
})

test.each([
  { what: 'is', at: '/nothing', says: 'Bobbin is logged in.' },
  { what: 'isn’t', at: '/token', says: 'The login failed.' },
])('the browser says how a login went once it $what done', async ({ at, says }) => {
  const { named, config, settings, away } = await visited()
  Object.assign(away, { at, status: 400, error: 'invalid_grant' })
  const shown = Promise.withResolvers<string>()
  const show = (address: URL) => shown.resolve(fetch(address).then((response) => response.text()))
  const isNew = await logIn(named, config, settings, { show }).catch((thrown: unknown) => thrown)
  expect(await shown.promise).toContain(says)
  expect(isNew).toEqual(at === '/nothing' ? true : expect.objectContaining({ code: 'mcp_login' }))
})

test('a login ends also where its browser is closed before it does', async () => {
  const { named, config, settings, hanging } = await visited()
  hanging.at = '/token'
  const closed = new AbortController()
  const over = new AbortController()
  const show = (address: URL) => void fetch(address, { signal: closed.signal }).catch(() => undefined)
  const login = logIn(named, config, settings, { show, signal: over.signal }).catch((thrown: unknown) => thrown)
  await hanging.asked.promise
  closed.abort()
  over.abort(new Error('its time is over'))
  expect(await login).toMatchObject({ message: 'The login failed: its time is over' })
})
