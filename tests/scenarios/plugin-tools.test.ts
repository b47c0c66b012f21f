import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type RunTool, type Tool } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import type { Services } from '../../src/turn/port/scope.ts'
import { cautious } from '../../src/wiring/cautious.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'

const input = z.object({ to: z.string() })
type Input = z.infer<typeof input>

const ping = (changes: Partial<RunTool<Input>> = {}): Tool =>
  defineTool<Input>({
    kind: 'run',
    name: 'ping',
    description: 'Pings somebody.',
    input,
    effect: 'read',
    run: async ({ to }) => `${to} says pong`,
    ...changes,
  })

const start = (plugins: Capability[], script = [calls('ping', { to: 'ana' }), says('Pinged.'), says('Again.')]) =>
  startTestBot({ plugins, script })

/** What the model was told of calls. */
const results = ({ model }: TestBot): string[] =>
  (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => `${content}`)

const offered = ({ model }: TestBot): string[] => {
  const { tools } = model.requests.at(-1) as unknown as { tools: { function: { name: string; description: string } }[] }
  return tools.map((tool) => `${tool.function.name}: ${tool.function.description}`)
}

describe('what is made from a class', () => {
  class Ping implements RunTool<Input> {
    kind = 'run' as const
    name = 'ping'
    description = 'Pings somebody.'
    input = input
    effect = 'read' as const
    #pings = 0
    async run({ to }: Input) {
      this.#pings += 1
      return `${to} says pong ${this.#pings}`
    }
    check({ to }: Input) {
      if (to === 'nobody') throw new Error('nobody is there')
    }
  }

  class Guard implements Capability {
    name = 'guard'
    tools = [new Ping() as unknown as Tool]
    #refused = 'ben'
    mayCall(_: Tool, __: unknown, given: unknown) {
      if ((given as Input).to === this.#refused) throw new Error('ben is asleep')
    }
  }

  test('keeps its hooks, its private fields and the functions of its tools', async () => {
    const script = [calls('ping', { to: 'ana' }, ['ping', { to: 'ben' }], ['ping', { to: 'nobody' }]), says('Pinged.')]
    const bot = await start([new Guard()], script)
    await bot.chat.say('ping them')
    expect(results(bot)).toEqual([
      expect.stringContaining('ana says pong 1'),
      expect.stringContaining('ben is asleep'),
      expect.stringContaining('nobody is there'),
    ])
  })
})

describe('a tool that fails to describe a call', () => {
  const fail = (): never => {
    throw new Error('broken tool')
  }

  test.each<[string, Partial<RunTool<Input>>]>([
    ['doing', { doing: fail }],
    ['doing, by saying nothing', { doing: () => undefined as never }],
    ['source', { source: fail }],
    ['source, by saying nothing', { source: () => undefined as never }],
    ['sources', { sources: fail }],
    ['an input that can only be checked later', { input: z.object({ to: z.string().refine(async () => true) }) }],
  ])('%s: the thread goes on, and the result counts as others’ words', async (_, changes) => {
    const bot = await start([{ name: 'pinging', tools: [ping(changes)] }])
    const { text, conversation } = await bot.chat.say('ping ana')
    expect(text).toBe('Pinged.')
    expect((await bot.chat.say('again', { conversation })).text).toBe('Again.')
    if (changes.input === undefined)
      expect(results(bot)).toEqual([expect.stringMatching(/^<data source="[^"]*ping[^"]*">\nana says pong/)])
  })

  test.each<[string, Partial<RunTool<Input>>]>([
    ['the paths of its calls', { paths: fail }],
    ['what its calls do', { inspect: fail }],
    ['its result', { run: async () => ({ pong: true }) as never }],
    ['any result', { run: async () => undefined as never }],
  ])('can’t tell %s: the call fails, and the thread goes on', async (_, changes) => {
    const bot = await start([{ name: 'pinging', tools: [ping(changes)] }])
    const { text, events } = await bot.chat.say('ping ana')
    expect(text).toBe('Pinged.')
    expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['failed'])
  })

  test('can’t tell what it lacks: nobody is offered it, and people are told why', async () => {
    const bot = await start([{ name: 'pinging', tools: [ping({ lacks: fail })] }])
    expect((await bot.chat.say('ping ana')).text).toBe('Pinged.')
    expect(offered(bot).some((line) => line.startsWith('ping'))).toBe(false)
    const { tools } = await bot.chat.get<{ tools: { name: string; unavailable?: string }[] }>('/tools')
    expect(tools.find(({ name }) => name === 'ping')?.unavailable).toContain('broken tool')
  })
})

