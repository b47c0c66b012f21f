import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { guard } from '../../src/api/security.ts'
import { signInWith } from '../../src/api/sign-in.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { addToken } from '../../src/store/tokens.ts'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { says } from '../support/model-server.ts'
import { tablesIn } from '../support/rows.ts'
import { openStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { raw } from './raw.ts'

const metricsToken = 'only-for-prometheus-8Kq2'

const start = (host = '127.0.0.1') =>
  startTestBot({
    script: () => says('Hello.'),
    environment: { BOBBIN_METRICS_TOKEN: metricsToken },
    config: { server: { host } },
  })

const chat = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"message": "hi", "user_id": "ana"}',
})

describe('on loopback', () => {
  test.each([
    ['a name that was rebound', 'evil.example'],
    ['a name with our port', 'evil.example:PORT'],
    ['a name that begins like ours', '127.0.0.1.evil.example:PORT'],
    ['a name that holds ours', 'localhost.evil.example:PORT'],
    ['our address with another port', '127.0.0.1:1'],
    ['another address', '192.168.0.1:PORT'],
  ])('a request that names %s as its host is refused, whatever it asks for', async (_, host) => {
    const bot = await start()
    const { port } = new URL(bot.chat.url)
    const headers = { host: host.replace('PORT', port) }
    const paths = [
      '/',
      '/health',
      '/readyz',
      '/metrics',
      '/api/v1/agent/conversations',
      '/api/v1/openapi.json',
      '/nothing',
    ]
    for (const path of paths) {
      const answer = await raw(bot.chat.url, path, { headers })
      expect(answer.status).toBe(403)
      expect(answer.json().error).toMatchObject({ code: 'foreign_host', remedy: expect.stringContaining('127.0.0.1') })
    }
    expect((await raw(bot.chat.url, '/api/v1/agent/chat', chat(headers))).status).toBe(403)
    expect(bot.model.requests).toEqual([])
  })

  test.each([
    ['forwarded', 'for=192.0.2.7'],
    ['x-forwarded-for', '192.0.2.7'],
    ['x-forwarded-host', 'bobbin.example'],
    ['x-real-ip', '192.0.2.7'],
    ['via', '1.1 proxy'],
    ['x-forwarded-proto', 'https'],
    ['cf-connecting-ip', '192.0.2.7'],
    ['x-auth-request-email', 'ana@example.com'],
    ['tailscale-user-login', 'ana@example.com'],
  ])('a request that came through a proxy (%s) is refused, except for probes', async (name, value) => {
    const bot = await start()
    const headers = { [name]: value }
    for (const path of ['/', '/health', '/metrics', '/api/v1/agent/conversations', '/nothing']) {
      const answer = await raw(bot.chat.url, path, { headers })
      expect(answer.status).toBe(403)
      expect(answer.json().error).toMatchObject({ code: 'proxied', remedy: expect.stringContaining('BOBBIN_HOST') })
    }
    expect((await raw(bot.chat.url, '/api/v1/agent/chat', chat(headers))).status).toBe(403)
    expect(bot.model.requests).toEqual([])
    for (const path of ['/healthz', '/readyz']) expect((await raw(bot.chat.url, path, { headers })).status).toBe(200)
    const own = { headers: { ...headers, authorization: `Bearer ${metricsToken}` } }
    expect((await raw(bot.chat.url, '/metrics', own)).status).toBe(200)
    expect((await raw(bot.chat.url, '/health', own)).status).toBe(403)
    // Many proxies pass on the name that they were asked for.
    const named = { headers: { ...own.headers, host: 'metrics.example' } }
    expect((await raw(bot.chat.url, '/metrics', named)).status).toBe(200)
    expect((await raw(bot.chat.url, '/health', named)).status).toBe(403)
  })

  test('a proxy that adds nothing is known by HTTP/1.0, and by the address that its pages have in the browser', async () => {
    const bot = await start()
    const { host, hostname, port } = new URL(bot.chat.url)
    const socket = connect(Number(port), hostname)
    socket.end(`GET /health HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toContain('"code":"proxied"')
    const referer = 'https://bobbin.example/'
    const modern = { referer, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    const opened = { ...modern, 'sec-fetch-mode': 'navigate', accept: 'text/html' }
    for (const headers of [{ referer }, modern, opened]) {
      const answer = await raw(bot.chat.url, '/api/v1/agent/conversations', { headers })
      expect([answer.status, answer.json().error.code]).toEqual([403, 'proxied'])
    }
    const sent = await raw(bot.chat.url, '/api/v1/agent/chat', chat({ origin: 'https://bobbin.example', referer }))
    expect(sent.json().error.remedy).toContain('Behind a proxy')
    // The page lets the browser say where it is.
    expect((await raw(bot.chat.url, '/')).headers['referrer-policy']).toBe('same-origin')
  })

  test('another site may link to the console, but load nothing from it', async () => {
    const bot = await start()
    const from = (mode: string, site: string) => ({
      headers: { referer: 'https://evil.example/', 'sec-fetch-site': site, 'sec-fetch-mode': mode },
    })
    for (const site of ['cross-site', 'same-site']) {
      expect((await raw(bot.chat.url, '/health', from('navigate', site))).status).toBe(200)
      const loaded = await raw(bot.chat.url, '/api/v1/agent/conversations', from('no-cors', site))
      expect([loaded.status, loaded.json().error.code]).toEqual([403, 'foreign_origin'])
    }
    // Some browsers don't say from which site a request comes.
    for (const referer of ['http://intranet.example/', `${bot.chat.url.replace('127.0.0.1', 'localhost')}/`])
      for (const path of ['/', '/api/v1/openapi.json'])
        expect((await raw(bot.chat.url, path, { headers: { referer, accept: 'text/html,*/*' } })).status).toBe(200)
    expect((await raw(bot.chat.url, '/health', { headers: { referer: `${bot.chat.url}/` } })).status).toBe(200)
  })

  test.each(['127.0.0.1:PORT', 'localhost:PORT'])('%s is ours', async (host) => {
    const bot = await start()
    const headers = { host: host.replace('PORT', new URL(bot.chat.url).port) }
    expect((await raw(bot.chat.url, '/health', { headers })).status).toBe(200)
  })

  test.each([
    ['another site', 'https://evil.example'],
    ['a page without an origin', 'null'],
    ['another port of this machine', 'http://127.0.0.1:1'],
    ['a site that begins like ours', 'http://127.0.0.1.evil.example'],
  ])('a page of %s may not do anything', async (_, origin) => {
    const bot = await start()
    for (const { path, options } of [
      { path: '/api/v1/agent/chat', options: chat({ origin }) },
      { path: '/api/v1/agent/chat', options: chat({ origin, 'content-type': 'text/plain' }) },
      { path: '/api/v1/requests/req_x/answer', options: chat({ origin }) },
      { path: '/api/v1/agent/conversations', options: { headers: { origin } } },
    ]) {
      const answer = await raw(bot.chat.url, path, options)
      expect(answer.status).toBe(403)
      expect(answer.json().error).toMatchObject({ code: 'foreign_origin' })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    expect(await bot.chat.get('/agent/conversations')).toEqual({ conversations: [], next_cursor: null })
  })

  test('the console’s own pages may', async () => {
    const bot = await start()
    expect((await raw(bot.chat.url, '/api/v1/agent/chat', chat({ origin: bot.chat.url }))).status).toBe(200)
  })

  test('everybody is believed to be who they say they are', async () => {
    const bot = await start()
    const said = await bot.chat.say('hi', { user: 'ana' })
    expect(ofType(said.events, 'message')[0]?.data.person).toEqual({ id: 'ana', name: 'ana' })
  })

  test('another loopback address works under its own name', async () => {
    const bot = await start('127.0.0.2')
    expect(bot.chat.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/)
    expect((await bot.chat.say('hi')).text).toBe('Hello.')
    const foreign = await raw(bot.chat.url, '/health', { headers: { host: 'evil.example' } })
    expect(foreign.status).toBe(403)
  })
})

const nameOf = (cookie = ''): string => cookie.split('=')[0] ?? ''

describe('bound elsewhere', () => {
  async function startOpen() {
    const bot = await start('0.0.0.0')
    const printed = new URL(bot.chat.url)
    const token = printed.searchParams.get('token') ?? ''
    const url = `http://127.0.0.1:${printed.port}`
    return { bot, url, token, bearer: { authorization: `Bearer ${token}` } }
  }

  test.each([
    ['without a token', 'token_needed', () => ({})],
    ['with a wrong one', 'wrong_token', () => ({ authorization: 'Bearer wrong' })],
    ['with an empty one', 'token_needed', () => ({ authorization: 'Bearer ' })],
    ['with its beginning', 'wrong_token', (token: string) => ({ authorization: `Bearer ${token.slice(0, -1)}` })],
    ['with a wrong cookie', 'wrong_token', (_: string, port: string) => ({ cookie: `bobbin_token${port}=wrong` })],
  ])('a request %s is refused with the code %s', async (_, code, headers) => {
    const { bot, url, token } = await startOpen()
    const { port } = new URL(url)
    expect(token.length).toBeGreaterThanOrEqual(32)
    const paths = ['/', '/health', '/metrics', '/api/v1/agent/conversations', '/api/v1/openapi.json', '/assets/app.js']
    for (const path of paths) {
      const answer = await raw(url, path, { headers: headers(token, port) })
      expect(answer.status).toBe(401)
      expect(answer.json().error.code).toBe(code)
    }
    expect((await raw(url, '/api/v1/agent/chat', chat(headers(token, port)))).status).toBe(401)
    expect(bot.model.requests).toEqual([])
  })

  test('the token opens it, as a bearer', async () => {
    const { url, bearer } = await startOpen()
    expect((await raw(url, '/health', { headers: bearer })).status).toBe(200)
    expect((await raw(url, '/api/v1/agent/chat', chat(bearer))).text).toContain('Hello.')
  })

  test('probes need no token, and Prometheus has one of its own that opens nothing else', async () => {
    const { url, bearer } = await startOpen()
    expect((await raw(url, '/healthz')).json()).toEqual({ status: 'ok' })
    expect((await raw(url, '/readyz')).json()).toEqual({ ready: true, reasons: [], connected: ['console'] })
    const headers = { authorization: `Bearer ${metricsToken}` }
    const metrics = await raw(url, '/metrics', { headers })
    expect([metrics.status, metrics.headers['content-type']]).toEqual([200, expect.stringContaining('version=0.0.4')])
    expect((await raw(url, '/metrics', { headers: bearer })).status).toBe(200)
    for (const path of ['/', '/health', '/api/v1/usage', '/metrics/', '/metrics/x'])
      expect((await raw(url, path, { headers })).status).toBe(401)
  })

  test('the printed address opens it once and keeps the token in a cookie that scripts cannot read', async () => {
    const { url, token } = await startOpen()
    const opened = await raw(url, `/?token=${token}`)
    expect(opened.status).toBe(302)
    expect(opened.headers.location).toBe('/')
    const [cookie = ''] = opened.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Strict/i)
    const kept = { cookie: cookie.split(';')[0] ?? '' }
    expect((await raw(url, '/', { headers: kept })).status).toBe(200)
    expect((await raw(url, `/api/v1/agent/conversations?token=${token}`)).status).toBe(401)
    // Browsers would send it to another bot on this host, too, and that one's would take its place.
    const other = await raw(url, `/?token=${token}`, { headers: { host: '127.0.0.1:3002' } })
    expect(nameOf(other.headers['set-cookie']?.[0])).not.toBe(nameOf(cookie))
  })

  test('the token does not help a page of another site', async () => {
    const { url, bearer } = await startOpen()
    const answer = await raw(url, '/api/v1/agent/chat', chat({ ...bearer, origin: 'https://evil.example' }))
    expect(answer.status).toBe(403)
    expect(answer.json().error.remedy).toContain('A proxy has to pass on the Host header')
  })

  test('nobody is believed to be who they say they are', async () => {
    const { url, bearer } = await startOpen()
    const answer = await raw(url, '/api/v1/agent/chat', chat(bearer))
    expect(answer.text).not.toContain('"ana"')
    expect(answer.text).toContain('"person":{"id":"operator","name":"operator"}')
  })

  test('the token survives a restart, is shown once, and is stored as a hash', async () => {
    const { bot, token, bearer } = await startOpen()
    await bot.restart()
    expect(bot.chat.url).not.toContain('token')
    const url = `http://127.0.0.1:${new URL(bot.chat.url).port}`
    expect((await raw(url, '/health', { headers: bearer })).status).toBe(200)
    for (const table of tablesIn(bot.database).values()) expect(table).not.toContain(token)
  })

  test('a token is made, listed and revoked on the command line while the bot runs', async () => {
    const { bot, url, bearer } = await startOpen()
    const made = await bobbin(bot.dataDir, 'token', 'new', 'for Ana')
    const another = { authorization: `Bearer ${made.out.trim()}` }
    expect((await raw(url, '/health', { headers: another })).status).toBe(200)
    const thread = (await raw(url, '/api/v1/agent/chat', chat(another))).headers['x-conversation-id']
    const follow = (headers: Record<string, string>) =>
      fetch(`${url}/api/v1/agent/conversations/${thread}/stream`, { headers })
    const [revoked, kept] = await Promise.all([follow(another), follow(bearer)])
    const { out } = await bobbin(bot.dataDir, 'token', 'list')
    expect(out.split('\n')).toHaveLength(3)
    const [id = ''] = /^token_\S+(?= {2}for Ana {2}made on .*, last used on)/m.exec(out) ?? []
    expect(await bobbin(bot.dataDir, 'token', 'revoke', id)).toMatchObject({ code: 0 })
    // What was open ends as well.
    expect(await revoked.text()).toContain('Hello.')
    const body = JSON.stringify({ conversation_id: thread, message: 'anybody here?' })
    expect((await raw(url, '/api/v1/agent/chat', { ...chat(bearer), body })).status).toBe(200)
    const reader = kept.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let told = ''; !told.includes('anybody here?'); ) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true }
      expect(done).toBe(false)
      told += value
    }
    await reader?.cancel()
    await until('the end of the token', async () => (await raw(url, '/health', { headers: another })).status === 401)
    expect((await raw(url, '/health', { headers: bearer })).status).toBe(200)
    expect((await bobbin(bot.dataDir, 'token', 'revoke', id)).code).toBe(1)
    expect((await bobbin(bot.dataDir, 'token', 'mend')).code).toBe(2)
  })

  test('guesses are slowed down, and nobody who has a token is held up by them', async () => {
    const { bot, url, token, bearer } = await startOpen()
    expect((await raw(url, '/health', { headers: bearer })).status).toBe(200)
    const guess = (value: string) => raw(url, '/sign-in', { method: 'POST', body: JSON.stringify({ token: value }) })
    const statuses = []
    for (let number = 0; number < 12; number++) statuses.push((await guess(`bobbin_guess${number}`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const refused = await guess('bobbin_guess')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.text).not.toContain(token)
    expect((await raw(url, '/health', { headers: bearer })).status).toBe(200)
    // Behind a proxy, all have the same address.
    const another = (await bobbin(bot.dataDir, 'token', 'new')).out.trim()
    expect((await guess(another)).status).toBe(204)
  })

  test('an old token that a forgotten page goes on sending is one guess, and locks nobody out', async () => {
    const { url, token } = await startOpen()
    const cookie = `bobbin_token${new URL(url).port}=old`
    const answers = []
    for (let number = 0; number < 15; number++)
      answers.push((await raw(url, '/api/v1/requests', { headers: { cookie } })).status)
    expect(new Set(answers)).toEqual(new Set([401]))
    for (let number = 0; number < 12; number++)
      await raw(url, '/health', { headers: { authorization: `Bearer guess${number}` } })
    expect((await raw(url, '/health', { headers: { authorization: 'Bearer guess' } })).status).toBe(429)
    expect((await raw(url, '/health', { headers: { cookie } })).status).toBe(401)
    // Whoever guesses behind the same proxy keeps nobody from the page that asks for the token.
    for (const [path, header] of [
      ['/', `bobbin_token${new URL(url).port}=another`],
      ['/?token=former', ''],
    ] as const) {
      const page = await raw(url, path, { headers: { accept: 'text/html', cookie: header } })
      expect([page.status, page.text]).toEqual([401, expect.stringContaining('Sign in to Bobbin')])
    }
    const signedIn = await raw(url, '/sign-in', { method: 'POST', body: JSON.stringify({ token }) })
    expect(signedIn.status).toBe(204)
  })

  test('a browser without a token gets a page that asks for it, and nothing else', async () => {
    const { url, token } = await startOpen()
    const page = await raw(url, '/', { headers: { accept: 'text/html' } })
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('Sign in to Bobbin')])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await raw(url, '/assets/sign-in.js')).status).toBe(200)
    for (const [body, fault] of [
      [{ token, tokn: '' }, 'tokn: there is no such field, but there is token.'],
      [{ token: 7 }, 'token: '],
    ] as const) {
      const refused = await raw(url, '/sign-in', { method: 'POST', body: JSON.stringify(body) })
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(fault)])
      expect(JSON.parse(refused.text).error.remedy).toBe('Send {"token": "…"}.')
    }
    const signedIn = await raw(url, '/sign-in', { method: 'POST', body: JSON.stringify({ token }) })
    expect(signedIn.status).toBe(204)
    const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    expect((await raw(url, '/', { headers: { accept: 'text/html', cookie } })).text).toContain('/assets/app.js')
    const out = await raw(url, '/sign-out', { method: 'POST', headers: { cookie } })
    expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0')
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' }, body: JSON.stringify({ token }) }
    expect((await raw(url, '/sign-in', foreign)).status).toBe(403)
  })
})

