import { describe, expect, test } from 'vitest'
import { Groups } from '../../src/platforms/slack/directory/groups.ts'
import type { SlackWorkspace } from '../../src/platforms/slack/directory/workspace.ts'
import { openBench, posting, threadOf } from './support.ts'

const groups = [{ handle: 'platform', users: ['ana'] }]
const id = 'S0PLATFORM'

describe('a user group', () => {
  test('is asked each time, so that who has left it counts no more', async () => {
    await using bench = await openBench({ groups })
    const { server, platform } = bench
    const thread = threadOf(server, 'general', '1.1')
    const isMember = (who: string) => platform.isMember(thread, server.user(who), id)
    expect([await isMember('ana'), await isMember('ben')]).toEqual([true, false])
    server.people.setGroup('platform', ['ben'])
    expect([await isMember('ana'), await isMember('ben')]).toEqual([false, true])
    expect(server.violations).toEqual([])
  })

  test('that is asked about twice at the same instant is asked once', async () => {
    await using bench = await openBench({ groups })
    const { server, platform } = bench
    const thread = threadOf(server, 'general', '1.1')
    const looks = ['ana', 'ben', 'cleo'].map((who) => platform.isMember(thread, server.user(who), id))
    expect(await Promise.all(looks)).toEqual([true, false, false])
    expect(server.callsTo('usergroups.users.list')).toHaveLength(1)
  })

  test('of another workspace, a handle, a role of Discord’s or one that is gone has no members', async () => {
    await using bench = await openBench({ groups })
    const { server, platform, log } = bench
    const thread = threadOf(server, 'general', '1.1')
    const ana = server.user('ana')
    expect(await platform.isMember({ ...thread, tenant: 'T0OTHER' }, ana, id)).toBe(false)
    for (const group of ['platform', '@platform', '1234567890', 'S0', `${id}&x=1`, 'S0GONE']) {
      expect(await platform.isMember(thread, ana, group)).toBe(false)
    }
    expect(server.callsTo('usergroups.users.list').map(({ args }) => args.usergroup)).toEqual(['S0GONE'])
    expect(log.filter((line) => line.includes('unknown group'))).toHaveLength(5)
  })

  test.each([
    ['missing_scope', 'usergroups:read'],
    ['invalid_auth', 'bot token'],
  ])('whose members Slack does not tell throws (%s)', async (error, words) => {
    await using bench = await openBench({ groups })
    const { server, platform } = bench
    server.misbehave.refuse('usergroups.users.list', error, { extra: { needed: 'usergroups:read' } })
    const asked = platform.isMember(threadOf(server, 'general', '1.1'), server.user('ana'), id)
    await expect(asked).rejects.toMatchObject({ code: 'slack_group', message: expect.stringContaining(words) })
  })
})

test('an outage of our own while a group is looked up is no word of Slack’s', async () => {
  const none = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
  const api = { read: () => Promise.reject(new Error('A request error occurred', { cause: none })) }
  const groups = new Groups({ api } as unknown as SlackWorkspace, 3_000)
  await expect(groups.has(id, 'U0ANA')).rejects.toMatchObject({ code: 'too_many_files' })
})

test('a user group about which Slack says nothing does not hold up a click for long', async () => {
  await using bench = await openBench({ groups, pace: { ackMs: 3_000 } })
  const { server, platform } = bench
  server.misbehave.drop('usergroups.users.list', 'silence')
  const asked = platform.isMember(threadOf(server, 'general', '1.1'), server.user('ana'), id)
  await expect(asked).rejects.toMatchObject({ code: 'slack_group', message: expect.stringContaining('2500 ms') })
})

describe('whom an answer notifies', () => {
  const hostile = ['user:U1> <!channel', 'group:S1|x>', 'channel:C0GENERAL', 'user:', 'group:123', 'here']

  test('stands at its beginning, and nobody else does', async () => {
    await using bench = await openBench({ groups })
    const { server, platform } = bench
    const thread = threadOf(server, 'general', server.people.mention('ana', 'general', 'hi'))
    const ping = [`user:${server.user('ben')}`, `group:${id}`, ...hostile]
    const text = 'This still waits, <!channel> and <@U0CLEO0000>.'
    const [page] = platform.pages({ kind: 'answer', text, files: [], record: undefined, ping })
    const ts = await platform.post(thread, page, posting('k'))
    const marks = `<@${server.user('ben')}> <!subteam^${id}>`
    expect(server.message(ts).text.startsWith(`${marks}\nThis still waits`)).toBe(true)
    const args = server.callsTo('chat.postMessage').at(-1)?.args
    expect(String(args?.text).startsWith(`${marks} This still waits`)).toBe(true)
    const found = JSON.stringify(args).match(/<[!@][^>]*>/g)
    expect(found?.every((mark) => marks.includes(mark))).toBe(true)
    expect(server.violations).toEqual([])
  })

  test('is there too where Slack takes no blocks', async () => {
    await using bench = await openBench({ groups })
    const { server, platform } = bench
    const thread = threadOf(server, 'general', server.people.mention('ana', 'general', 'hi'))
    const ping = [`group:${id}`]
    const [page] = platform.pages({ kind: 'answer', text: 'It waits.', files: [], record: undefined, ping })
    server.misbehave.refuse('chat.postMessage', 'invalid_blocks', { times: 2 })
    await platform.post(thread, page, posting('k'))
    expect(server.callsTo('chat.postMessage').at(-1)?.args.text).toBe(`<!subteam^${id}> It waits.`)
  })

  test('is nobody where nobody was named', async () => {
    await using bench = await openBench()
    const { platform } = bench
    const pages = (ping: string[]) =>
      platform.pages({ kind: 'answer', text: 'Hello', files: [], record: undefined, ping })
    expect(pages(hostile)).toEqual(pages([]))
  })
})
