import { describe, expect, test } from 'vitest'
import type { ThreadRef } from '../../src/domain/chat.ts'
import { openRoom } from './room.ts'

const names = Array.from({ length: 51 }, (_, index) => `name-${index}`)

describe('after a gap', () => {
  test('what somebody wrote in one of many direct messages is heard', async () => {
    const room = await openRoom({ server: { people: names } })
    const { discord, sink } = room
    const refs = names.map((name): ThreadRef => {
      const direct = discord.people.direct(name)
      return { platform: 'discord', tenant: 'dm', project: direct, thread: direct }
    })
    sink.known = refs
    await room.stop()
    discord.people.post('name-50', refs[50]?.thread ?? '', 'are you there?')
    await room.start()

    expect(await room.hears('are you there?')).toMatchObject({ thread: refs[50] })
  })

  test('what somebody wrote in an archived thread in one of many channels is heard', async () => {
    const room = await openRoom({ server: { channels: names } })
    const { discord, sink } = room
    const threads = names.map((name) => discord.people.createThread('ana', name, 'a thread'))
    sink.known = threads.map((thread, index) => {
      const project = discord.channels[names[index] ?? ''] ?? ''
      return { platform: 'discord', tenant: discord.guildId, project, thread }
    })
    await room.stop()
    discord.people.post('ana', threads[50] ?? '', 'are you there?')
    for (const thread of threads) discord.people.archiveThread(thread)
    await room.start()

    expect(await room.hears('are you there?')).toMatchObject({ thread: sink.known[50] })
  })
})
