import { expect, test } from 'vitest'
import { connectMcp } from '../../src/capabilities/mcp/sdk/connect.ts'
import { logInMcp } from '../../src/capabilities/mcp/sdk/log-in.ts'
import { refreshing } from '../../src/capabilities/mcp/sdk/refresh.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { codeFrom, never, visited } from './visited.ts'

const tokens = (of: string) => ({ access_token: `${of}-access`, refresh_token: `${of}-refresh`, token_type: 'Bearer' })

test('a refresh that is under way when somebody else logs in leaves their login as it is', async () => {
  let stored: JsonObject = { tokens: tokens('ana') }
  const kept = {
    read: async () => stored,
    write: async (value: JsonObject) => {
      stored = value
    },
    alone: <T>(work: () => Promise<T>) => work(),
  }
  const send = refreshing(kept, async () => {
    stored = { tokens: tokens('ben') }
    return Response.json(tokens('ana-again'))
  })
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'ana-refresh' })
  const response = await send('http://127.0.0.1/token', { method: 'POST', body })
  expect(stored).toEqual({ tokens: tokens('ben') })
  expect(await response.json()).toEqual(tokens('ben'))
})

/** Somebody who has logged in, and whose token has run out. */
async function expired() {
  const { wanted, good, away, listened } = await visited()
  const { url, messageBytes, ...login } = { ...wanted, client: { scope: 'all' } }
  const logIn = () => logInMcp({ ...login, url, messageBytes, state: 's' }, codeFrom, never)
  await logIn()
  const host = {
    roots: () => [],
    elicit: async () => ({ action: 'decline' as const }),
    ...{ sample: undefined, toolsChanged() {}, closed() {}, mask: String },
  }
  const limits = { messageBytes, tools: 10, definitionBytes: messageBytes }
  const connect = () => connectMcp({ kind: 'http', url, headers: {}, login }, host, limits, never)
  const client = await connect()
  // Otherwise it would ask for the stream, and then for a new token, at any time.
  await listened.promise
  good.clear()
  return { away, connect, good, kept: login.kept, logIn, whoAmI: () => client.call('whoami', {}, never, () => {}) }
}

const isAway = { code: 'mcp_tokenless', message: expect.stringContaining('no new token for the server') }
const somebody = { content: [{ text: 'somebody' }] }

test.each([
  [503, ''],
  [503, 'temporarily_unavailable'],
  [429, 'too_many_requests'],
  [500, 'invalid_grant'],
  [502, 'invalid_client'],
])('a token server that is away for a moment (%s %s) is no login that has run out', async (status, error) => {
  const { away, connect, kept, whoAmI } = await expired()
  const before = await kept.read()
  Object.assign(away, { at: '/token', status, error })
  await expect(whoAmI()).rejects.toMatchObject(isAway)
  await expect(connect()).rejects.toMatchObject(isAway)
  // Nobody has to log in again, or for more.
  expect(await kept.read()).toEqual(before)
  away.at = '/nothing'
  expect(await whoAmI()).toMatchObject(somebody)
})

test.each([503, 429])('nor is one that says %s to whoever asks how it is reached', async (status) => {
  const { away, connect, kept, whoAmI } = await expired()
  const before = await kept.read()
  Object.assign(away, { at: '/.well-known/oauth-authorization-server', status })
  await expect(whoAmI()).rejects.toMatchObject(isAway)
  await expect(connect()).rejects.toMatchObject(isAway)
  expect(await kept.read()).toEqual(before)
  away.at = '/nothing'
  expect(await whoAmI()).toMatchObject(somebody)
})

test('a call for which the token server gives no token was not carried out, and the refusal says why', async () => {
  const { away, connect, whoAmI } = await expired()
  Object.assign(away, { at: '/token', status: 400, error: 'invalid_scope' })
  const why = expect.stringContaining('the server that gives the tokens refused: invalid_scope')
  await expect(whoAmI()).rejects.toMatchObject({ code: 'mcp_refused', message: why })
  await expect(connect()).rejects.toMatchObject({ code: 'mcp_unreachable', message: why })
})

test.each(['temporarily_unavailable', 'too_many_requests'])('a refusal that says %s passes', async (error) => {
  const { away, whoAmI } = await expired()
  Object.assign(away, { at: '/token', status: 400, error })
  await expect(whoAmI()).rejects.toMatchObject(isAway)
})

test.each([
  [503, ''],
  [500, 'invalid_client_metadata'],
])(
  'a server at which Bobbin can’t register for a moment (%s %s) refuses no call and no login',
  async (status, error) => {
    const { away, connect, kept, logIn, whoAmI } = await expired()
    const { client: _, ...without } = (await kept.read()) ?? {}
    await kept.write(without)
    Object.assign(away, { at: '/register', status, error })
    await expect(whoAmI()).rejects.toMatchObject(isAway)
    await expect(connect()).rejects.toMatchObject(isAway)
    await expect(logIn()).rejects.toMatchObject({ code: 'mcp_login', remedy: 'Try again later.' })
    away.at = '/nothing'
    expect(await whoAmI()).toMatchObject(somebody)
  },
)

test('a login whose code meets a token server that is away is to be tried again later', async () => {
  const { away, logIn } = await expired()
  Object.assign(away, { at: '/token', status: 503 })
  const reason = 'The login failed: the server that gives the tokens is away at the moment'
  await expect(logIn()).rejects.toMatchObject({ message: reason, remedy: 'Try again later.' })
})

test('once others have got new tokens, a token server that was away counts as back', async () => {
  const { away, kept, whoAmI } = await expired()
  away.at = '/token'
  await expect(whoAmI()).rejects.toMatchObject(isAway)
  away.at = '/nothing'
  // They are no longer good either, and can’t be replaced.
  await kept.write({ ...(await kept.read()), tokens: { access_token: 'later', token_type: 'Bearer' } })
  await expect(whoAmI()).rejects.toMatchObject({ code: 'mcp_login' })
})

test('nor does one that has answered since, and then refuses in a form of its own', async () => {
  const { away, good, whoAmI } = await expired()
  away.at = '/token'
  await expect(whoAmI()).rejects.toMatchObject(isAway)
  away.at = '/nothing'
  expect(await whoAmI()).toMatchObject(somebody)
  good.clear()
  Object.assign(away, { at: '/token', status: 400 })
  await expect(whoAmI()).rejects.toMatchObject({ code: 'mcp_login' })
})
