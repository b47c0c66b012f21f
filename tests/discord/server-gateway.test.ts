import { once } from 'node:events'
import { constants, createInflate, inflateSync } from 'node:zlib'
import { GatewayIntentBits } from 'discord.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { DiscordServer } from '../support/discord/server.ts'
import { connect, raw, startServer, until, untilHeard, usualIntents } from './server-support.ts'

interface Raw {
  socket: WebSocket
  /** All that came. */
  received: Buffer[]
}

/** A connection by hand, which was greeted. */
async function socketTo(discord: DiscordServer, query = ''): Promise<Raw> {
  const { body } = await raw(discord, 'GET', '/gateway/bot')
  const socket = new WebSocket(`${(body as { url?: string }).url}?v=10&encoding=json${query}`)
  onTestFinished(() => socket.terminate())
  const received: Buffer[] = []
  socket.on('message', (data: Buffer) => received.push(data))
  await until(() => expect(received).not.toEqual([]))
  return { socket, received }
}

const identify = (discord: DiscordServer, more: object = {}) =>
  JSON.stringify({ op: 2, d: { token: discord.token, intents: 513, properties: {}, ...more } })

describe('a connection that breaks', () => {
  test('is resumed, and what was missed comes after', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.people.post('ana', 'general', 'before')
    await untilHeard(connected, 'before')
    discord.misbehave.disconnect()
    discord.people.post('ana', 'general', 'meanwhile')
    await untilHeard(connected, 'meanwhile')
    discord.people.post('ana', 'general', 'after')
    await untilHeard(connected, 'after')
    expect(connected.heard).toEqual(['before', 'meanwhile', 'after'])
    expect(discord.gateway).toMatchObject({ connected: 1, identifies: 1, resumes: 1 })
  })

  test.each(['reconnect', 'a session that is invalid and can be resumed'])('by %s is resumed too', async (manner) => {
    const discord = await startServer()
    const connected = await connect(discord)
    if (manner === 'reconnect') discord.misbehave.reconnect()
    else discord.misbehave.invalidate(true)
    await until(() => expect(discord.gateway.resumes).toBe(1))
    discord.people.post('ana', 'general', 'still here?')
    await untilHeard(connected, 'still here?')
    expect(discord.gateway.identifies).toBe(1)
  })

  test('starts over if it cannot be resumed, and only the history knows what was missed', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.misbehave.resume('refuse')
    discord.misbehave.disconnect(4000)
    discord.people.post('ana', 'general', 'missed')
    await until(() => expect(discord.gateway).toMatchObject({ connected: 1, identifies: 2, remaining: 998 }))
    discord.people.post('ana', 'general', 'after')
    await untilHeard(connected, 'after')
    expect(connected.heard).toEqual(['after'])
    const channel = await connected.client.channels.fetch(discord.channels.general ?? '')
    const history = channel?.isTextBased() ? await channel.messages.fetch({ limit: 10 }) : undefined
    expect(history?.map(({ content }) => content)).toEqual(['after', 'missed'])
  })

  test('is resumed without what was missed, if so told', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.misbehave.resume('lose')
    discord.misbehave.disconnect()
    discord.people.post('ana', 'general', 'lost')
    await until(() => expect(discord.gateway).toMatchObject({ connected: 1, resumes: 1 }))
    discord.people.post('ana', 'general', 'after')
    await untilHeard(connected, 'after')
    expect(connected.heard).toEqual(['after'])
  })
})

describe('a connection that stands', () => {
  test('may drop messages', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.misbehave.drop(true)
    discord.people.post('ana', 'general', 'dropped')
    discord.misbehave.drop(false)
    discord.people.post('ana', 'general', 'told')
    await untilHeard(connected, 'told')
    expect(connected.heard).toEqual(['told'])
    expect(discord.view('general').map(({ content }) => content)).toEqual(['dropped', 'told'])
  })

  test('may go deaf while heartbeats are answered', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    discord.misbehave.deafen()
    discord.people.post('ana', 'general', 'unheard')
    discord.misbehave.askHeartbeat()
    await until(() => expect(connected.client.ws.ping).toBeGreaterThanOrEqual(0))
    discord.misbehave.hear()
    discord.people.post('ana', 'general', 'heard')
    await untilHeard(connected, 'heard')
    expect(connected.heard).toEqual(['heard'])
    expect(discord.gateway).toMatchObject({ identifies: 1, resumes: 0 })
  })

  test('may go deaf without an answer to heartbeats, which discord.js notices', async () => {
    const discord = await startServer({ heartbeatIntervalMs: 100 })
    const connected = await connect(discord)
    discord.misbehave.deafen({ acknowledges: false })
    discord.people.post('ana', 'general', 'late')
    await untilHeard(connected, 'late')
    expect(discord.gateway.identifies).toBe(1)
    expect(discord.gateway.resumes).toBeGreaterThan(0)
  })

  test('may tell one message several times', async () => {
    const discord = await startServer()
    const connected = await connect(discord)
    const told: string[] = []
    connected.client.on('raw', ({ t }: { t: string }) => told.push(t))
    discord.people.post('ana', 'general', 'thrice', { copies: 3 })
    discord.misbehave.copies(2)
    discord.people.post('ana', 'general', 'twice')
    await untilHeard(connected, 'twice')
    await until(() => expect(told.filter((one) => one === 'MESSAGE_CREATE')).toHaveLength(5))
  })

  test('may be ready late', async () => {
    const discord = await startServer()
    discord.misbehave.delayReady(300)
    const { socket, received } = await socketTo(discord)
    socket.send(identify(discord))
    socket.send(JSON.stringify({ op: 1, d: null }))
    await until(() => expect(received).toHaveLength(4))
    expect(received.map((data) => JSON.parse(String(data)))).toMatchObject([
      { op: 10 },
      { op: 11 },
      { t: 'READY', s: 1 },
      { t: 'GUILD_CREATE', s: 2 },
    ])
  })
})

