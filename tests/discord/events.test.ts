import { EventEmitter } from 'node:events'
import type { Client } from 'discord.js'
import { expect, test } from 'vitest'
import { follow } from '../../src/platforms/discord/receive/events.ts'
import { until } from '../support/until.ts'
import { stubDeps } from './stub.ts'

test.each([
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_REACTION_ADD',
  'INTERACTION_CREATE',
  'GUILD_CREATE',
])('a %s that is not what it should be ends nothing', async (event) => {
  const ws = new EventEmitter()
  const { log, lines } = stubDeps()
  // Everything that is done with it fails, at once or later.
  const broken = new Proxy({}, { get: () => () => Promise.reject(new Error('broken')) }) as never
  const listeners = follow({
    hearing: broken,
    readBack: broken,
    greeter: { server: async () => {} } as never,
    reactions: broken,
    directory: broken,
    client: () => undefined,
    interaction: () => Promise.reject(new Error('broken')),
    ready: async () => {},
    retryRefused: async () => {},
    log,
  })
  listeners.attach({ ws } as unknown as Client)
  ws.emit(event, event === 'MESSAGE_UPDATE' ? null : {})

  await until('the log', () => lines.some(({ level }) => level === 'error'))
  expect(lines).toMatchObject([{ what: 'an event of Discord failed', about: { name: event } }])
})