test('a full disk keeps nobody out', async () => {
  const store = await openStore()
  await store.transaction((tx) => addToken(tx, { name: 'ana', value: 'good' }))
  const full = async () => {
    throw new Unavailable('disk_full', 'The disk is full.', 'Make room', { passes: true })
  }
  const signIn = signInWith(Object.create(store, { transaction: { value: full } }))
  const context = { env: {} } as Context
  expect(await signIn.isValid(context, 'good')).toBe(true)
  expect(await signIn.isValid(context, 'wrong')).toBe(false)
})

test('whoever follows a thread may go on while nobody can look up the token, and until it is revoked', async () => {
  let lookUp = async () => true
  const tokens = { isValid: async () => true, isInForce: () => lookUp() }
  const app = new Hono<{ Variables: { mayGoOn: () => Promise<boolean> } }>()
  app.use(guard({ tokens, host: '0.0.0.0', port: () => 80 }, { open: [], tokens: new Map() }))
  app.get('/', async (context) => context.json(await context.var.mayGoOn()))
  const answer = async () => (await app.request('/', { headers: { authorization: 'Bearer good' } })).json()
  expect(await answer()).toBe(true)
  lookUp = () => Promise.reject(new Error('no database'))
  expect(await answer()).toBe(true)
  lookUp = async () => false
  expect(await answer()).toBe(false)
})
