import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import { Cursor } from '../../src/platforms/discord/gaps/cursor.ts'
import { ReadBack } from '../../src/platforms/discord/gaps/read-back.ts'
import { startDiscordServer } from '../support/discord/server.ts'
import { until } from '../support/until.ts'
import { openRoom, quick } from './room.ts'
import { StubSink, say, stubDeps } from './stub.ts'

const dayMs = 86_400_000

/** What was said while nobody told the bot, and is heard all the same: once. */
const texts = ({ sink }: { sink: StubSink }) => sink.texts

/** Loses the connection, which comes back with a new session when nothing misbehaves any more. */
async function loses({ discord, platform }: Awaited<ReturnType<typeof openRoom>>): Promise<void> {
  discord.misbehave.fail({ method: 'GET', path: '/gateway/bot' }, { kind: 'status', status: 503 }, 999)
  discord.misbehave.resume('refuse')
  discord.misbehave.disconnect(4000)
  await until('the loss', () => !platform.health().ok)
}

describe('a lost connection', () => {
  test('that resumes brings what was said meanwhile', async () => {
    const room = await openRoom()
    const { discord, hears } = room
    discord.misbehave.disconnect(4000)
    discord.people.post('ana', 'general', 'meanwhile')
    await hears('meanwhile')
    await until('the connection', () => room.platform.health().ok)

    expect(discord.gateway).toMatchObject({ identifies: 1, resumes: 1 })
  })

  test.each([
    ['is broken off', 1006],
    ['is closed for good', 1000],
  ])('that %s comes back', async (_, code) => {
    const room = await openRoom()
    const { discord, hears } = room
    discord.misbehave.disconnect(code)
    await until('the new connection', () => room.platform.health().ok && discord.gateway.connected === 1)
    discord.people.post('ana', 'general', 'after')

    await hears('after')
  })

  test('that cannot resume is read back: channels, threads, archived threads, direct messages', async () => {
    const room = await openRoom()
    const { discord, mention, hears, sink } = room
    const { thread } = await mention('ana', 'general', 'hello')
    await say(room.platform, thread, 'Hello.')
    const archived = await mention('ana', 'general', 'another')
    await say(room.platform, archived.thread, 'Hello.')
    const direct = discord.people.direct('ana')
    discord.people.post('ana', direct, 'between us')
    sink.known = [thread, archived.thread, (await hears('between us')).thread]

    discord.misbehave.drop(true)
    discord.misbehave.resume('refuse')
    discord.people.post('ana', 'general', 'in the channel')
    discord.people.post('ana', thread.thread, 'in the thread')
    discord.people.post('ana', archived.thread.thread, 'in the archive')
    discord.people.archiveThread(archived.thread.thread)
    discord.people.post('ana', direct, 'directly')
    discord.misbehave.drop(false)
    discord.misbehave.disconnect(4000)
    await until('all of it', () => sink.heard.length === 7)

    expect(texts(room).slice(3).toSorted()).toEqual(['directly', 'in the archive', 'in the channel', 'in the thread'])
    expect(discord.gateway.identifies).toBe(2)
  })

  test('is read back although Discord fails to show one of the channels', async () => {
    const room = await openRoom()
    const { discord, hears } = room
    discord.people.post('ana', 'general', 'before')
    const path = `/channels/${(await hears('before')).thread.project}/messages`
    discord.misbehave.fail({ method: 'GET', path: new RegExp(path) }, { kind: 'status', status: 500 }, 999)
    discord.misbehave.drop(true)
    discord.misbehave.resume('refuse')
    discord.people.post('ana', 'general', 'in a channel that cannot be read')
    discord.people.post('ana', 'random', 'in another one')
    discord.misbehave.drop(false)
    discord.misbehave.disconnect(4000)
    await hears('in another one')
    discord.misbehave.stop()
    await hears('in a channel that cannot be read')
  })

  test('that often could not be read back is tried again once at a time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let tries = 0
    const threads = async () => {
      tries++
      throw new Error('the database is busy')
    }
    const cursor = new Cursor({ ...stubDeps(), settled: () => {} }, quick.cursorMs)
    await cursor.first('1')
    const { signal } = new AbortController()
    const deps = { cursor, sink: { threads }, log: stubDeps().log, againMs: 1_000, signal }
    const readBack = new ReadBack(deps as unknown as ConstructorParameters<typeof ReadBack>[0])
    readBack.begin({ guilds: [] })
    await readBack.known(0)
    for (let gap = 2; gap <= 5; gap++) await readBack.read()
    expect(tries).toBe(5)
    for (const after of [6, 7, 8]) {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(tries).toBe(after)
    }
    await Promise.all([readBack.read(), readBack.read(), readBack.read()])
    expect(tries).toBe(9)
  })

  test('that was lost with what was missed, although RESUMED came, is noticed', async () => {
    const room = await openRoom({ timing: { quietMs: 200 } })
    const { discord, hears } = room
    discord.misbehave.resume('lose')
    discord.misbehave.drop(true)
    discord.people.post('ana', 'general', 'lost')
    discord.misbehave.drop(false)
    discord.misbehave.disconnect(4000)

    expect(await hears('lost')).toMatchObject({ author: 'person' })
  })

  test('an invalid session starts over, once', async () => {
    const room = await openRoom()
    const { discord, hears } = room
    discord.misbehave.drop(true)
    discord.people.post('ana', 'general', 'missed')
    discord.misbehave.drop(false)
    discord.misbehave.invalidate()
    await hears('missed')
    discord.people.post('ana', 'general', 'after')
    await hears('after')

    expect(texts(room)).toEqual(['missed', 'after'])
    expect(discord.gateway.identifies).toBe(2)
  })

  test('a bot that was down reads what was said meanwhile, and nothing twice', async () => {
    const room = await openRoom()
    const { discord, hears, mention } = room
    const { thread } = await mention('ana', 'general', 'hello')
    await say(room.platform, thread, 'Hello.')
    await room.stop()
    discord.people.post('ana', thread.thread, 'are you there?')
    discord.people.post('ana', 'random', `<@${discord.botId}> and here?`)
    await room.start()
    await hears('and here?')
    await hears('are you there?')

    expect(texts(room).toSorted()).toEqual(['and here?', 'are you there?', 'hello'])
  })

  test('a bot that missed more than it reads back hears the newest of it, in order', async () => {
    const room = await openRoom()
    const { discord, hears } = room
    await room.stop()
    for (let index = 0; index <= 1_000; index++) discord.people.post('ana', 'general', `message ${index}`)
    await room.start()
    await hears('message 1000')

    expect(texts(room)).toEqual(Array.from({ length: 1_000 }, (_, index) => `message ${index + 1}`))
  })

  test('a bot that was down for weeks hears what was said in the last days only', async () => {
    const room = await openRoom()
    const { discord, deps, hears } = room
    await room.stop()
    discord.people.post('ana', 'general', 'weeks ago')
    discord.misbehave.ahead(18 * dayMs)
    discord.people.post('ana', 'general', 'two days ago')
    Object.assign(deps, { clock: { now: () => Date.now() + 20 * dayMs } })
    await room.start()
    await hears('two days ago')

    expect(texts(room)).toEqual(['two days ago'])
  })

  test('one that did not come to read back a gap reads it at the next start, whatever was heard behind the gap', async () => {
    const room = await openRoom()
    const { discord, hears, deps } = room
    discord.people.post('ana', 'general', 'before the gap')
    await hears('before the gap')
    discord.misbehave.fail({ method: 'GET', path: /messages/ }, { kind: 'status', status: 403 }, 99)
    discord.misbehave.drop(true)
    discord.misbehave.resume('refuse')
    discord.people.post('ben', 'general', 'in the gap')
    discord.misbehave.drop(false)
    discord.misbehave.disconnect(4000)
    await until('the failure', () => deps.lines.some(({ what }) => what.includes('could not be read')))
    discord.misbehave.ahead(60_000)
    discord.people.post('ana', 'general', 'behind the gap')
    await hears('behind the gap')
    expect(texts(room)).toEqual(['before the gap', 'behind the gap'])
    await room.stop()

    discord.misbehave.stop()
    await room.start()
    await hears('in the gap')
  })

  test('one that went down while it read back reads the rest at the next start', async () => {
    const room = await openRoom()
    const { discord, hears, sink } = room
    const direct = discord.people.direct('ana')
    discord.people.post('ana', direct, 'between us')
    sink.known = [(await hears('between us')).thread]
    await room.stop()
    discord.people.post('ana', direct, 'directly')
    discord.misbehave.ahead(60_000)
    discord.people.post('ben', 'general', 'in the channel')
    let stopped: Promise<void> | undefined
    sink.beforeStoring = () => {
      stopped ??= room.stop()
    }
    await room.start()
    await until('the stop', () => stopped?.then(() => true))
    expect(texts(room)).toEqual(['between us', 'in the channel'])

    sink.beforeStoring = () => {}
    await room.start()
    await hears('directly')
  })

  test('one that catches up with a thread before it is connected knows its own words, and reads the rest afterwards', async () => {
    const room = await openRoom()
    const { discord, mention, hears, sink, deps } = room
    const { thread } = await mention('ana', 'general', 'hello')
    await say(room.platform, thread, 'Hello.')
    const direct = discord.people.direct('ana')
    discord.people.post('ana', direct, 'between us')
    sink.known = [thread, (await hears('between us')).thread]
    await room.stop()
    discord.people.post('ana', direct, 'directly')
    discord.misbehave.ahead(60_000)
    discord.people.post('ana', thread.thread, 'are you there?')
    discord.misbehave.fail({ method: 'GET', path: '/gateway/bot' }, { kind: 'status', status: 503 }, 99)
    const settings = { token: discord.token, apiUrl: discord.url }
    const platform = discordPlatform(settings, deps, { ...quick, startMs: 100 })
    onTestFinished(() => platform.stop())
    await platform.start(sink)
    await platform.catchUp(thread)
    expect(texts(room)).toEqual(['hello', 'between us', 'are you there?'])

    discord.misbehave.stop()
    await hears('directly')
  })

  test('one that is lost can be caught up with in a thread, and the rest is read when it is back', async () => {
    const room = await openRoom()
    const { discord, platform, mention, hears } = room
    const { thread } = await mention('ana', 'general', 'hello')
    await say(platform, thread, 'Hello.')
    await hears('hello')
    await loses(room)
    discord.people.post('ben', 'random', 'in the dark')
    discord.misbehave.ahead(60_000)
    discord.people.post('ana', thread.thread, 'are you there?')
    await platform.catchUp(thread)
    expect(texts(room)).toEqual(['hello', 'are you there?'])

    discord.misbehave.stop()
    await hears('in the dark')
  })

  test('one that is lost is no time to find that nothing is missing', async () => {
    const room = await openRoom()
    const { discord, hears, deps } = room
    discord.people.post('ana', 'general', 'hello')
    await hears('hello')
    discord.misbehave.fail({ method: 'GET', path: /messages/ }, { kind: 'status', status: 403 }, 1)
    discord.misbehave.invalidate(false)
    await until('the failure', () => deps.lines.some(({ what }) => what.includes('could not be read')))
    await loses(room)
    discord.people.post('ben', 'random', 'in the dark')
    discord.misbehave.ahead(60_000)
    discord.people.post('ana', 'general', 'later')
    // By then it was tried again.
    await sleep(quick.againMs * 2)

    discord.misbehave.stop()
    await hears('later')
    await hears('in the dark')
  })

  test('one that could not store a message before it went down has it told again', async () => {
    const room = await openRoom()
    const { discord, hears, sink } = room
    discord.people.post('ana', 'general', 'first')
    await hears('first')
    sink.beforeStoring = () => {
      throw new Error('the disk is full')
    }
    discord.people.post('ana', 'general', 'second')
    await until('the failure', () => room.deps.lines.some(({ level }) => level === 'error'))
    await room.stop()
    sink.beforeStoring = () => {}
    await room.start()

    await hears('second')
  })

  test('one that is killed in its first seconds knows from where on to read', async () => {
    const room = await openRoom({ timing: { cursorMs: 60_000 } })
    const { discord, deps } = room
    // As it is when the process is killed now.
    const asKilled = stubDeps()
    for (const name of ['discord.cursor', 'discord.commands']) {
      const value = await deps.notes.get(name)
      if (value !== undefined) await asKilled.notes.set(name, value)
    }
    await room.stop()
    discord.people.post('ana', 'general', `<@${discord.botId}> nobody hears this`)
    const sink = new StubSink()
    const again = discordPlatform({ token: discord.token, apiUrl: discord.url }, asKilled, quick)
    onTestFinished(() => again.stop())
    await again.start(sink)
    await until('what was said meanwhile', () => sink.texts.includes('nobody hears this'))
  })

  test('at its very first start it reads nothing from before', async () => {
    const discord = await startDiscordServer()
    discord.people.post('ana', 'general', 'long ago')
    const sink = new StubSink()
    const platform = discordPlatform({ token: discord.token, apiUrl: discord.url }, stubDeps(), quick)
    await platform.start(sink)
    discord.people.post('ana', 'general', 'now')
    await until('the message', () => sink.heard.length > 0)

    expect(sink.texts).toEqual(['now'])
    await platform.stop()
    await discord.close()
  })
})

