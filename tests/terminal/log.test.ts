import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { modelRefusal } from '../../src/cli/model-refusal.ts'
import { Failure } from '../../src/kit/failure.ts'
import { createLog } from '../../src/wiring/log.ts'
import { readableLog } from '../../src/wiring/readable-log.ts'
import { reportTo } from '../../src/wiring/reports.ts'
import { openPlace } from '../support/bot-process.ts'
import { shippedConfig } from '../support/shipped.ts'
import { eventually } from '../support/until.ts'

/** What a terminal without colours would show. */
function shown() {
  const stream = new PassThrough()
  return { log: createLog('info', undefined, readableLog(stream)), text: () => String(stream.read() ?? '') }
}

test('a line on a terminal has a time, a level, what happened, and the rest', () => {
  const { log, text } = shown()
  log.warn({ session: 'ses_1', tries: 2 }, 'the socket was closed')
  expect(text()).toMatch(/^\d\d:\d\d:\d\d warn {2}the socket was closed {2}session=ses_1 tries=2\n$/)
})

test('what is expected has no stack, and a bug has one', () => {
  const { log, text } = shown()
  const report = reportTo(log)
  report('a file was refused')(new Failure('too_large', 'It is too large', 'Send a smaller one.'))
  report('a call failed')(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  expect(text()).not.toMatch(/^\s+at /m)
  report('a session failed')(new TypeError('x is undefined'))
  expect(text()).toMatch(/a session failed: x is undefined\n\s+at .*log\.test\.ts/)
})

test('what a stranger wrote cannot write over the terminal', () => {
  const { log, text } = shown()
  log.error({ error: 'gone \u001b[2J\u202e' }, 'a call failed')
  expect(text()).toContain('gone \\u{1b}[2J\\u{202e}')
})

test('a start on a terminal logs for people, and else in JSON', async () => {
  const place = await openPlace({ environment: { BOBBIN_LOG_LEVEL: 'debug' } })
  const onTerminal = place.launch(['bash', '-c', 'printf -v own "%q " "$0" "$@"; exec script -qfec "$own" /dev/null'])
  await eventually(() =>
    expect(stripVTControlCharacters(onTerminal.said())).toMatch(/^\d\d:\d\d:\d\d debug ready {2}address=/m),
  )
  onTerminal.signal('SIGTERM')
  await onTerminal.ended
  const piped = await place.start()
  await eventually(() => expect(piped.said()).toMatch(/^\{"level":20,.*"msg":"ready"\}$/m))
})

const modelKey = 'q7Rt2Kp9Zx4Wm8Bv5Nc1'
const own = 'c1Nv5Bm8Wx4Zp9Kt2Rq7'

/** Leaves a promise behind while it starts, and one with each request. */
const careless = `
  const leave = (secret) => void Promise.reject(new Error('refused: ' + secret))
  export default () => ({
    name: 'careless',
    secrets: () => [{ name: 'careless key', value: '${own}' }],
    start: () => leave('${modelKey}'),
    routes: () => () => (leave('${own}'), new Response()),
  })`

test('a rejected promise that nobody waits for is logged without the bot’s secrets', async () => {
  const place = await openPlace({ plugin: careless, environment: { MODEL_BASE_API_KEY: modelKey } })
  const life = await place.start()
  await life.chat.post('/capabilities/careless/x')
  const said = (key: string) => `"error":"refused: [secret: the bot’s own ${key}]"`
  await eventually(() => expect(life.said().match(/a background promise failed/g)).toHaveLength(2))
  expect(life.said()).toContain(said('model key'))
  expect(life.said()).toContain(said('careless key'))
  expect(life.said()).not.toMatch(new RegExp(`${modelKey}|${own}`))
})

async function refusing(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test.each([
  [401, {}, /^Turns will fail\. The model endpoint refused the key: check MODEL_BASE_API_KEY\.$/m],
  [404, {}, /^Model: scripted$/m],
])('a start whose model answers %i to the key', async (status, files, expected) => {
  const place = await openPlace({ files, environment: { MODEL_BASE_BASE_URL: await refusing(status) } })
  const life = await place.start()
  await eventually(() => expect(life.said()).toMatch(expected))
})

test('the question whether the key is accepted can be turned off', async () => {
  const { model } = shippedConfig({
    MODEL_BASE_API_KEY: 'k',
    MODEL_BASE_BASE_URL: await refusing(403),
    MODEL_BASE_ID: 'gpt-4o',
  })
  expect(await modelRefusal({ model })).toContain('The key may not use gpt-4o')
  expect(await modelRefusal({ model: { ...model, probeAtStart: false } })).toBeUndefined()
})

test('an endpoint that is not there is named', async () => {
  const { model } = shippedConfig({ MODEL_BASE_BASE_URL: 'http://127.0.0.1:1/v1', MODEL_BASE_ID: 'gpt-4o' })
  expect(await modelRefusal({ model })).toMatch(/^The model endpoint 127\.0\.0\.1:1 can’t be reached \(/)
})
