import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptLogin, loginFile } from '../../src/capabilities/mcp/login/kept.ts'
import { logIn, logOut } from '../../src/capabilities/mcp/login/log-in.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { ofType } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { until } from '../support/until.ts'
import { guarded } from './guarded.ts'
import { botWith, untilKnown } from './support.ts'

test('a login with a browser lets a server be used, is refreshed, and can be taken back', async () => {
  const { url, good, listened, revoked, moved } = await guarded()
  const script = [calls('mcp__x__whoami', {}), says('One.'), calls('mcp__x__whoami', {}), says('Two.')]
  const logins = { port: await freePort() }
  const bot = await botWith({ x: { url } }, { script, logins, config: { rules: { approvals: false } } })
  const why = async () => {
    const server = await bot.chat.get<{ state: string; why: string }>('/mcp/servers/x')
    return `${server.state}: ${server.why}`
  }
  const start = async () => (await bot.chat.post('/mcp/servers/x/start')).status
  expect(await start()).toBe(502)
  expect(await why()).toContain('it wants somebody to log in')

  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  const answers: string[] = []
  const statuses: number[] = []
  const show = async (address: URL) => {
    // Somebody sends the browser here with a code of theirs.
    const forged = await fetch(`http://127.0.0.1:${logins.port}/mcp/oauth/callback?code=evil&state=guessed`)
    answers.push(await forged.text())
    // Nor does what can't be read end the process: no address, and a state with other bytes than characters.
    const { length } = address.searchParams.get('state') ?? ''
    for (const odd of ['//', `/mcp/oauth/callback?code=evil&state=${'é'.repeat(length)}`])
      statuses.push((await fetch(`http://127.0.0.1:${logins.port}${odd}`)).status)
    answers.push(await (await fetch(address)).text())
  }
  const isNew = await logIn({ name: 'x', server }, bot.config, settings, { show })
  expect(isNew).toBe(true)
  expect(statuses).toEqual([400, 400])
  expect(answers[0]).toContain('This isn’t the login that was started')
  const [file = ''] = readdirSync(join(bot.dataDir, 'mcp/logins'))
  expect(statSync(join(bot.dataDir, 'mcp/logins', file)).mode & 0o777).toBe(0o600)

  // A failed start is followed by a pause, which the bot keeps.
  await bot.restart()
  await untilKnown(bot.chat)
  const { conversation, events } = await bot.chat.say('who')
  expect(ofType(events, 'observe')[0]?.data.result).toBe('somebody')
  // Otherwise it would ask for the stream, and then for a new token, at any time.
  await listened.promise
  good.clear()
  const again = await bot.chat.say('who', { conversation })
  expect(ofType(again.events, 'observe')[0]?.data.result).toBe('somebody')
  expect(good.size).toBe(1)

  // A logout that is sent elsewhere goes nowhere: the tokens would go there too.
  const inside = await guarded()
  moved.to = new URL('/revoke', inside.url).href
  const login = readFileSync(join(bot.dataDir, 'mcp/logins', file))
  expect(await logOut({ name: 'x', server }, bot.config, settings)).toBe(false)
  expect(inside.revoked).toEqual([])
  delete moved.to
  writeFileSync(join(bot.dataDir, 'mcp/logins', file), login, { mode: 0o600 })
  expect(await logOut({ name: 'x', server }, bot.config, settings)).toBe(true)
  expect(revoked).toEqual(['refresh-me', expect.stringMatching(/^token-/)])
  await bot.restart()
  expect(await start()).toBe(502)
  expect(await why()).toContain('it wants somebody to log in')
})

test('a login to a server over SSE is made, refreshed and taken back like one over HTTP', async () => {
  const { sse, good, revoked } = await guarded()
  const bot = await botWith({ x: { url: sse, transport: 'sse' } }, { logins: { port: await freePort() } })
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  const call = async () => (await bot.chat.post('/mcp/servers/x/call', { tool: 'whoami' })).json()
  expect(await call()).toMatchObject({ error: { message: expect.stringContaining('wants somebody to log in') } })

  const log = () => logIn({ name: 'x', server }, bot.config, settings, { show: (address) => void fetch(address) })
  expect(await log()).toBe(true)
  await bot.restart()
  await untilKnown(bot.chat)
  const somebody = { content: [{ kind: 'text', text: 'somebody' }] }
  expect(await call()).toMatchObject(somebody)
  good.clear()
  expect(await call()).toMatchObject(somebody)
  expect(good.size).toBe(1)
  expect(await log()).toBe(false)
  expect(await logOut({ name: 'x', server }, bot.config, settings)).toBe(true)
  expect(revoked).toHaveLength(2)
})