describe('a deaf connection', () => {
  test('that answers heartbeats and brings nothing is noticed, and made anew', async () => {
    const room = await openRoom({ timing: { quietMs: 150 } })
    const { discord, hears } = room
    discord.misbehave.deafen()
    discord.people.post('ana', 'general', 'anybody?')
    await hears('anybody?')
    await until('a new connection', () => discord.gateway.identifies >= 2 && room.platform.health().ok)
    discord.people.post('ana', 'general', 'ah')

    await hears('ah')
    expect(texts(room)).toEqual(['anybody?', 'ah'])
  })

  test('that does not answer either is not healthy, and made anew', async () => {
    const room = await openRoom({ server: { heartbeatIntervalMs: 200 }, timing: { silentMs: 600, quietMs: 60_000 } })
    const { discord, hears } = room
    discord.misbehave.deafen({ acknowledges: false })
    discord.people.post('ana', 'general', 'anybody?')
    await hears('anybody?')

    await until('health', () => room.platform.health().ok)
  })

  test('a quiet server isn’t a deaf one', async () => {
    const { discord, platform } = await openRoom({ timing: { quietMs: 50 } })
    const asked = () => discord.calls.filter(({ path }) => path.endsWith('/threads/active')).length
    await until('three questions', () => asked() >= 3)

    expect(discord.gateway.identifies).toBe(1)
    expect(platform.health().ok).toBe(true)
  })
})