describe('tools that a plug-in finds', () => {
  test('bring in others’ words and send data out, unless they say otherwise', async () => {
    const tools = [ping(), ping({ name: 'ring', effect: 'external' })]
    const bot = await startTestBot({
      plugins: [{ name: 'pinging', found: () => tools }],
      config: { rules: { defaults: { read: 'allow', write: 'allow', external: 'allow' } } },
      script: [calls('ping', { to: 'ana' }), calls('ring', { to: 'ben' }), says('Rung.')],
    })
    await bot.chat.say('ping ana, then ring for ben')
    expect(results(bot)).toEqual([expect.stringMatching(/^<data source="the tool ping">\nana says pong/)])
    expect(await bot.chat.requests()).toMatchObject([{ kind: 'approval', tool_name: 'ring' }])
  })

  test('are left out if they can’t be used, and the others stay', async () => {
    const tools = [ping({ name: 'Übertragen' }), ping(), ping({ effect: 'External' as never })]
    const bot = await start([{ name: 'pinging', found: () => tools }])
    expect((await bot.chat.say('ping ana')).text).toBe('Pinged.')
    expect(results(bot)).toEqual([expect.stringContaining('ana says pong')])
    expect(offered(bot).some((line) => line.startsWith('Übertragen'))).toBe(false)
  })

  test('are reported once if they can’t be used, and none is no fault', () => {
    const lists = [[ping(), ping({ name: 'Über' })], undefined, [ping({ name: 'Über' })]]
    const { found } = cautious({ name: 'pinging', found: () => lists.shift() as Tool[] })
    const reported: unknown[] = []
    const bot = { report: () => (thrown: unknown) => reported.push(thrown) } as unknown as Services
    expect([found?.(bot), found?.(bot), found?.(bot)]).toMatchObject([[{ name: 'ping' }], [], []])
    expect(reported).toMatchObject([
      { code: 'bad_plugin', message: expect.stringMatching(/^What it has found can’t be used: .* tool Über may have/) },
    ])
  })

  test('have each name once: the first to find it brings it', async () => {
    const [first, second] = [[ping()], [ping({ description: 'Pings everybody.' }), ping({ name: 'ring' })]]
    const plugins = [
      { name: 'one', found: () => first },
      { name: 'other', found: () => second },
    ]
    const bot = await start(plugins, [says('Hello.')])
    expect((await bot.chat.say('hello')).text).toBe('Hello.')
    const own = offered(bot).filter((line) => /^(ping|ring):/.test(line))
    expect(own).toEqual(['ping: Pings somebody.', 'ring: Pings somebody.'])
  })
})

test('a session command that there is already keeps the bot from starting', async () => {
  const command = { name: 'status', summary: 'mine', about: 'thread', run: async () => 'mine' } as const
  await expect(start([{ name: 'mine', commands: () => [command] }])).rejects.toMatchObject({
    code: 'bad_plugin',
    message: 'The plug-in mine has a session command called status, and so has Bobbin.',
  })
})

test('commands and jobs are asked for once, jobs when it has started', async () => {
  const asked: string[] = []
  const ask = (what: string) => () => {
    asked.push(what)
    return []
  }
  await start([{ name: 'asked', commands: ask('commands'), start: () => void ask('start')(), jobs: ask('jobs') }], [])
  expect(asked).toEqual(['commands', 'start', 'jobs'])
})

test('a kind of job that another plug-in has keeps the bot from starting', async () => {
  const jobs = () => [{ name: 'import', run: async () => {} }] as never
  const plugins = ['crm', 'erp'].map((name): Capability => ({ name, jobs }))
  await expect(start(plugins)).rejects.toMatchObject({
    code: 'bad_plugin',
    message: 'The plug-in erp has a kind of job called import, and so has the plug-in crm.',
  })
})