test('two processes don’t refresh a login at once, and one that was killed holds the others up for no longer', async () => {
  const directory = await scratch()
  const [one, other] = [1, 2].map(() => keptLogin(loginFile(directory, 'x', 'https://x.example/'), undefined))
  const order: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = one?.alone(async () => {
    order.push('begins')
    await promise
    order.push('ends')
  })
  await until('the first', () => order.length > 0)
  const second = other?.alone(async () => void order.push('another'))
  await readFile(join(directory, 'none')).catch(() => {})
  resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['begins', 'ends', 'another'])

  const folder = join(directory, 'mcp', 'logins')
  const killed = one?.alone(async () => {
    const [lock = ''] = readdirSync(folder)
    utimesSync(join(folder, lock), 0, 0)
    await other?.alone(async () => void order.push('after the one that was killed'))
  })
  await killed
  expect(order).toHaveLength(4)
  expect(readdirSync(folder)).toEqual([])
})

test('two calls that find the token run out refresh it once, also where a refresh token is good for one use', async () => {
  const { url, good, listened, refreshing, refusing } = await guarded()
  refreshing.rotates = true
  const logins = { port: await freePort() }
  const bot = await botWith({ x: { url } }, { logins })
  const settings = settingsIn(bot.config, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  await logIn({ name: 'x', server }, bot.config, settings, { show: (address) => void fetch(address) })
  await bot.restart()
  const call = async () => (await bot.chat.post('/mcp/servers/x/call', { tool: 'whoami' })).json()
  const somebody = { content: [{ kind: 'text', text: 'somebody' }] }
  expect(await call()).toMatchObject(somebody)
  await listened.promise
  for (let time = 0; time < 2; time++) {
    good.clear()
    refusing.together = 2
    expect(await Promise.all([call(), call()])).toMatchObject([somebody, somebody])
    expect(good.size).toBe(1)
  }
  expect(refreshing.refused).toBe(0)
  expect(readdirSync(join(bot.dataDir, 'mcp/logins'))).toHaveLength(1)
})

test('a login in a thread counts once whoever asked says the number that their browser shows', async () => {
  const { url } = await guarded()
  const logins = { port: await freePort(), key: 'a key of the operator' }
  const bot = await botWith({ x: { url } }, { logins })
  const say = async (text: string, user = 'ana') => {
    const { conversation: thread, events } = await bot.chat.say(text, {
      user,
      ...(conversation && { conversation }),
    })
    conversation ??= thread
    return ofType(events, 'message').findLast(({ data }) => data.role === 'assistant')?.data.text ?? ''
  }
  let conversation: string | undefined
  expect(await say('mcp')).toMatch(/- `x` – failed, 0 tools: .*log in/)
  const [address = ''] = /http\S+$/.exec(await say('mcp login x')) ?? []
  expect(await say('mcp login x 000000')).toContain('This isn’t the number')
  const shown = await (await fetch(address)).text()
  const [, code = ''] = /mcp login x (\d{6})/.exec(shown) ?? []
  expect(await say(`mcp login x ${code}`, 'bob')).toContain('You haven’t started a login to x')
  expect(await say(`mcp login x ${code === '111111' ? '222222' : '111111'}`)).toContain('This isn’t the number')
  expect(await say('mcp test x')).toContain('it wants somebody to log in')
  expect(await say(`mcp login x ${code}`)).toBe('I’m logged in to x with ana’s account. It has 1 tool.')
  expect(await say('mcp x')).toContain('`mcp__x__whoami`')

  const [file = ''] = readdirSync(join(bot.dataDir, 'mcp/logins'))
  expect(readFileSync(join(bot.dataDir, 'mcp/logins', file), 'utf8')).toMatch(/^sealed1\.[\w-]+$/)
  expect(await say('mcp logout x')).toContain('the server has revoked the login')
  expect(readdirSync(join(bot.dataDir, 'mcp/logins'))).toEqual([])
})
