import { expect, test } from 'vitest'
import { openRoom } from './room.ts'

test.each(['unavailable', 'late'] as const)(
  'what was said to a server that is %s when the bot comes back is read when the server is there',
  async (manner) => {
    // Nobody asks Discord for what the session didn't bring.
    const room = await openRoom({ timing: { guildsMs: 50, quietMs: 600_000 } })
    const { discord, mention, hears } = room
    await mention('ana', 'general', 'hello')
    await room.stop()
    discord.people.post('ana', 'general', 'anybody?')
    discord.misbehave.beginWithGuild(manner)
    await room.start()
    // Direct messages are heard meanwhile, and don't count for what was said in the server.
    discord.people.post('ana', discord.people.direct('ana'), 'between us')
    await hears('between us')

    discord.misbehave.outage(false)
    await hears('anybody?')
    expect(room.sink.texts).toEqual(['hello', 'between us', 'anybody?'])
  },
)