describe('whoever comes in', () => {
  test('without the intent reads only what is for it', async () => {
    const discord = await startServer({ intents: { messageContent: false } })
    const intents = usualIntents.filter((intent) => intent !== GatewayIntentBits.MessageContent)
    const connected = await connect(discord, { intents })
    const plain = discord.people.post('ana', 'general', 'among us', { files: [{ name: 'a.txt', content: 'a' }] })
    discord.people.post('ana', 'general', `for <@${discord.botId}>`)
    discord.people.post('ana', discord.people.direct('ana'), 'in private')
    await untilHeard(connected, 'in private')
    expect(connected.heard).toEqual(['', `for <@${discord.botId}>`, 'in private'])
    expect(connected.messages[0]?.attachments.size).toBe(0)
    const path = `/channels/${discord.channels.general}/messages/${plain}`
    expect(await raw(discord, 'GET', path)).toMatchObject({ body: { content: '' } })
  })

  test('with an intent that is switched off is sent away', async () => {
    const discord = await startServer({ intents: { messageContent: false } })
    await expect(connect(discord)).rejects.toThrow('disallowed intents')
  })

  test.each([
    ['another token', { token: 'another' }, 4004],
    ['intents that there are not', { intents: 1 << 30 }, 4013],
    ['a shard that there is not', { shard: [2, 1] }, 4010],
  ])('with %s is closed', async (_, data, code) => {
    const discord = await startServer()
    const { socket } = await socketTo(discord)
    socket.send(identify(discord, data))
    expect((await once(socket, 'close'))[0]).toBe(code)
  })

  test.each([
    ['no JSON', 'hello', 4002],
    ['an unknown opcode', '{"op":99}', 4001],
    ['a presence before the IDENTIFY', '{"op":3,"d":{}}', 4003],
  ])('and says %s is closed', async (_, text, code) => {
    const discord = await startServer()
    const { socket } = await socketTo(discord)
    socket.send(text)
    expect((await once(socket, 'close'))[0]).toBe(code)
  })

  test('more often than the budget allows loses its token', async () => {
    const discord = await startServer({ sessionStarts: { total: 1, remaining: 1 } })
    const first = await connect(discord)
    const ended = once(first.client, 'shardDisconnect')
    const { socket } = await socketTo(discord)
    socket.send(identify(discord))
    expect((await once(socket, 'close'))[0]).toBe(4004)
    expect((await ended)[0]).toMatchObject({ code: 4004 })
    expect(await raw(discord, 'GET', '/users/@me')).toMatchObject({ status: 401 })
  })

  test('twice within five seconds is refused where that is enforced', async () => {
    const discord = await startServer({ identifyThrottle: true })
    const connections = [await socketTo(discord), await socketTo(discord)]
    for (const { socket } of connections) socket.send(identify(discord))
    await until(() => expect(connections.every(({ received }) => received.length > 1)).toBe(true))
    const told = connections.map(({ received }) => JSON.parse(String(received[1])) as { op: number })
    expect(told.toSorted((one, other) => one.op - other.op)).toMatchObject([{ t: 'READY' }, { op: 9, d: false }])
  })

  test('may ask for compression, of the stream or of each message', async () => {
    const discord = await startServer()
    const [stream, each] = await Promise.all([socketTo(discord, '&compress=zlib-stream'), socketTo(discord)])
    const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    let text = ''
    inflate.on('data', (chunk) => {
      text += chunk
    })
    for (const data of stream.received) inflate.write(data)
    stream.socket.on('message', (data) => inflate.write(data))
    stream.socket.send(identify(discord))
    await until(() => expect(text).toContain('GUILD_CREATE'))
    expect(text).toContain('heartbeat_interval')

    each.socket.send(identify(discord, { compress: true }))
    await until(() => expect(each.received.length).toBeGreaterThan(1))
    expect(JSON.parse(String(inflateSync(each.received[1] as Buffer)))).toMatchObject({ t: 'READY' })
  })

  test('sees the guild go and come back', async () => {
    const discord = await startServer()
    const { client } = await connect(discord)
    const told: string[] = []
    client.on('guildUnavailable', () => told.push('gone'))
    client.on('guildAvailable', () => told.push('back'))
    discord.misbehave.outage(true)
    discord.misbehave.outage(false)
    await until(() => expect(told).toEqual(['gone', 'back']))
    expect(discord.violations).toEqual([])
  })
})
