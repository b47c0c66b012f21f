import { expect, test } from 'vitest'
import { message } from '../../src/platforms/slack/api/payload.ts'
import { messageText } from '../../src/platforms/slack/heard/message-text.ts'
import { openBench, posting, threadOf } from './support.ts'

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
const alert = (state: string) => [
  { type: 'header', text: { type: 'plain_text', text: 'CPU <99 %>' } },
  { ...section(`*${state}* since 10:00`), fields: [{ type: 'mrkdwn', text: 'Host: <https://example.com/db-1|db-1>' }] },
  {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'Acknowledge' } }],
  },
]
const textOf = (given: object) => messageText(message.parse({ ts: '1.000001', bot_id: 'B9', ...given }))

test('of another app’s alert, what its blocks say is heard with its headline, and an edit of the blocks is an edit', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const ts = server.people.botPost('general', 'Triggered #123', { legacy: false, blocks: alert('investigating') })
  await server.idle()
  server.people.edit('builder', ts, 'Triggered #123', { blocks: alert('investigating') })
  server.people.edit('builder', ts, 'Triggered #123', { blocks: alert('resolved') })
  await server.idle()
  const heard = (state: string) =>
    `Triggered #123\n\nCPU <99 %>\n*${state}* since 10:00\nHost: db-1 (https://example.com/db-1)`
  expect(sink.heard.map(({ text }) => text)).toEqual([heard('investigating')])
  expect(sink.changes.map(({ now }) => now?.text)).toEqual([heard('resolved')])
})

test('whom an app’s blocks name beside its text is not whom it calls', async () => {
  await using bench = await openBench()
  const { server, sink } = bench
  const blocks = [section(`${server.bot.mention}, <@${server.user('ben')}> and <!here>: deploy`)]
  const user = { type: 'user', user_id: server.bot.id }
  const by = [{ type: 'text', text: 'by ' }, user]
  const rich = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: by }] }]
  server.people.botPost('general', 'A comment', { legacy: false, blocks })
  server.people.botPost('general', 'Finished', { legacy: false, blocks: rich })
  server.people.botPost('general', '', { legacy: false, blocks: rich })
  await server.idle()
  expect(sink.heard).toMatchObject([
    { text: 'A comment\n\n, @ben and @here: deploy', mentioned: false, toOthers: false },
    { text: 'Finished\n\nby', mentioned: false, toOthers: false },
    { text: 'by', mentioned: true, toOthers: false },
  ])
})

test('what a text and blocks both say is heard once', () => {
  const long = 'The build of *main* failed: 3 tests, see <https://example.com/1|the log>'
  expect(textOf({ text: 'The build of main failed: 3 te…', blocks: [section(long)] })).toBe(long)
  expect(textOf({ text: `<!here> :x: ${long}`, blocks: [section('3 tests')] })).toBe(`<!here> :x: ${long}`)
  const attachment = { text: 'The build of main failed', blocks: [section(long)] }
  expect(textOf({ text: '', attachments: [attachment] })).toBe(long)
})

test('lists, quotes, colours and dates that Slack writes otherwise in the text are heard once', () => {
  const line = (...elements: object[]) => ({ type: 'rich_text_section', elements })
  const words = (text: string) => ({ type: 'text', text })
  const items = (...texts: string[]) => texts.map((text) => line(words(text)))
  const list = (...texts: string[]) => ({ type: 'rich_text_list', style: 'ordered', elements: items(...texts) })
  const heard = (text: string, ...elements: object[]) => textOf({ text, blocks: [{ type: 'rich_text', elements }] })
  const alert = 'Incident\n&gt; CPU 99 %\n&gt; host db'
  const quote = { type: 'rich_text_quote', elements: [words('CPU 99 %\nhost db')] }
  expect(heard(alert, line(words('Incident\n')), quote)).toBe(alert)
  const nested = '1. build\n    a. test\n        i. fast\n        ii. slow\n2. ship'
  const lists = [list('build'), list('test'), list('fast', 'slow'), { ...list('ship'), offset: 1 }]
  expect(heard(nested, ...lists)).toBe(nested)
  const colour = '#123456 is new'
  expect(heard(colour, line({ type: 'color', value: '#123456' }, words(' is new')))).toBe(colour)
  const date = { type: 'date', timestamp: 1_780_000_000, format: '{date}', fallback: '28 May' }
  const due = 'Due <!date^1780000000^{date}|28 May>'
  expect(heard(due, line(words('Due '), date))).toBe(due)
  expect(heard('', line(date))).toBe('<!date^1780000000|28 May>')
  const long = 'Many words. '.repeat(200).trim()
  expect(heard(long, line(words(long)))).toBe(long)
})

