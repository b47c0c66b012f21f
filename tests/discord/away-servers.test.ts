import { describe, expect, test } from 'vitest'
import type { Heard } from '../../src/domain/chat.ts'
import { until } from '../support/until.ts'
import { openRoom } from './room.ts'

const dayMs = 86_400_000

/** A bot that was down while somebody said something, and starts while the server is away. */
async function openAway(is: 'late' | 'unavailable') {
  const room = await openRoom()
  await room.stop()
  room.discord.people.post('ana', 'general', 'while nobody was there')
  room.discord.misbehave.guild(is)
  await room.start()
  return room
}

/** Something that is said elsewhere, and long after. */
async function saidElsewhere({ discord, hears }: Awaited<ReturnType<typeof openRoom>>, text: string): Promise<Heard> {
  discord.misbehave.ahead(60_000)
  discord.people.post('ben', discord.people.direct('ben'), text)
  return hears(text)
}

describe('a server that is away', () => {
  test.each(['late', 'unavailable'] as const)('at the start, %s, is read back when it comes', async (is) => {
    const room = await openAway(is)
    await saidElsewhere(room, 'elsewhere')
    expect(room.sink.texts).toEqual(['elsewhere'])

    room.discord.misbehave.outage(false)
    await room.hears('while nobody was there')
  })

  test('holds up no other one: what is said there is read once, also by the next process', async () => {
    const room = await openAway('late')
    await saidElsewhere(room, 'elsewhere')
    const { notes } = room.deps
    const last = room.sink.heard.at(-1)?.message ?? ''
    // A version that doesn't know of such servers goes on from there, too.
    await until('the position', async () => (await notes.get('discord.cursor')) === last)
    await room.restart()
    expect(await notes.get('discord.cursor')).toBe(last)
    expect(await notes.get('discord.behind')).toMatch(new RegExp(`^${room.discord.guildId}=\\d+$`))

    room.discord.misbehave.guild('there')
    await room.restart()
    await room.hears('while nobody was there')
    await until('the end of it', async () => (await notes.get('discord.behind')) === '')
    expect(await notes.get('discord.cursor')).toBe(last)
  })

  test('when its session resumes before all servers are known is read back when it comes', async () => {
    const room = await openRoom({ timing: { serversMs: 600_000 } })
    const { discord } = room
    await room.stop()
    discord.people.post('ana', 'general', 'while nobody was there')
    discord.misbehave.guild('late')
    const started = room.start()
    await until('the new session', () => discord.gateway.identifies === 2 && discord.gateway.connected === 1)
    discord.misbehave.disconnect(4000)
    await started
    await saidElsewhere(room, 'elsewhere')

    discord.misbehave.outage(false)
    await room.hears('while nobody was there')
  })

  test('only for as long as its session was lost, at the start, is there', async () => {
    const room = await openRoom({ timing: { serversMs: 1_000, quietMs: 50 } })
    const { discord } = room
    discord.misbehave.guild('late')
    discord.misbehave.invalidate()
    await until('the new session', () => discord.gateway.identifies === 2 && discord.gateway.connected === 1)
    discord.misbehave.disconnect(4000)
    discord.misbehave.outage(false)
    discord.calls.length = 0
    const path = `/guilds/${discord.guildId}/channels`
    // Once they wait for no more servers, only those that are there are looked into.
    const looks = () => discord.calls.filter((call) => call.path === path).length
    await until('many looks', () => looks() >= 40)
  })

  test('once more while it is read back is read back once more', async () => {
    const room = await openRoom()
    const { discord, hears } = room
    const said = (text: string) => {
      discord.misbehave.drop(true)
      discord.people.post('ana', 'general', text)
      discord.misbehave.drop(false)
    }
    discord.misbehave.outage(true)
    said('in the first outage')
    const again = () => {
      discord.misbehave.outage(true)
      said('in the second outage')
      discord.misbehave.outage(false)
    }
    const path = /channels\/\d+\/messages/
    discord.misbehave.fail({ method: 'GET', path }, { kind: 'first', run: again }, 1)
    discord.misbehave.outage(false)
    await hears('in the first outage')
    await hears('in the second outage')
  })

  test('is no sign of a deaf connection', async () => {
    const room = await openRoom({ timing: { quietMs: 50 } })
    const { discord, deps, sink } = room
    sink.known = [(await saidElsewhere(room, 'elsewhere')).thread]
    discord.misbehave.outage(true)
    await until('the outage', async () => (await deps.notes.get('discord.behind'))?.includes(discord.guildId))
    discord.misbehave.drop(true)
    discord.people.post('ana', 'general', 'in the outage')
    discord.misbehave.drop(false)
    discord.calls.length = 0
    const path = `/channels/${sink.known[0]?.thread}`
    await until('three looks', () => discord.calls.filter((call) => call.path === path).length >= 3)
    expect(sink.texts).toEqual(['elsewhere'])

    discord.misbehave.outage(false)
    await room.hears('in the outage')
    expect(discord.gateway.identifies).toBe(1)
  })

  test('for weeks is read back for the last days only', async () => {
    const room = await openAway('late')
    const { discord, deps, hears, sink } = room
    await saidElsewhere(room, 'elsewhere')
    await room.stop()
    discord.misbehave.ahead(18 * dayMs)
    discord.people.post('ana', 'general', 'two days ago')
    Object.assign(deps, { clock: { now: () => Date.now() + 20 * dayMs } })
    discord.misbehave.guild('there')
    await room.start()
    await hears('two days ago')
    expect(sink.texts).toEqual(['elsewhere', 'two days ago'])
  })
})
