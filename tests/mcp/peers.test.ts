import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ofType } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { eventually, until } from '../support/until.ts'
import { botWith } from './support.ts'

// Servers that others wrote and published.
const published = (name: string) =>
  resolve(import.meta.dirname, `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)

/** The everything server on a port of its own. */
async function everythingOver(kind: 'streamableHttp' | 'sse', path: string): Promise<string> {
  const port = await freePort()
  const child = spawn(process.execPath, [published('everything'), kind], { env: { PORT: `${port}` }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await eventually(() => fetch(`http://127.0.0.1:${port}/nothing`))
  return `http://127.0.0.1:${port}${path}`
}

test('the published servers work over stdio, HTTP and SSE', async () => {
  const folder = await scratch()
  const node = process.execPath
  const [http, sse] = await Promise.all([everythingOver('streamableHttp', '/mcp'), everythingOver('sse', '/sse')])
  const servers = {
    all: { command: node, args: [published('everything')], sampling: true },
    http: { url: http },
    sse: { url: sse, transport: 'sse' },
    files: { command: node, args: [published('filesystem'), folder] },
    own: { command: node, args: [published('filesystem'), folder], scope: 'session' },
    memory: { command: node, args: [published('memory')], env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` } },
  }
  const entities = [{ name: 'Ana', entityType: 'person', observations: ['likes tea'] }]
  const script = [
    calls(
      'mcp__all__echo',
      { message: 'a' },
      ['mcp__http__echo', { message: 'b' }],
      ['mcp__sse__echo', { message: 'c' }],
    ),
    calls('mcp__all__get-tiny-image', {}, [
      'mcp__all__get-resource-reference',
      { resourceType: 'Text', resourceId: 1 },
    ]),
    calls('mcp__all__get-structured-content', { location: 'Chicago' }, ['mcp__http__get-sum', { a: 2, b: 40 }]),
    calls('mcp__files__write_file', { path: `${folder}/note.txt`, content: 'hello' }),
    calls('mcp__files__read_text_file', { path: `${folder}/note.txt` }, [
      'mcp__files__read_text_file',
      { path: '/etc/passwd' },
    ]),
    // It asks for the roots after it has said hello, so only a later call surely finds them.
    calls('mcp__memory__create_entities', { entities }, ['mcp__own__list_allowed_directories', {}]),
    calls('mcp__memory__search_nodes', { query: 'tea' }),
    calls('mcp__all__trigger-elicitation-request', {}),
    calls('mcp__http__trigger-long-running-operation', { duration: 0.2, steps: 2 }),
    calls('mcp__all__resources', {}, ['mcp__sse__resources', { uri: 'demo://resource/dynamic/text/7' }]),
    calls('mcp__all__prompts', {}, ['mcp__http__prompts', { name: 'args-prompt', arguments: { city: 'Oslo' } }]),
    calls('mcp__own__list_allowed_directories', {}),
    says('Done.'),
  ]
  const bot = await botWith(servers, { script, config: { rules: { approvals: false }, agent: { parallelCalls: 1 } } })
  const said = bot.chat.say('go')
  const asked = await until('a question', async () => (await bot.chat.requests())[0])
  await bot.chat.answer(asked.id, { answer: 'Ana' })
  const { events, text, conversation } = await said
  expect(text).toBe('Done.')
  const results = ofType(events, 'observe').map(({ data }) => [data.status, data.result ?? ''] as const)
  const [a, b, c, image, reference, weather, sum, written, read, refused, made, , found, form, long, ...offered] =
    results
  expect([a, b, c, sum].map((one) => one?.[1])).toEqual(['Echo: a', 'Echo: b', 'Echo: c', 'The sum of 2 and 40 is 42.'])
  expect(image?.[1]).toMatch(/image\/png, [\d,]+ bytes: saved as temp\/mcp\//)
  expect(reference?.[1]).toContain('[The resource demo://resource/dynamic/text/1]')
  expect(weather?.[1]).toContain('temperature')
  expect(written?.[0]).toBe('done')
  expect(read?.[1]).toBe('hello')
  expect(refused).toEqual(['failed', expect.stringContaining('outside allowed directories')])
  expect(made?.[0]).toBe('done')
  expect(found?.[1]).toContain('likes tea')
  const roots = offered.pop()
  expect(roots?.[1]).toContain(`/workspace/${conversation}`)
  expect(form?.[1]).toContain('Ana')
  expect(long?.[1]).toContain('Long running operation completed')

  const [resources, resource, prompts, prompt] = offered.map(([, result]) => result)
  expect(resources).toMatch(/^- .+ <demo:\/\/resource\/static\/document\/\S+\.md>/m)
  expect(resources).toContain('<demo://resource/dynamic/text/{resourceId}>')
  expect(resource).toMatch(/^\[The resource demo:\/\/resource\/dynamic\/text\/7\]\nResource 7: /)
  expect(prompts).toContain('- args-prompt (city, state?)')
  expect(prompt).toBe("What's weather in Oslo?")
  const sent = bot.model.requests.at(-1)?.messages.map(({ content }) => content)
  expect(sent).toContain(`<data source="the MCP server http">\n${prompt}\n</data>`)
  const tools = bot.model.requests[0]?.tools?.map(({ function: { name } }) => name) ?? []
  expect(tools).toContain('mcp__all__resources')
  expect(tools).not.toContain('mcp__files__resources')
  const asking = await bot.chat.say('mcp prompts all', { conversation })
  const forPeople = ofType(asking.events, 'message').findLast(({ data }) => data.role === 'assistant')
  expect(forPeople?.data.text).toContain('- args-prompt (city, state?)')
})
