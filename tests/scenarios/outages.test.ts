import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import { Failure, Unavailable } from '../../src/kit/failure.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const isAll = { rules: { defaults: { read: 'allow', write: 'allow', external: 'allow' } } } as const

const away = () => new Unavailable('database_unreachable', 'The server is away.', 'Start it', { passes: true })

/** Has tools that meet an outage when they are called first. */
function meeting() {
  const attempts: string[] = []
  const tool = (name: string, about: object) =>
    defineTool({
      ...{ kind: 'run', name, description: name, input: z.strictObject({ at: z.string() }), effect: 'read' },
      paths: () => ['temp/a'],
      async run({ at }, { attempt }) {
        attempts.push(`${name} ${at}, ${attempt}`)
        if (attempts.filter((one) => one.startsWith(name)).length === 1) throw away()
        return `${name}: ${at}`
      },
      ...about,
    })
  const tools = [tool('again', { repeatable: true }), tool('once', { effect: 'write', repeatable: false })]
  return { plugin: { name: 'meeting', tools } satisfies Capability, attempts }
}

test('a call that meets an outage is run again, before those after it, unless it may have acted', async () => {
  const { plugin, attempts } = meeting()
  const bot = await startTestBot({
    plugins: [plugin],
    config: isAll,
    script: [calls('again', { at: 'a' }, ['again', { at: 'b' }], ['once', { at: 'c' }]), says('Done.')],
  })
  await bot.chat.say('look')
  expect(attempts).toEqual(['again a, 1', 'again a, 2', 'again b, 1', 'once c, 1'])
  const results = bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringContaining('again: a'),
    expect.stringContaining('again: b'),
    expect.stringContaining('The server is away.'),
  ])
})

test('an outage when capabilities hear of a call that may have acted leaves its outcome unknown', async () => {
  const pay = defineTool({
    ...{ kind: 'run', name: 'pay', description: 'Pays.', input: z.strictObject({}), effect: 'external' },
    run: async () => 'paid',
  })
  let heard = 0
  const callDone = () => {
    if (heard++ === 0) throw away()
    return undefined
  }
  const bot = await startTestBot({
    plugins: [{ name: 'listening', tools: [pay], callDone }],
    config: isAll,
    script: [calls('pay', {}), says('I looked.')],
  })
  const said = await bot.chat.say('pay')
  const [result] = said.events.filter(({ type }) => type === 'observe')
  expect(result).toMatchObject({ data: { status: 'unknown' } })
  expect(JSON.stringify(result)).toContain('Unknown outcome: The server is away; it may have taken effect.')
})

test.each(['mayCall', 'beforeCall'])('an outage in %s refuses nothing: the call runs when it is over', async (hook) => {
  let asked = 0
  const looking = () => {
    if (asked++ === 0) throw away()
  }
  const bot = await startTestBot({
    plugins: [{ name: 'looking', [hook]: looking }],
    script: [calls('now', {}), says('It is noon.')],
  })
  const said = await bot.chat.say('what time is it?')
  expect(said.events.filter(({ type }) => type === 'observe')).toMatchObject([{ data: { status: 'done' } }])
  expect(asked).toBeGreaterThan(1)
})

const busy = new Failure('busy', 'Too many files are open.', 'Wait.')

/** Writes an output, after which these calls of the workspace fail, so many times. */
function writing(fails: { walk?: number; readRange?: number }, failure: Error = busy) {
  const left = { ...fails }
  const meets = (what: 'walk' | 'readRange', path: string) => {
    if (!path.startsWith('outputs') || (left[what] ?? 0) === 0) return
    left[what] = (left[what] ?? 0) - 1
    throw failure
  }
  const write = defineTool({
    ...{ kind: 'run', name: 'write', description: 'Writes.', input: z.strictObject({}), effect: 'write' },
    async run(_, { workspace }) {
      await workspace.write('outputs/a.txt', 'a')
      const { walk, readRange } = workspace
      workspace.readRange = async (path, ...range) => meets('readRange', path) ?? readRange(path, ...range)
      workspace.walk = async function* (path, options) {
        meets('walk', path)
        yield* walk(path, options)
      }
      return 'written'
    },
  })
  return { left, plugin: { name: 'writing', tools: [write] } satisfies Capability }
}

// The first walk looks for changes.
test.each([{ walk: 2 }, { readRange: 1 }])(
  'an answer goes with its files, whose reading met an outage: %j',
  async (fails) => {
    const { plugin, left } = writing(fails)
    const bot = await startTestBot({ plugins: [plugin], config: isAll, script: [calls('write', {}), says('Here.')] })
    const said = await bot.chat.say('write')
    expect(Object.values(left)).toEqual([0])
    expect(said.events.filter(({ type }) => type === 'complete')).toMatchObject([
      { data: { content: 'Here.', files: [{ path: 'outputs/a.txt' }] } },
    ])
    expect(bot.model.requests).toHaveLength(2)
  },
)

test('a file that can’t be read for good holds up no answer', async () => {
  const broken = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
  const { plugin } = writing({ readRange: Number.POSITIVE_INFINITY }, broken)
  const bot = await startTestBot({ plugins: [plugin], config: isAll, script: [calls('write', {}), says('Here.')] })
  const said = await bot.chat.say('write')
  expect(said.events.filter(({ type }) => type === 'complete')).toMatchObject([
    { data: { content: 'Here.', files: [] } },
  ])
})

test('an upload whose download finds no descriptor left is fetched again', async () => {
  const bot = await startMemoryBot({ script: [says('I see.')] })
  let asked = 0
  bot.memory.misbehave.hold('download', {
    fits() {
      const none = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
      if (asked++ === 0) throw new TypeError('fetch failed', { cause: none })
      return false
    },
  })
  const root = await bot.memory.say('ana', '@bobbin look', { files: { 'a.txt': 'oaks' } })
  await bot.memory.untilAnswered(root, expect.stringContaining('continues by itself'), 'I see.')
  expect(asked).toBe(2)
  expect(JSON.stringify(bot.model.requests)).toContain('oaks')
})
