import { describe, expect, test } from 'vitest'
import type { ThreadRef } from '../../src/domain/chat.ts'
import type { DiscordServer } from '../support/discord/server.ts'
import { openRoom } from './room.ts'
import { posting, type StubSink } from './stub.ts'

async function open() {
  const room = await openRoom({ mayViolate: true })
  const { thread } = await room.mention('ana', 'general', 'hello')
  return { ...room, room, thread }
}

describe('whom an answer notifies', () => {
  type Ids = Pick<DiscordServer, 'users' | 'roles'>
  async function said(ping: (ids: Ids) => string[], words: string | ((ids: Ids) => string)) {
    const { discord, platform, thread } = await open()
    const text = typeof words === 'string' ? words : words(discord)
    const pages = platform.pages({ kind: 'answer', text, files: [], record: undefined, ping: ping(discord) })
    for (const [place, page] of pages.entries()) await platform.post(thread, page, posting(`ring.${place}`))
    const sent = discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
    return { discord, shown: discord.view(thread.thread), sent: sent.map(({ body }) => body as Sent) }
  }
  interface Sent {
    content: string
    allowed_mentions: { users?: string[] }
  }

  test('is who is named, and stands before what is said', async () => {
    const { discord, shown, sent } = await said(
      ({ users, roles }) => [`user:${users.ben}`, `group:${roles.approvers}`, `user:${users.ben}`],
      'This needs your answer.',
    )
    expect(shown[0]?.pinged).toEqual(['ben', 'approvers'])
    expect(sent[0]?.content).toBe(`<@${discord.users.ben}> <@&${discord.roles.approvers}>\nThis needs your answer.`)
    expect(sent[0]?.allowed_mentions).toEqual({
      parse: [],
      users: [discord.users.ben],
      roles: [discord.roles.approvers],
      replied_user: false,
    })
  })

  test('is nobody whom only the text names', async () => {
    const { discord, shown } = await said(
      ({ users }) => [`user:${users.ben}`],
      ({ users, roles }) => `<@${users.cleo}> <@!${users.ben}> <@&${roles.approvers}> @everyone @here`,
    )
    expect(shown[0]?.pinged).toEqual(['ben'])
    expect(shown[0]?.content.match(/<@[!&]?\d/g)).toEqual([`<@${discord.users.ben?.[0]}`])
  })

  test('is nobody without an id of Discord’s', async () => {
    const { shown, sent } = await said(
      ({ users }) => [
        'user:@everyone',
        'group:everyone',
        `user:${users.ben}> <@1`,
        'user:',
        'x:1',
        `role:${users.ben}`,
      ],
      'Hello.',
    )
    expect(shown[0]?.pinged).toEqual([])
    expect(sent[0]?.content).toBe('Hello.')
    expect(sent[0]?.allowed_mentions).toMatchObject({ parse: [] })
  })

  test('are as many as leave room, and a long text is parted around them', async () => {
    const ids = Array.from({ length: 90 }, (_, index) => `user:${100_000_000_000_000_000n + BigInt(index)}`)
    const { shown, sent } = await said(() => ids, 'word '.repeat(600))
    expect(shown.length).toBeGreaterThan(1)
    expect(sent[0]?.allowed_mentions.users).toHaveLength(40)
    expect(sent[1]?.allowed_mentions).toEqual({ parse: [], replied_user: false })
    for (const { content } of sent) expect(content.length).toBeLessThanOrEqual(2_000)
  })
})

describe('who has a role', () => {
  const known = ({ sink }: { sink: StubSink }): ThreadRef => sink.heard[0]?.thread as ThreadRef

  test('is asked each time: one that was taken away does not count, even when nobody told us', async () => {
    const { platform, discord, sink } = await open()
    const { ben = '' } = discord.users
    const { approvers = '' } = discord.roles
    const thread = known({ sink })
    expect(await platform.isMember(thread, ben, approvers)).toBe(true)
    discord.people.takeRole('ben', 'approvers')
    expect(await platform.isMember(thread, ben, approvers)).toBe(false)
    discord.people.giveRole('ben', 'approvers')
    expect(await platform.isMember(thread, ben, approvers)).toBe(true)
    expect(discord.calls.filter(({ path }) => path.includes('/members/'))).toHaveLength(3)
  })

  test('is nobody who isn’t there, in direct messages, or without a valid id', async () => {
    const { platform, discord, sink } = await open()
    const { ben = '' } = discord.users
    const { approvers = '' } = discord.roles
    const thread = known({ sink })
    const asked = [
      platform.isMember(thread, '999999999999999999', approvers),
      platform.isMember({ ...thread, tenant: 'dm' }, ben, approvers),
      platform.isMember(thread, ben, 'approvers'),
      platform.isMember(thread, `${ben}/../${ben}`, approvers),
      platform.isMember(thread, 'console', approvers),
    ]
    expect(await Promise.all(asked)).toEqual(asked.map(() => false))
    expect(await platform.isMember(thread, ben, thread.tenant)).toBe(true)
  })

  test('is not guessed when Discord cannot be asked', async () => {
    const { platform, discord, sink } = await open()
    discord.misbehave.fail({ path: '/members/' }, { kind: 'status', status: 403 }, 9)
    const { ben = '' } = discord.users
    await expect(platform.isMember(known({ sink }), ben, discord.roles.approvers ?? '')).rejects.toThrow()
  })
})
