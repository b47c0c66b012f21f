import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { site, testWeb } from '../web/support.ts'
import { asked, heard, yes } from './trust.ts'

test('a redirect leads no further than the rules let a call: what they ask about or deny isn’t fetched', async () => {
  const server = await site((request, response) => {
    const [, host = ''] = /^\/to\/(.+)$/.exec(request.url ?? '') ?? []
    if (host !== '') response.writeHead(302, { location: `http://${host}:${server.port}/data` }).end()
    else if (request.url === '/data') response.writeHead(308, { location: '/data/' }).end()
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(`the data of ${request.headers.host}`)
  })
  const names = ['short.example', 'www.short.example', 'news.example', 'api.example', 'inside.corp']
  const { web } = testWeb(Object.fromEntries(names.map((name) => [name, [['127.0.0.1']]])))
  const at = (host: string, path: string) => `http://${host}:${server.port}${path}`
  const urls = [
    ...['www.short.example', 'news.example', 'inside.corp', 'api.example'].map((to) =>
      at('short.example', `/to/${to}`),
    ),
    at('api.example', '/data'),
  ]
  const script = [...urls.map((url) => calls('web_fetch', { url })), says('Done.')]
  const bot = await startMemoryBot({ script, web, config: { rules: asked() } })
  const { memory, model } = bot
  const message = await memory.say('ana', `@bobbin what do they say? ${urls.join(' ')}`)
  const card = await memory.untilCard(message)
  expect(card.kind === 'approval' && card.payload).toMatchObject({ input: { url: at('api.example', '/data') } })
  const seen = () => server.requests.map(({ headers, path }) => `${headers.host?.replace(/:\d+/, '')}${path}`)
  const unasked = [
    'short.example/to/www.short.example',
    'www.short.example/data',
    'www.short.example/data/',
    'short.example/to/news.example',
    'news.example/data',
    'news.example/data/',
    'short.example/to/inside.corp',
    'short.example/to/api.example',
  ]
  expect(seen()).toEqual(unasked)
  await memory.click('ben', card, yes)
  await memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Done.'))
  // Whoever approves an address approves what its host makes of it.
  expect(seen().slice(unasked.length)).toEqual(['api.example/data', 'api.example/data/'])
  const told = JSON.stringify(model.requests.at(-1))
  for (const host of ['inside.corp', 'api.example']) expect(told).toContain(`It redirects to ${at(host, '/data')}`)
  expect(heard(bot)).toContain(`the data of api.example:${server.port}`)
})
