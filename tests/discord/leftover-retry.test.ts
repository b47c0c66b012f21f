import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { discordPlatform } from '../../src/platforms/discord/discord.ts'
import { startDiscordServer } from '../support/discord/server.ts'
import { until } from '../support/until.ts'
import { quick } from './room.ts'
import { StubSink, stubDeps } from './stub.ts'

test('an attempt that was planned before another one succeeded isn’t made', async () => {
  const discord = await startDiscordServer()
  const deps = stubDeps()
  // The look from outside comes before the attempt that is planned after a failure.
  const timing = { ...quick, startMs: 50, stuckMs: 5_000, retryMs: 10_000, longestRetryMs: 10_000 }
  const platform = discordPlatform({ token: discord.token, apiUrl: discord.url }, deps, timing)
  onTestFinished(async () => {
    await platform.stop()
    await discord.close()
  })
  const lines = (what: string) => deps.lines.filter((line) => line.what === what)
  discord.misbehave.fail({ method: 'GET', path: '/gateway/bot' }, { kind: 'status', status: 503 }, 999)
  await platform.start(new StubSink())
  await until('a failure', () => lines('could not connect to Discord').length > 0)
  // Timers of the same length end in the order in which they began.
  const planned = sleep(timing.retryMs)
  discord.misbehave.stop()
  await until('the connection', () => platform.health().ok)
  await planned

  expect(lines('reconnecting to Discord').map(({ about }) => about)).not.toContainEqual({ why: 'it failed' })
})
