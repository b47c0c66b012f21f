import { expect, onTestFinished, test } from 'vitest'
import { type DiscordServer, startDiscordServer } from '../support/discord/server.ts'
import { calls, hang, type RequestBody, says } from '../support/model-server.ts'
import { eventually, until } from '../support/until.ts'
import { openNodes, patient, steady } from './support.ts'

/** How long the second waits for the first. */
const settings = { engine: { silent_ms: 10_000 } }

/** Says who is asked, and what. */
const echo =
  (name: string) =>
  ({ messages }: RequestBody) =>
    says(`${name}: ${/"?(\w+ please)/.exec(JSON.stringify(messages.at(-1)))?.[1]}`)

async function open() {
  const discord = await startDiscordServer()
  onTestFinished(async () => {
    await discord.close()
    expect(discord.violations).toEqual([])
  })
  const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url }
  const nodes = await openNodes({ settings, environment })
  const gateway = () => nodes.holder('duty discord gateway')
  const start = async (name: string, own: Parameters<typeof nodes.place>[1] = {}) => {
    const place = await nodes.place(name, { script: echo(name), settings: steady, ...own })
    return { ...(await place.start()), asked: place.model.requests }
  }
  /** One that is there until the end. */
  const keep = async (name: string) => (await nodes.place(name, { script: echo(name) })).keep()
  return { discord, ...nodes, gateway, start, keep }
}

const mention = (discord: DiscordServer, text: string) =>
  discord.people.post('ana', 'general', `<@${discord.botId}> ${text}`)

/** What the bot has said in the thread of a message. */
function answersIn(discord: DiscordServer, message: string): string[] {
  try {
    return discord.view(message).flatMap(({ author, content }) => (author === 'bobbin' ? [content] : []))
  } catch {
    // Nothing was said, so there is no thread.
    return []
  }
}

/** Answered once, with this. */
const untilAnswered = (discord: DiscordServer, message: string, answer: RegExp) =>
  eventually(() => expect(answersIn(discord, message)).toEqual([expect.stringMatching(answer)]))

test('one process keeps the gateway; when it is killed, another one takes it and reads what was said meanwhile', async () => {
  const { discord, gateway, start, keep } = await open()
  const one = await start('one')
  await keep('two')
  await until('the gateway', () => discord.gateway.connected === 1)
  expect(await gateway()).toBe('one')
  const first = mention(discord, 'first please')
  await untilAnswered(discord, first, /first please/)
  one.signal('SIGKILL')
  await one.ended
  const second = mention(discord, 'second please')
  await untilAnswered(discord, second, /two: second please/)
  expect(await gateway()).toBe('two')
  expect(discord.gateway).toMatchObject({ connected: 1, identifies: 2 })
  expect(answersIn(discord, first)).toHaveLength(1)
})

test('one that is told to stop gives the gateway up before its turn ends', async () => {
  const { discord, gateway, start, keep } = await open()
  const one = await start('one', { script: () => hang(2) })
  const first = mention(discord, 'first please')
  await until('the turn', () => one.asked.length === 1)
  await keep('two')
  one.signal('SIGTERM')
  const second = mention(discord, 'second please')
  await until('the gateway', async () => (await gateway()) === 'two')
  await untilAnswered(discord, second, /two: second please/)
  await untilAnswered(discord, first, /two: first please/)
  expect(await one.ended).toBe(0)
})

test('one that was frozen finds that another one has the gateway, and ends', async () => {
  const { discord, gateway, start, keep } = await open()
  const one = await start('one')
  await keep('two')
  await until('the gateway', () => discord.gateway.connected === 1)
  one.signal('SIGSTOP')
  const frozen = mention(discord, 'frozen please')
  await untilAnswered(discord, frozen, /two: frozen please/)
  const both = mention(discord, 'both please')
  await untilAnswered(discord, both, /two: both please/)
  one.signal('SIGCONT')
  expect(await one.ended).toBe(1)
  expect(await gateway()).toBe('two')
  await until('the end of its connection', () => discord.gateway.connected === 1)
  const after = mention(discord, 'after please')
  await untilAnswered(discord, after, /two: after please/)
  for (const message of [frozen, both]) expect(answersIn(discord, message)).toHaveLength(1)
})

test('a turn runs in a process without the gateway: it posts its card there, and a click is heard by the other', async () => {
  const { discord, start, gateway } = await open()
  // The first has no room for a second turn.
  const busy = { engine: { ...patient.engine, turns_at_once: 1 } }
  const one = await start('one', { script: () => hang(2), settings: busy })
  mention(discord, 'first please')
  await until('the turn', () => one.asked.length === 1)
  const script = ({ messages }: RequestBody) =>
    messages.at(-1)?.role === 'tool'
      ? says('Done.')
      : calls('ask_decision', { question: 'Now?', options: ['Yes', 'No'] })
  const two = await start('two', { script, settings: patient })
  const asked = mention(discord, 'shall we begin?')
  const card = await until('the card', () =>
    answersIn(discord, asked).length > 0
      ? discord.view(asked).find(({ buttons }) => buttons.some(({ label }) => label === 'Yes'))
      : undefined,
  )
  discord.people.click('ana', card.id, 'Yes')
  await until('the answer', () => answersIn(discord, asked).some((text) => text.endsWith('Done.')))
  expect(two.asked).toHaveLength(2)
  const names = discord.calls.flatMap(({ method, path, body }) =>
    method === 'POST' && path.endsWith(`${asked}/threads`) ? [body] : [],
  )
  expect(names).toMatchObject([{ name: 'shall we begin?' }])
  expect(await gateway()).toBe('one')
})
