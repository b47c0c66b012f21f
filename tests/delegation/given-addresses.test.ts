import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { site, testWeb } from '../web/support.ts'
import { family, long } from './support.ts'

const page = async () => {
  const server = await site((request, response) => {
    response.setHeader('content-type', 'text/plain')
    response.end(request.url === '/' ? `More at http://page.example:${server.port}/found.` : 'It is fine.')
  })
  return server
}

/** Two subagents, one after the other; the second one fetches this path. */
async function second(path: string, words: (here: string) => string) {
  const server = await page()
  const here = `http://page.example:${server.port}`
  const one = (task: string) => calls('delegate_task', { task })
  const script = family(
    [one('first'), one(`fetch ${here}${path}`), says('Put together.')],
    [(task) => calls('web_fetch', { url: `${here}${task === 'first' ? '/' : path}` }), (task) => says(long(task))],
  )
  const bot = await startTestBot({ script, ...testWeb({ 'page.example': [['127.0.0.1']] }) })
  return { bot, server, said: bot.chat.say(words(here)) }
}

test.each([
  ['a URL that a person wrote in the thread', '/given', (here: string) => `read ${here}/ and ${here}/given`],
  ['a link that another one of the turn has found', '/found', (here: string) => `read ${here}/`],
])('a subagent may fetch %s', async (_, path, words) => {
  const { server, said } = await second(path, words)
  expect((await said).text).toBe('Put together.')
  expect(server.requests.map((one) => one.path)).toEqual(['/', path])
})

test('but not what only its task says', async () => {
  const { bot, server, said } = await second('/take?d=secret', (here) => `read ${here}/`)
  const { conversation } = await said
  expect(await bot.chat.requests()).toMatchObject([{ tool_name: 'web_fetch', conversation_id: conversation }])
  expect(server.requests.map((one) => one.path)).toEqual(['/'])
})

test('the thread itself may fetch a link that one of its subagents has found', async () => {
  const server = await page()
  const here = `http://page.example:${server.port}`
  const fetch = (path: string) => calls('web_fetch', { url: `${here}${path}` })
  const script = family(
    [calls('delegate_task', { task: 'first' }), fetch('/found'), says('Done.')],
    [fetch('/'), (task) => says(long(task))],
  )
  const bot = await startTestBot({ script, ...testWeb({ 'page.example': [['127.0.0.1']] }) })
  expect((await bot.chat.say('go')).text).toBe('Done.')
  expect(server.requests.map((one) => one.path)).toEqual(['/', '/found'])
})