test('links and emoji that only the blocks have are heard, and a text of nothing but signs, too', () => {
  const heard = (text: string, words: string) => textOf({ text, blocks: [section(words)] })
  const linked = ':x: Build failed: <https://example.com/1|log>'
  expect(heard('Build failed: log', linked)).toBe(linked)
  expect(heard('Deploy api', ':hourglass: Deploy api')).toBe(':hourglass: Deploy api')
  expect(heard('Deploy api', '\u{1f534} Deploy api')).toBe('\u{1f534} Deploy api')
  expect(heard('\u{1f534}', 'CPU 99 %')).toBe('\u{1f534}\n\nCPU 99 %')
  expect(heard('<@UBEN>', ':wave: <@UBEN>')).toBe(':wave: <@UBEN>')
  expect(heard('…', 'CPU 99 %')).toBe('CPU 99 %')
})

test('a number at the end of a sentence is no item’s, and is heard beside blocks without it', () => {
  const text = 'Open incidents: 12.'
  expect(textOf({ text, blocks: [section('Open incidents'), section('Ask Ben')] })).toContain(text)
})

test('of a forwarded message, the blocks are heard, too', () => {
  const share = (text: string) => ({
    is_share: true,
    author_name: 'Pager',
    text,
    fallback: '[no preview available]',
    message_blocks: [{ message: { blocks: [section('Host: db-1')] } }],
  })
  const forward = (text: string) =>
    textOf({ bot_id: undefined, user: 'UANA', text: 'Look:', attachments: [share(text)] })
  expect(forward('CPU')).toBe('Look:\n\nPager wrote:\n> CPU\n> \n> Host: db-1')
  expect(forward('')).toBe('Look:\n\nPager wrote:\n> Host: db-1')
})

test('rich text is heard line by line, with its links, people and emoji', () => {
  const text = (text: string) => ({ type: 'text', text })
  const item = (...elements: object[]) => ({ type: 'rich_text_section', elements })
  const elements = [
    item(text('a | <b> '), { type: 'user', user_id: 'UBEN' }, { type: 'emoji', name: 'x' }),
    { type: 'rich_text_list', style: 'ordered', offset: 1, elements: [item(text('two')), item(text('three'))] },
    { type: 'rich_text_list', style: 'bullet', elements: [item({ type: 'link', url: 'https://example.com' })] },
  ]
  const shown = 'a | &lt;b&gt; <@UBEN>:x:\n2. two\n3. three\n• <https://example.com>'
  expect(textOf({ text: '', blocks: [{ type: 'rich_text', elements }] })).toBe(shown)
})

test('a long answer of the bot itself is read back whole', async () => {
  await using bench = await openBench()
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'explain')
  const said = `${'The **first** part of it, see [this](https://example.com). '.repeat(20)}\n\n1. one\n2. the end`
  const [page] = platform.pages({ kind: 'answer', text: said, files: [], record: undefined })
  await platform.post(threadOf(server, 'general', ts), page, posting('k'))
  const later = server.people.post('ana', 'general', 'thanks', { thread_ts: ts })
  await server.idle()
  const [, own] = await platform.history(threadOf(server, 'general', ts), later, 5)
  expect(own?.text).toMatch(
    /^(The first part of it, see this \(https:\/\/example.com\)\. ?){20}\n1\. one\n2\. the end$/,
  )
})

test('an answer of the bot itself is read back once, with its lists and lines', async () => {
  await using bench = await openBench()
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'explain')
  for (const text of ['Steps:\n1. build\n2. ship', 'Code:\n```\n1. a\n2. b\n```\nend']) {
    const [page] = platform.pages({ kind: 'answer', text, files: [], record: undefined })
    await platform.post(threadOf(server, 'general', ts), page, posting(text))
  }
  const later = server.people.post('ana', 'general', 'thanks', { thread_ts: ts })
  await server.idle()
  const [, steps, code] = await platform.history(threadOf(server, 'general', ts), later, 5)
  expect([steps?.text, code?.text]).toEqual(['Steps:\n1. build\n2. ship', 'Code:\n1. a\n2. b\nend'])
})
