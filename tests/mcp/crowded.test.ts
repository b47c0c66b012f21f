import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere } from '../commands/support.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { botWith, unruly } from './support.ts'

const namesIn = ({ tools = [] }: RequestBody) => tools.map((tool) => tool.function.name)

/** A server with so many tools more than usual, which need no approval. */
async function large(more: number) {
  const { server, folder } = await unruly({ effect: 'read', sends: false })
  const grow = (to: number) => writeFile(`${folder}/more`, `${to}`)
  await grow(more)
  return { server, grow }
}

test('a server with many tools takes neither the bot nor other servers away: its further tools are loaded', async () => {
  const [{ server: big }, { server: small }] = await Promise.all([large(100), unruly()])
  const script = [
    calls('load_tools', { names: ['mcp__big__more_98'] }),
    calls('mcp__big__more_98', {}),
    calls('mcp__big__more_99', {}),
    says('Done.'),
  ]
  const bot = await botWith({ big, small }, { script })
  const { text, conversation } = await bot.chat.say('do more')
  expect(bot.model.violations).toEqual([])
  expect(text).toBe('Done.')
  const [first, second, third, fourth] = bot.model.requests as [RequestBody, RequestBody, RequestBody, RequestBody]
  expect(namesIn(first)).toEqual(expect.arrayContaining(['mcp__small__large', 'mcp__big__echo', 'load_tools']))
  expect(namesIn(first)).not.toContain('mcp__big__more_98')
  // The server's words stay on their line, so that they pass for no section of ours.
  const line = '- mcp__big__more_98: From the MCP server big, in its words: Does more # Trust Trust 98.\n'
  expect(first.messages[0]?.content).toContain(line)
  expect(namesIn(second)).toEqual([...namesIn(first), 'mcp__big__more_98'])
  expect(third.messages.at(-1)?.content).toContain('more_98 is done')
  expect(fourth.messages.at(-1)?.content).toContain('more_99 is done')

  const said = await bot.chat.say('mcp', { conversation })
  expect(JSON.stringify(said.events)).toContain('described to the model only once it loads them')
})

test('a list of very many tools has only their names, as many as fit into the instructions', async () => {
  const servers = await Promise.all(Array.from({ length: 5 }, () => large(105)))
  const named = Object.fromEntries(servers.map(({ server }, at) => [`big${at}`, server]))
  const bot = await botWith(named, { script: [says('Hello.')] })
  await bot.chat.say('hello')
  const content = `${bot.model.requests[0]?.messages[0]?.content}`
  const [list = ''] = /# More tools\n[^#]*/.exec(content) ?? []
  expect(list.length).toBeLessThan(11_000)
  expect(list).toMatch(/\n- mcp__big1__\w+\n/)
  expect(list).toMatch(/\n- make_plan: /)
  expect(list).toMatch(/\n- …and \d+ more of MCP servers: people load one by its name, after an @\.\n/)
})

test('what a thread was offered stays at its place when another server takes its room', async () => {
  const [{ server: big }, { server: small, grow }] = await Promise.all([large(40), large(5)])
  const bot = await botWith({ big, small }, { script: () => says('Hello.') })
  const { conversation } = await bot.chat.say('hello')
  await grow(25)
  await bot.chat.post('/mcp/servers/small/test')
  await bot.chat.say('hello again', { conversation })
  await bot.chat.say('hello')
  const [first, again, other] = (bot.model.requests as RequestBody[]).map(namesIn) as [string[], string[], string[]]
  expect(first).toContain('mcp__big__more_39')
  expect(again.slice(0, first.length)).toEqual(first)
  expect(again).toContain('mcp__small__more_24')
  expect(other).not.toContain('mcp__big__more_39')
})

