import { expect, onTestFinished } from 'vitest'
import type { Heard } from '../../src/domain/chat.ts'
import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import { type Timing, usualTiming } from '../../src/platforms/discord/timing.ts'
import type { ChatPlatform } from '../../src/platforms/platform.ts'
import { type DiscordServer, type DiscordServerOptions, startDiscordServer } from '../support/discord/server.ts'
import { patienceMs, until } from '../support/until.ts'
import { StubSink, stubDeps } from './stub.ts'

/** As usual, for people with less time. */
export const quick: Timing = {
  ...usualTiming,
  startMs: patienceMs,
  lookMs: 20,
  serversMs: 200,
  closeMs: 300,
  spacingMs: 10,
  retryMs: 50,
  longestRetryMs: 300,
  cursorMs: 10,
  againMs: 300,
}

export interface Room {
  discord: DiscordServer
  sink: StubSink
  deps: ReturnType<typeof stubDeps>
  readonly platform: ChatPlatform
  /** Somebody mentions the bot; resolves with what was heard of it. */
  mention(
    who: string,
    where: string,
    text: string,
    options?: Parameters<DiscordServer['people']['post']>[3],
  ): Promise<Heard>
  /** Resolves with the message of this text when it was heard. */
  hears(text: string): Promise<Heard>
  /** Ends the bot and starts another one that has its notes. */
  restart(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

export interface RoomOptions {
  server?: DiscordServerOptions
  timing?: Partial<Timing>
  /** What the server is told to do wrong on purpose counts as violation: such a test looks itself. */
  mayViolate?: boolean
}

/** A server, and the bot in it, until the test has ended. Whatever Discord would have refused fails the test. */
export async function openRoom({ server = {}, timing = {}, mayViolate = false }: RoomOptions = {}): Promise<Room> {
  const discord = await startDiscordServer(server)
  const sink = new StubSink()
  const deps = stubDeps()
  const build = () => discordPlatform({ token: discord.token, apiUrl: discord.url }, deps, { ...quick, ...timing })
  let platform = build()
  onTestFinished(async () => {
    await platform.stop()
    await discord.close()
    if (!mayViolate) expect(discord.violations).toEqual([])
  })
  await platform.start(sink)
  await until('the connection', () => platform.health().ok)
  await until('the commands', () => deps.notes.get('discord.commands'))

  const start = async () => {
    platform = build()
    await platform.start(sink)
    await until('the connection', () => platform.health().ok)
  }
  const hears = (text: string) => until(`"${text}"`, () => sink.heard.find((heard) => heard.text === text))
  return {
    discord,
    sink,
    deps,
    get platform() {
      return platform
    },
    hears,
    mention(who, where, text, options) {
      discord.people.post(who, where, `<@${discord.botId}> ${text}`, options)
      return hears(text)
    },
    async restart() {
      await platform.stop()
      await start()
    },
    stop: () => platform.stop(),
    start,
  }
}
