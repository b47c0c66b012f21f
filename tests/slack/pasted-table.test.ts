import { expect, test } from 'vitest'
import { message } from '../../src/platforms/slack/api/payload.ts'
import { messageText } from '../../src/platforms/slack/heard/message-text.ts'
import { openBench, threadOf } from './support.ts'

const invoices = [
  ['Invoice', 'Due'],
  ['A & B <12>', '3 May'],
]

test('a table that somebody pastes is heard row by row, below what they say about it', async () => {
  await using bench = await openBench()
  const { server, sink, platform } = bench
  const ts = server.people.mention('ana', 'general', 'which of these are late?', { table: invoices })
  const later = server.people.post('ben', 'general', 'thanks', { thread_ts: ts })
  server.people.post('ana', '@ana', '', { table: invoices })
  await server.idle()
  const asked = 'which of these are late?\n\nInvoice | Due\nA & B <12> | 3 May'
  expect(sink.heard.map(({ text }) => text).toSorted()).toEqual(['Invoice | Due\nA & B <12> | 3 May', 'thanks', asked])
  const [first] = await platform.history(threadOf(server, 'general', ts), later, 1)
  expect(first?.text).toBe(asked)
})

test('an edit of nothing but a pasted table is an edit', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const said = `${server.bot.mention} which of these are late?`
  const ts = server.people.post('ana', 'general', said, { table: invoices })
  await server.idle()
  server.people.edit('ana', ts, said, { table: [['Invoice'], ['A']] })
  server.people.edit('ana', ts, said)
  await server.idle()
  expect(sink.changes.map(({ now }) => now?.text)).toEqual(['which of these are late?\n\nInvoice\nA'])
})

test('whom a pasted table names is not whom its message is for', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const ben = [{ type: 'user', user_id: server.user('ben') }]
  server.people.post('ana', '@ana', '', {
    table: [
      ['Who', 'Note'],
      [ben, `<@${server.bot.id}> said so`],
    ],
  })
  await server.idle()
  expect(sink.heard).toMatchObject([
    { text: `Who | Note\n@ben | <@${server.bot.id}> said so`, mentioned: false, toOthers: false },
  ])
})

test('whom a table among an app’s blocks names is not whom its message is for', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const bot = [{ type: 'user', user_id: server.bot.id }]
  server.people.post('ana', '@ana', 'the shifts', { table: [[bot]], tableInBlocks: true })
  await server.idle()
  expect(sink.heard).toMatchObject([{ mentioned: false }])
})

test('each kind of cell is heard, in whatever part of a message a table is', () => {
  const link = { type: 'link', url: 'https://example.com/a', text: 'the page' }
  const elements = [{ type: 'text', text: 'see\nhere: ' }, link, { type: 'emoji', name: 'wave' }]
  const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
  const rows = [
    [
      { type: 'raw_text', text: 'a | b' },
      { type: 'raw_number', value: 7, text: '7 €' },
      { type: 'raw_number', value: 8 },
      rich,
    ],
    'odd',
    [null],
  ]
  const table = { type: 'table', rows }
  const shown = 'a \\| b | 7 € | 8 | see here: <https://example.com/a|the page>:wave:'
  const textOf = (given: object) => messageText(message.parse({ ts: '1.000001', user: 'UANA', ...given }))
  const preview = { from_url: 'https://example.com', text: 'a page', blocks: [table] }
  expect(textOf({ text: 'Look:', blocks: [{ type: 'rich_text', elements: [] }, table] })).toBe(`Look:\n\n${shown}`)
  expect(textOf({ text: 'Look:', attachments: [preview] })).toBe('Look:')
  expect(textOf({ text: 'Look:', attachments: [{ is_share: true, author_name: 'Ben', blocks: [table] }] })).toBe(
    `Look:\n\nBen wrote:\n> ${shown}`,
  )
  expect(textOf({ text: 'Look:', bot_id: 'B9', attachments: [{ title: 'Report', blocks: [table] }] })).toBe(
    `Look:\n\nReport\n${shown}`,
  )
  expect(textOf({ text: '', blocks: [{ type: 'table', rows: 'odd' }] })).toBe('')
})
