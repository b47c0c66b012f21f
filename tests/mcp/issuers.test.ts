import { expect, test } from 'vitest'
import { logInMcp } from '../../src/capabilities/mcp/sdk/log-in.ts'
import { logOutMcp } from '../../src/capabilities/mcp/sdk/log-out.ts'
import { guarded } from './guarded.ts'
import { codeFrom, never, visited } from './visited.ts'

test('a logout sends tokens to whoever gave them, even if the server names another one by then', async () => {
  const { wanted, moved, revoked } = await visited()
  const evil = await guarded()
  await logInMcp({ ...wanted, state: 's' }, codeFrom, never)
  moved.server = evil.base
  const isRevoked = await logOutMcp(wanted, never)
  expect(evil.revoked).toEqual([])
  expect(revoked).toEqual(['refresh-me', expect.stringMatching(/^token-/)])
  expect(isRevoked).toBe(true)
})

test('the code of a login goes to whom people have seen, even if the server names another one meanwhile', async () => {
  const { wanted, moved, codes } = await visited()
  const evil = await guarded()
  const codeAt = async (address: URL) => {
    moved.server = evil.base
    return await codeFrom(address)
  }
  // As an operator gives it, it is bound to no server.
  const client = { id: 'bobbin', secret: 'hush' }
  await logInMcp({ ...wanted, client, state: 's' }, codeAt, never).catch(() => undefined)
  expect(evil.codes).toEqual([])
  expect(codes).toHaveLength(1)
})

test('a server that says hello to anybody, and wants a token for its stream, can be logged in to', async () => {
  const { wanted, hello, good } = await visited()
  hello.toAnybody = true
  expect(await logInMcp({ ...wanted, state: 's' }, codeFrom, never)).toBe(true)
  expect(good.size).toBe(1)
})

test('a code that another server gave than the one that would get it is not sent', async () => {
  const { wanted, moved, codes } = await visited()
  const honest = await guarded()
  honest.moved.names = true
  moved.authorize = `${honest.base}/authorize`
  const login = logInMcp({ ...wanted, state: 's' }, codeFrom, never).catch((thrown: unknown) => thrown)
  expect(await login).toMatchObject({ code: 'mcp_login', message: expect.stringContaining('another server') })
  expect(codes).toEqual([])

  delete moved.authorize
  moved.names = true
  expect(await logInMcp({ ...wanted, state: 's' }, codeFrom, never)).toBe(true)
})

test.each(['oauth-authorization-server', 'openid-configuration'] as const)(
  'nor is one that comes without who gave it, if the server says in %s that it names itself',
  async (where) => {
    const { wanted, moved, codes } = await visited()
    moved.saysSo = where
    const login = logInMcp({ ...wanted, state: 's' }, codeFrom, never).catch((thrown: unknown) => thrown)
    expect(await login).toMatchObject({
      code: 'mcp_login',
      message: expect.stringContaining('without saying which server'),
    })
    expect(codes).toEqual([])

    moved.names = true
    expect(await logInMcp({ ...wanted, state: 's' }, codeFrom, never)).toBe(true)
  },
)
