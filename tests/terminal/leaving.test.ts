import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/until.ts'
import { chat } from './running-chat.ts'

const thread = 'ses_000000000000000000001'

/** What stands in for a Bobbin that is frozen: it answers nothing but what it is asked at first, and begins every file. */
async function startFrozen() {
  const sent: { what: string; answer: ServerResponse }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const what = `${request.url?.replace('/api/v1/agent/', '')}`
    if (request.method === 'POST')
      return void sent.push({ what: `${what} ${/hello|again/.exec(body) ?? ''}`, answer: response })
    if (what.includes('/files/')) return void response.write('the beginning')
    if (what.endsWith('/stream')) return void response.write(': \n\n')
    response.end(`{"id":"${thread}","title":"hello","state":"idle","last_sequence":0}`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const terminal = await chat(url, [thread], { terminal: true })
  await eventually(() => expect(terminal.out()).toMatch(/Thread ses_[\s\S]*> $/))
  /** Resolves once everything was asked of it. */
  const asked = (...all: string[]) => eventually(() => expect(sent.map(({ what }) => what)).toEqual(all))
  return { ...terminal, sent, asked }
}

test('after Ctrl-D, what was entered is still sent', async () => {
  const { sent, asked, type, write, raw, ended } = await startFrozen()
  type('hello')
  await asked('chat hello')
  type('again')
  write('\x04')
  await eventually(() => expect(raw()).toContain('\x1b[?2004l'))
  sent[0]?.answer.setHeader('x-conversation-id', thread).end()
  await asked('chat hello', 'chat again')
  sent[1]?.answer.setHeader('x-conversation-id', thread).end()
  const { code, out } = await ended
  expect(out).toMatch(/again\s[\s\S]*To go on: bobbin chat ses_/)
  expect(code).toBe(0)
})

test('Ctrl-C during a download leaves, and no part of the file is left', async () => {
  const { folder, type, write, ended } = await startFrozen()
  type('/get outputs/a.zip')
  await eventually(async () => expect(await readdir(folder)).toContain('a.zip'))
  write('\x03')
  const { code, out } = await ended
  expect(out).toMatch(/! You left before Bobbin had answered\.\s+To go on: \S*/)
  expect(code).toBe(0)
  expect(await readdir(folder)).not.toContain('a.zip')
})

test('a second Ctrl-C leaves a bot that is frozen in the middle of a turn', async () => {
  const { asked, type, write, ended } = await startFrozen()
  type('hello')
  await asked('chat hello')
  write('\x03')
  await asked('chat hello', `conversations/${thread}/stop `)
  write('\x03')
  const { code, out } = await ended
  expect(out).toMatch(/! You left before Bobbin had answered\.\s+To go on: \S*/)
  expect(code).toBe(0)
})

test('what was entered behind it is not sent to whom one has left', async () => {
  const { sent, asked, type, write, ended } = await startFrozen()
  type('hello')
  await asked('chat hello')
  type('again')
  write('\x03')
  await asked('chat hello', `conversations/${thread}/stop `)
  write('\x03')
  expect((await ended).out).toMatch(/! You left before Bobbin had answered\.\s+[\s\S]*To go on: \S*/)
  expect(sent).toHaveLength(2)
})
