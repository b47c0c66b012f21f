import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { begunBefore } from '../support/begun-before.ts'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import {
  calls,
  hang,
  type ModelScript,
  type ModelServer,
  says,
  startModelServer,
  status,
} from '../support/model-server.ts'

/** A bot with further models, each behind a server of its own. */
async function botWith(slots: Record<string, ModelScript>, base: ModelScript, more: TestBotOptions = {}) {
  const servers: Record<string, ModelServer> = {}
  const environment: Record<string, string> = {}
  for (const [name, script] of Object.entries(slots)) {
    const server = await startModelServer(script)
    onTestFinished(() => server.close())
    servers[name] = server
    const prefix = `MODEL_${name.toUpperCase()}`
    Object.assign(environment, {
      [`${prefix}_ID`]: name,
      [`${prefix}_BASE_URL`]: server.url,
      [`${prefix}_API_KEY`]: 'k',
    })
  }
  return { bot: await startTestBot({ script: base, environment, config: { attempts: 1 }, ...more }), servers }
}

async function told(bot: TestBot, text: string, options: { conversation?: string; user?: string } = {}) {
  const { events } = await bot.chat.say(text, options)
  return events
    .flatMap((one) => (one.type === 'message' && one.data.role === 'assistant' ? [one.data.text] : []))
    .join()
}

const warnings = ({ events }: Awaited<ReturnType<TestBot['chat']['say']>>) =>
  ofType(events, 'warning').map(({ data }) => data)

test('`use` is for one thread, and outlives a restart; `use auto` takes it back', async () => {
  const { bot } = await botWith({ reasoning: () => says('Reasoned.') }, () => says('From base.'))
  const { conversation } = await bot.chat.say('hello', { user: 'ana' })
  const ana = { conversation, user: 'ana' }
  expect(await told(bot, 'use reasoning', ana)).toContain('will come from `reasoning` (reasoning)')
  expect((await bot.chat.say('and now?', ana)).text).toBe('Reasoned.')
  await bot.restart()
  expect((await bot.chat.say('and now?', ana)).text).toBe('Reasoned.')
  expect((await bot.chat.say('a new thread', { user: 'ana' })).text).toBe('From base.')
  await told(bot, 'use auto', ana)
  expect((await bot.chat.say('and now?', ana)).text).toBe('From base.')
  expect(await told(bot, 'use code', ana)).toContain('The `code` model isn’t set up.')
  expect((await bot.chat.say('use the report for this', ana)).text).toBe('From base.')
})

test('code goes to the model for code, what is hard to the one for reasoning, unless somebody chose', async () => {
  const slots = { reasoning: () => says('Reasoned.'), code: () => says('Coded.') }
  const { bot } = await botWith(slots, () => says('From base.'))
  const { conversation, text } = await bot.chat.say('what is wrong here?\n```js\nlet let\n```')
  expect(text).toBe('Coded.')
  expect((await bot.chat.say('thanks', { conversation })).text).toBe('From base.')
  expect((await bot.chat.say('now think hard about it', { conversation })).text).toBe('Reasoned.')
  expect((await bot.chat.say('look', { conversation, files: { 'a.py': 'x = 1' } })).text).toBe('Coded.')
  await told(bot, 'use base', { conversation })
  expect((await bot.chat.say('think hard', { conversation })).text).toBe('From base.')
})

test('when a model fails, another one answers, and people are told why; after several failures it is left alone', async () => {
  let isBroken = true
  const { bot, servers } = await botWith({ chat: () => says('From chat.') }, () =>
    isBroken ? status(503) : says('From base.'),
  )
  for (const _ of [1, 2]) {
    const said = await bot.chat.say('hello')
    expect(said.text).toBe('From chat.')
    expect(warnings(said)).toMatchObject([
      {
        code: 'model_changed',
        message: expect.stringMatching(/^The model endpoint .* failed: .* chat answers instead\.$/),
        words: 'The model’s provider has a problem. chat answers instead.',
      },
    ])
  }
  expect(bot.model.requests).toHaveLength(2)
  isBroken = false
  const said = await bot.chat.say('hello')
  expect(said.text).toBe('From chat.')
  expect(warnings(said)).toMatchObject([
    { message: 'scripted has failed several times, so I won’t use it for a while. chat answers instead.' },
  ])
  expect(bot.model.requests).toHaveLength(2)
  expect(servers.chat?.requests).toHaveLength(3)
})

test('when all fail, the turn ends with what to do, and the next one still tries', async () => {
  let isBroken = true
  const answer = () => (isBroken ? status(500) : says('Back.'))
  const { bot } = await botWith({ chat: answer, code: answer }, answer)
  for (const _ of [1, 2]) {
    const { conversation } = await bot.chat.say('hello')
    const [error] = ofType(await bot.chat.events(conversation), 'error')
    expect(error?.data.code).toBe('model_unavailable')
  }
  isBroken = false
  expect((await bot.chat.say('hello')).text).toBe('Back.')
})

test('after an outage of all, a model answers in place of one that has answered again since', async () => {
  let broken = ['base', 'chat']
  let passedMs = 0
  const answer = (name: string) => () => (broken.includes(name) ? status(503) : says(`From ${name}.`))
  const clock = { now: () => Date.now() + passedMs }
  const { bot, servers } = await botWith({ chat: answer('chat') }, answer('base'), { clock })
  for (const _ of [1, 2]) await bot.chat.say('hello')
  broken = []
  passedMs = 70_000
  expect((await bot.chat.say('hello')).text).toBe('From base.')
  expect(servers.chat?.requests).toHaveLength(2)
  broken = ['base']
  expect((await bot.chat.say('hello')).text).toBe('From chat.')
})

test('a refused request goes to the next model too, but does not count against the first', async () => {
  const { bot } = await botWith({ chat: () => says('From chat.') }, (_, number) =>
    number < 3 ? status(400) : says('From base.'),
  )
  for (const _ of [1, 2, 3]) expect((await bot.chat.say('hello')).text).toBe('From chat.')
  expect((await bot.chat.say('hello')).text).toBe('From base.')
})

test('a turn whose models take too long together ends with what to do', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-patience-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const script: ModelScript = (_, number) => (number === 0 ? calls('now', {}) : hang())
  const { error, requests } = await begunBefore(
    async (timeoutMs) => {
      await writeFile(join(directory, 'models.yaml'), `patience: { turn_timeout_ms: ${timeoutMs} }`)
      const bot = await startTestBot({ script, environment: { BOBBIN_CONFIG_DIR: directory } })
      const { conversation } = await bot.chat.say('hello')
      const [error] = ofType(await bot.chat.events(conversation), 'error')
      return { error, requests: bot.model.requests }
    },
    // The second is the one that hangs.
    ({ requests }) => requests.length > 1,
  )
  expect(error?.data).toMatchObject({ code: 'model_hang', message: expect.stringContaining('with all attempts') })
  expect(requests).toHaveLength(2)
})