describe('login', () => {
  const open = (discord: { url: string }, token: string) =>
    discordPlatform({ token, apiUrl: discord.url }, stubDeps(), quick)

  test('a wrong token is reported as wrong, with what to do', async () => {
    const discord = await startDiscordServer()
    const platform = open(discord, 'wrong')
    const failure = await platform.start(new StubSink()).catch((thrown: unknown) => thrown)

    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ code: 'discord_token', remedy: /DISCORD_TOKEN/ })
    await discord.close()
  })

  test('a missing intent is named', async () => {
    const discord = await startDiscordServer({ intents: { messageContent: false } })
    const platform = open(discord, discord.token)

    await expect(platform.start(new StubSink())).rejects.toMatchObject({
      code: 'discord_intents',
      remedy: /Message Content Intent/,
    })
    expect(platform.health().ok).toBe(false)
    await discord.close()
  })

  test('starts even if Discord is out of reach, and connects once it is there', async () => {
    const discord = await startDiscordServer()
    discord.misbehave.fail({ path: '/gateway/bot' }, { kind: 'reset' }, 3)
    const platform = open(discord, discord.token)
    await platform.start(new StubSink())
    expect(platform.health().ok).toBe(false)

    await until('the connection', () => platform.health().ok)
    await platform.stop()
    await discord.close()
  })

  test('a gateway that takes the call and says nothing, and then breaks it off, ends nothing', async () => {
    const discord = await startDiscordServer()
    const calls: Socket[] = []
    const silent = createServer((socket) => void calls.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const limit = { total: 1_000, remaining: 1_000, reset_after: 1, max_concurrency: 1 }
    const api = createHttp((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ url: address, shards: 1, session_start_limit: limit }))
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/api`
    const timing = { ...quick, startMs: 50, stuckMs: 100 }
    const platform = discordPlatform({ token: discord.token, apiUrl: url }, stubDeps(), timing)
    await platform.start(new StubSink())
    await until('three calls', () => calls.length >= 3)
    for (const call of calls) call.resetAndDestroy()

    expect(platform.health().ok).toBe(false)
    await platform.stop()
    for (const server of [silent, api]) server.close()
    await discord.close()
  })

  test('sessions that do not last are begun more and more slowly', async () => {
    const room = await openRoom({ timing: { spacingMs: 100 } })
    const { discord, platform, deps } = room
    const waits = () => deps.lines.filter(({ what }) => what === 'a new session with Discord waits')
    for (let round = 2; round <= 4; round++) {
      discord.misbehave.invalidate()
      await until('the next session', () => discord.gateway.identifies === round)
    }
    discord.misbehave.invalidate()

    await until('patience', () => waits().length === 4)
    expect(waits().map(({ about }) => about)).toEqual([{ ms: 100 }, { ms: 200 }, { ms: 400 }, { ms: 800 }])
    await until('the connection', () => platform.health().ok)
  })

  test('with few sessions left it waits, and says so', async () => {
    const discord = await startDiscordServer({ sessionStarts: { total: 1_000, remaining: 60, resetAfterMs: 600_000 } })
    const timing = { ...quick, startMs: 50 }
    const platform = discordPlatform({ token: discord.token, apiUrl: discord.url }, stubDeps(), timing)
    await platform.start(new StubSink())

    await until('patience', () => platform.health().detail.startsWith('waits'))
    expect(discord.gateway.identifies).toBe(0)
    await platform.stop()
    await discord.close()
  })
})
