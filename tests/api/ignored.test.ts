import { expect, test } from 'vitest'
import { insertIgnored } from '../../src/store/ignored.ts'
import { fakePlatform, startConsole } from '../support/console.ts'
import { ignoredIn } from '../support/ignored.ts'
import { inSlack } from '../support/threads.ts'

interface Told {
  ignored: { message_id: string; reason: string; link: string | null }[]
  next_cursor: string | null
}

const discord = { platform: 'discord', tenant: '1', project: '2' }

async function withReasons() {
  const { chat, store } = await startConsole([fakePlatform('slack')])
  const all = [
    ignoredIn(inSlack(), '1700.1', 'It doesn’t mention the bot.'),
    ignoredIn(inSlack('C2'), '1700.2', 'It’s addressed to somebody else.', 'Ben'),
    ignoredIn(discord, '900', 'This person is not in the list.'),
  ]
  for (const [index, one] of all.entries()) {
    await store.transaction((tx) => insertIgnored({ ...tx, now: 1_700_000_000_000 + index }, one))
  }
  return (query: string) => chat.get<Told>(`/ignored${query}`)
}

const messages = ({ ignored }: Told) => ignored.map(({ message_id }) => message_id)

test('unanswered messages are listed with when, where, who and why, newest first', async () => {
  const ask = await withReasons()
  const { ignored } = await ask('')
  expect(ignored).toEqual([
    expect.objectContaining({ message_id: '900', platform: 'discord', tenant_id: '1', project_id: '2', link: null }),
    expect.objectContaining({ message_id: '1700.2', user: { id: 'ben', name: 'Ben' } }),
    {
      message_id: '1700.1',
      platform: 'slack',
      tenant_id: 'T1',
      project_id: 'C1',
      thread_id: '1700.1',
      user: { id: 'ana', name: 'Ana' },
      reason: 'It doesn’t mention the bot.',
      link: 'https://slack.example/C1/1700.1',
      ignored_at: '2023-11-14T22:13:20.000Z',
    },
  ])
  const first = await ask('?limit=2')
  expect(messages(first)).toEqual(['900', '1700.2'])
  const second = await ask(`?limit=2&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)
  expect([messages(second), second.next_cursor]).toEqual([['1700.1'], null])
})

test('one message is found by its id, or by its link on a platform', async () => {
  const ask = await withReasons()
  expect(messages(await ask('?message=900'))).toEqual(['900'])
  expect(messages(await ask(`?message=${encodeURIComponent('https://slack.example/C2/1700.2')}`))).toEqual(['1700.2'])
  expect(messages(await ask(`?message=${encodeURIComponent('https://other.example/C2/1700.2')}`))).toEqual([])
  expect(messages(await ask('?message='))).toHaveLength(3)
})

test('what is asked is checked', async () => {
  const ask = await withReasons()
  for (const query of ['?limit=0', '?limit=many', '?limit=1001', `?message=${'x'.repeat(501)}`]) {
    await expect(ask(query)).rejects.toThrow(/400/)
  }
})
