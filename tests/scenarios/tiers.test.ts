import { describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { RulesFile } from '../../src/trust/rules.ts'
import { startTestBot } from '../support/bot.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type ScriptedReply, says, startModelServer } from '../support/model-server.ts'
import { testWeb } from '../web/support.ts'
import { asked, heard, minute } from './trust.ts'

const run = calls('run_command', { command: 'pwd' })

async function start(
  script: ScriptedReply[],
  { tiers, rules }: { tiers?: Config['tiers']; rules?: Partial<RulesFile> } = {},
) {
  const engine = { clockMs: 20 }
  const bot = await startMemoryBot({ script, config: { tiers, rules: asked({}, rules), engine } })
  return { bot, memory: bot.memory }
}

/** The tools that the model had, at each request. */
const given = ({ model }: MemoryBot): string[][] =>
  model.requests.map(({ tools }) => (tools ?? []).map((one) => one.function.name))

const untilSaid = ({ memory }: MemoryBot, message: Message, text = 'Done.') =>
  memory.eventually(() => expect(memory.answers(message).at(-1)).toBe(text))

describe('a tool that is not always there', () => {
  test.each(['@run_command it', 'Please use @run_command.', '(@run_command)', '请@run_command'])(
    'comes when a person writes %j, and stays',
    async (text) => {
      const { bot, memory } = await start([run, says('Ran.'), says('Done.')])
      const message = await memory.say('ana', `@bobbin ${text}`)
      await untilSaid(bot, message, 'Ran.')
      expect(heard(bot)).toContain('/workspace')
      await bot.restart()
      await memory.say('ana', '@bobbin thanks', { in: message })
      await untilSaid(bot, message)
      expect(given(bot).every((names) => names.includes('run_command'))).toBe(true)
      expect(given(bot).every((names) => !names.includes('run_script'))).toBe(true)
    },
  )

  test.each([
    'run it',
    'we saw run_command fail',
    'run_command',
    '@run_commands_of_mine',
    'my@run_command',
    'ana@run_command.example',
    'https://example.com/@run_command',
    'write `@run_command` for it',
    '```\n@run_command\n```',
  ])('does not for %j, and a call says how', async (text) => {
    const { bot, memory } = await start([run, says('Done.')])
    const message = await memory.say('ana', `@bobbin ${text}`)
    await untilSaid(bot, message)
    expect(heard(bot)).toMatch(/run_command is not in this thread\. A person can load it by writing @run_command/)
    expect(given(bot).flat()).not.toContain('run_command')
  })

  test('is not loaded when a file, its name, or an earlier message names it', async () => {
    const { bot, memory } = await start([calls('read_file', { path: 'uploads/run_command.txt' }), run, says('Done.')])
    const before = await memory.say('ben', 'somebody should use @run_command here')
    const message = await memory.say('ana', '@bobbin read it', {
      in: before,
      files: { 'run_command.txt': 'use @run_command' },
    })
    await untilSaid(bot, message)
    expect(heard(bot)).toContain('is not in this thread')
    expect(bot.rows('select tool from session_tools')).toEqual([])
  })

  test('is not loaded when an alarm or the model names it', async () => {
    const { bot, memory } = await start([
      calls('alarm_set', { at: 'in 10 minutes', message: '@run_command now' }),
      says('I would like @run_command.'),
      run,
      says('Done.'),
    ])
    const message = await memory.say('ana', '@bobbin remind me')
    await untilSaid(bot, message, 'I would like @run_command.')
    memory.pass(11 * minute)
    await untilSaid(bot, message)
    expect(heard(bot)).toContain('is not in this thread')
  })

  test.each([
    ['@run_comand', '@run_command'],
    ['@run_commnad', '@run_command'],
    ['@RunCommand', '@run_command'],
    ['@run-script', '@run_script'],
    ['@serch_file', '@search_file'],
  ])('%s is answered with the nearest name, %s, in the thread and to the model', async (written, meant) => {
    const { bot, memory } = await start([says('Done.')])
    const message = await memory.say('ana', `@bobbin ${written} ls please`)
    const answer = `I don’t know \`${written}\`. Did you mean \`${meant}\`?`
    await memory.eventually(() => expect(memory.answers(message).toSorted()).toEqual(['Done.', answer]))
    expect(heard(bot)).toContain(`(They were told: ${answer})`)
    expect(given(bot).flat()).not.toContain('run_command')
  })

  test.each([
    '@ana and @channel',
    'my@run_comand and run@run_comand.example',
    '`@run_comand`',
    '```\n@run_comand\n```',
    'https://example.com/@run_comand',
    '@read_file and @now',
    'run_comand',
    '@nou',
  ])('%j is somebody’s own, or there already, and left alone', async (text) => {
    const { bot, memory } = await start([says('Done.')])
    const message = await memory.say('ana', `@bobbin ${text}`)
    await untilSaid(bot, message)
    expect(heard(bot)).not.toContain('They were told')
    await bot.settled()
    expect(memory.answers(message)).toEqual(['Done.'])
  })

  test('that is switched off is said to be', async () => {
    const tiers = { run_command: { enabled: false, always_available: false, category: 'system', tags: [] } }
    const { memory } = await start([says('Done.')], { tiers })
    const message = await memory.say('ana', '@bobbin @run_command ls')
    const answer = 'I can’t use `@run_command` here. It is switched off in config/tools.yaml.'
    await memory.eventually(() => expect(memory.answers(message).toSorted()).toEqual(['Done.', answer]))
  })

  test('is loaded into its thread only', async () => {
    const { bot, memory } = await start([says('One.'), says('Two.')])
    await untilSaid(bot, await memory.say('ana', '@bobbin @run_command'), 'One.')
    await untilSaid(bot, await memory.say('ana', '@bobbin hello'), 'Two.')
    expect(given(bot).map((names) => names.includes('run_command'))).toEqual([true, false])
  })
})

describe('web_search without a provider', () => {
  const search = calls('web_search', { query: 'x' })

  test('is not offered, and nobody is asked about a call', async () => {
    const { bot, memory } = await start([search, says('Done.')])
    const message = await memory.say('ana', '@bobbin search the web')
    await untilSaid(bot, message)
    expect(given(bot).flat()).not.toContain('web_search')
    expect(given(bot).flat()).toContain('web_fetch')
    expect(heard(bot)).toMatch(/web_search cannot be used here\. No provider .* `web\.search` in config\/bobbin\.yaml/)
    expect(memory.cards(message)).toEqual([])
  })

  test('@web_search says that there is none, and names the setting', async () => {
    const { memory } = await start([says('Done.')])
    const message = await memory.say('ana', '@bobbin @web_search for x')
    await memory.eventually(() =>
      expect(memory.answers(message).toSorted()).toEqual([
        'Done.',
        expect.stringMatching(/^I can’t use `@web_search` here\. No provider .* `web\.search` in config\/bobbin\.yaml/),
      ]),
    )
  })

  test('with one it is offered', async () => {
    const web = { ...testWeb().web, search: async () => [] }
    const bot = await startMemoryBot({ script: [says('Done.')], web })
    await untilSaid(bot, await bot.memory.say('ana', '@bobbin hello'))
    expect(given(bot)[0]).toContain('web_search')
  })
})

describe('the rules of tiers', () => {
  const tier = { category: 'system', tags: [] }

  test('enabled: false removes a tool, whoever names it', async () => {
    const tiers = { run_command: { ...tier, enabled: false, always_available: true } }
    const { bot, memory } = await start([run, says('Done.')], { tiers })
    const message = await memory.say('ana', '@bobbin @run_command')
    await untilSaid(bot, message)
    expect(heard(bot)).toMatch(/there is no tool "run_command"/)
    expect(given(bot).flat()).not.toContain('run_command')
  })

  test('always_available: true makes it available at once, with its own description', async () => {
    const tiers = { run_command: { ...tier, enabled: true, always_available: true, description: 'Ours.' } }
    const { bot, memory } = await start([run, says('Done.')], { tiers })
    const message = await memory.say('ana', '@bobbin go')
    await untilSaid(bot, message)
    expect(heard(bot)).toContain('/workspace')
    const definition = bot.model.requests[0]?.tools?.find((one) => one.function.name === 'run_command')
    expect(definition?.function.description).toBe('Ours.')
  })

  test('the definitions keep their order: new ones come last', async () => {
    const { bot, memory } = await start([says('One.'), says('Two.'), says('Three.')])
    const message = await memory.say('ana', '@bobbin hello')
    await untilSaid(bot, message, 'One.')
    await memory.say('ana', '@bobbin @run_script', { in: message })
    await untilSaid(bot, message, 'Two.')
    await memory.say('ana', '@bobbin @run_command and @run_script', { in: message })
    await untilSaid(bot, message, 'Three.')
    const [first = [], second = [], third = []] = given(bot)
    expect(second).toEqual([...first, 'run_script'])
    expect(third).toEqual([...first, 'run_script', 'run_command'])
    const definitions = bot.model.requests.map(({ tools }) => JSON.stringify(tools).slice(0, -1))
    expect(definitions[1]?.startsWith(`${definitions[0]}`)).toBe(true)
    expect(definitions[2]?.startsWith(`${definitions[1]}`)).toBe(true)
  })
})

describe('who may use what, where', () => {
  const write = calls('write_file', { path: 'outputs/a.txt', content: 'x' })
  const only = (rule: Partial<RulesFile['use'][number]>) => ({
    rules: {
      use: [{ tools: ['write_file'], ...rule }],
      tools: { write_file: { approvals: false, risk: 'low' as const } },
    },
  })

  test.each<[string, Partial<RulesFile['use'][number]>, string | undefined]>([
    ['somebody else', { people: ['user:ben'] }, 'ana may not use write_file.'],
    ['this person', { people: ['user:ben', 'user:ana'] }, undefined],
    ['a group of hers', { people: ['group:writers'] }, undefined],
    ['a group of others', { people: ['group:others'] }, 'ana may not use write_file.'],
    ['another channel', { channels: ['random'] }, 'write_file may not be used in this channel.'],
    ['this channel', { channels: ['general'] }, undefined],
    ['another tenant', { tenants: ['them'] }, 'write_file may not be used in this workspace.'],
    ['this tenant', { tenants: ['team'] }, undefined],
    ['another channel, with its own words', { channels: ['random'], reason: 'Not here.' }, 'Not here.'],
    ['every tool', { tools: ['*'], people: ['user:ben'] }, 'ana may not use write_file.'],
    ['another tool', { tools: ['edit_file'], people: ['user:ben'] }, undefined],
  ])('only %s', async (_, rule, refusal) => {
    const { bot, memory } = await start([write, says('Done.')], only(rule))
    memory.world.groups.set('writers', ['ana'])
    const message = await memory.say('ana', '@bobbin write')
    await untilSaid(bot, message)
    if (refusal === undefined) expect(heard(bot)).toMatch(/^Created/)
    else expect(heard(bot)).toBe(`Forbidden by rule: ${refusal}`)
  })

  test('somebody of an unknown workspace does not count as a participant, and may ask again', async () => {
    const { bot, memory } = await start(
      [write, says('Not done.'), write, says('Done.')],
      only({ people: ['participants'] }),
    )
    memory.world.unchecked.add('ana')
    const message = await memory.say('ana', '@bobbin write')
    await untilSaid(bot, message, 'Not done.')
    expect(heard(bot)).toMatch(/couldn’t check whether ana may use write_file \(.* again in a minute\)/)
    memory.world.unchecked.delete('ana')
    await memory.say('ana', '@bobbin write', { in: message })
    await untilSaid(bot, message)
    expect(heard(bot)).toMatch(/^Created/)
  })

  test('a second writer who may not use it removes it from this turn, but not from the next', async () => {
    const said = Promise.withResolvers<void>()
    const first = heldUntil(said.promise, calls('now', {}))
    const { bot, memory } = await start(
      [first, write, says('Not done.'), write, says('Done.')],
      only({ people: ['user:ana'] }),
    )
    const message = await memory.say('ana', '@bobbin write')
    await memory.say('ben', '@bobbin write something else', { in: message })
    said.resolve()
    await untilSaid(bot, message, 'Not done.')
    expect(heard(bot)).toBe('Forbidden by rule: ben may not use write_file.')
    await memory.say('ana', '@bobbin write', { in: message })
    await untilSaid(bot, message)
    expect(heard(bot)).toMatch(/^Created/)
  })

  test('a group that cannot be looked up allows nobody', async () => {
    const { bot, memory } = await start([write, says('Done.')], only({ people: ['group:writers'] }))
    memory.world.groups.get = () => {
      throw new Error('it is down')
    }
    const message = await memory.say('ana', '@bobbin write')
    await untilSaid(bot, message)
    expect(heard(bot)).toMatch(/^Forbidden by rule: I couldn’t check whether ana may use write_file/)
  })
})

test('a tool that is tagged for a kind of model is offered only while such a model answers', async () => {
  const coding = await startModelServer(() => says('From code.'))
  onTestFinished(() => coding.close())
  const code = { MODEL_CODE_API_KEY: 'test-key', MODEL_CODE_BASE_URL: coding.url, MODEL_CODE_ID: 'coder' }
  const environment = { ...code, MODEL_VISION_ID: 'eyes' }
  const tiers = { find_files: { enabled: true, tags: ['code'] }, now: { enabled: true, tags: ['vision'] } }
  const { chat, model } = await startTestBot({ script: () => says('From base.'), environment, config: { tiers } })
  expect((await chat.say('hello')).text).toBe('From base.')
  expect((await chat.say('why?\n```js\nlet let\n```')).text).toBe('From code.')
  const [base, coder] = [model, coding].map(({ requests }) => requests[0]?.tools?.map((one) => one.function.name) ?? [])
  expect([base?.includes('now'), coder?.includes('now')]).toEqual([false, false])
  expect(coder?.filter((name) => !base?.includes(name))).toEqual(['find_files'])
})

test('a tag for a model that isn’t set up takes nothing away', async () => {
  const tiers = { now: { enabled: true, tags: ['code'] } }
  const { chat, model } = await startTestBot({ script: [says('Hello.')], config: { tiers } })
  await chat.say('hello')
  expect(model.requests[0]?.tools?.map((one) => one.function.name)).toContain('now')
})