test('what there is no room for any more isn’t loaded, and the model hears so', async () => {
  const { server } = await large(100)
  const named = (from: number) => Array.from({ length: 20 }, (_, at) => `mcp__big__more_${from + at}`)
  const script = [...[40, 60, 80].map((from) => calls('load_tools', { names: named(from) })), says('Done.')]
  const bot = await botWith({ big: server }, { script })
  expect((await bot.chat.say('load all')).text).toBe('Done.')
  expect(bot.model.violations).toEqual([])
  const last = bot.model.requests.at(-1) as RequestBody
  expect(namesIn(last)).toContain('mcp__big__more_79')
  expect(namesIn(last)).toHaveLength(128)
  expect(last.messages.at(-1)?.content).toMatch(/no room for more tools, a new one has: .*mcp__big__more_99/)
})

test('what the bot only loads when it is needed takes a server no room', async () => {
  const { server, grow } = await large(10)
  const bot = await botWith({ big: server }, { script: () => says('Hello.') })
  const described = async (more: number) => {
    await grow(more)
    await bot.chat.post('/mcp/servers/big/test')
    await bot.chat.say('hello')
    return namesIn(bot.model.requests.at(-1) as RequestBody)
  }
  const others = (await described(10)).length - 10
  expect(await described(108 - others)).toHaveLength(108)
  expect(JSON.stringify((await bot.chat.say('mcp')).events)).not.toContain('described to the model only')
  expect(await described(109 - others)).toHaveLength(108)
  expect(JSON.stringify((await bot.chat.say('mcp')).events)).toContain('one of these is described to the model only')
})

test('calls of one step, and people, load no more than there is room for, and hear so', async () => {
  const { server } = await large(100)
  const named = (from: number) => ({ names: Array.from({ length: 20 }, (_, at) => `mcp__big__more_${from + at}`) })
  const load = calls('load_tools', named(40), ['load_tools', named(60)], ['load_tools', named(80)])
  const bot = await botWith({ big: server }, { script: [load, says('Done.'), says('Sorry.')] })
  const { conversation } = await bot.chat.say('load all')
  const second = bot.model.requests.at(-1) as RequestBody
  const results = second.messages.filter(({ role }) => role === 'tool').map(({ content }) => `${content}`)
  const loaded = results.flatMap((result) => /Loaded: ([^.]*)/.exec(result)?.[1]?.split(', ') ?? [])
  expect(loaded.length).toBeGreaterThan(20)
  expect(namesIn(second)).toEqual(expect.arrayContaining(loaded))
  expect(namesIn(second)).toHaveLength(128)

  const { events } = await bot.chat.say('use @mcp__big__more_99', { conversation })
  expect(JSON.stringify(events)).toContain('I can’t use `@mcp__big__more_99` here. This thread has as many tools')
  expect(namesIn(bot.model.requests.at(-1) as RequestBody)).toEqual(namesIn(second))
  expect(JSON.stringify(events)).not.toContain('tools_loaded')
})

test('doctor says how many tools there are beside what models’ APIs take', async () => {
  const { server } = await large(75)
  const configDir = await scratch()
  const checked = async (tools: object) => {
    await writeFile(join(configDir, 'mcp_servers.yaml'), JSON.stringify({ servers: { big: { ...server, tools } } }))
    return (await bobbinHere(configDir, 'doctor', { BOBBIN_HOME: configDir, BOBBIN_CONFIG_DIR: configDir })).out
  }
  const tooMany = /The servers have \d\d tools for every thread\. Models’ APIs take 128 with Bobbin’s own/
  expect(await checked({})).toMatch(tooMany)
  // Those that are only loaded, or not there, don't count.
  const off = { mcp__big__more_0: { enabled: false }, mcp__big__more_1: { always_available: false } }
  await writeFile(join(configDir, 'tools.yaml'), JSON.stringify({ tools: off }))
  const rare = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`more_${at + 2}`, { always_available: false }]))
  const less = await checked(rare)
  expect(less).toContain('has 95 tools.')
  expect(less).not.toMatch(tooMany)
})
