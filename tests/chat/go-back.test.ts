import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { type Client, ofType } from '../support/client.ts'
import { calls, hang, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'

/** The number of the event that reported a person's message. */
async function numberOf(chat: Client, conversation: string, text: string): Promise<number> {
  const messages = ofType(await chat.events(conversation), 'message')
  return messages.findLast(({ data }) => data.role === 'user' && data.text === text)?.event_id ?? 0
}

const textsIn = (request: { messages: { content?: unknown }[] } | undefined): string =>
  JSON.stringify(request?.messages.map(({ content }) => content))

test('a message is answered again: no request has the first answer any more, and it stays stored', async () => {
  const bot = await startTestBot({ script: [says('Noted.'), says('Blue.'), says('Green.'), says('You said green.')] })
  const { conversation } = await bot.chat.say('My name is Ana.')
  await bot.chat.say('Name a colour.', { conversation })
  const replaces = await numberOf(bot.chat, conversation, 'Name a colour.')

  const again = await bot.chat.say('', { conversation, replaces, key: 'once' })
  expect(again.text).toBe('Green.')
  expect(textsIn(bot.model.requests[2])).toContain('My name is Ana.')
  expect(textsIn(bot.model.requests[2])).toContain('Name a colour.')
  expect(textsIn(bot.model.requests[2])).not.toContain('Blue.')
  await bot.chat.say('Which one?', { conversation })
  expect(textsIn(bot.model.requests[3])).toContain('Green.')
  expect(textsIn(bot.model.requests[3])).not.toContain('Blue.')

  // The same order again changes nothing.
  const repeated = await bot.chat.send('', { conversation, replaces, key: 'once' })
  await repeated.body?.cancel()
  const events = await bot.chat.events(conversation)
  expect(ofType(events, 'undone')).toHaveLength(1)
  expect(ofType(events, 'complete').map(({ data }) => data.content)).toEqual([
    'Noted.',
    'Blue.',
    'Green.',
    'You said green.',
  ])
  expect(JSON.stringify(await rowsIn(bot.database, "select text from messages where role = 'assistant'"))).toContain(
    'Blue.',
  )
})

test('a message is edited and the thread goes on from there; its files stay, and the model is told what was done', async () => {
  const bot = await startTestBot({
    script: [
      calls('write_file', { path: 'outputs/a.txt', content: 'A' }),
      says('Written.'),
      says('Thanks.'),
      says('As you wish.'),
    ],
  })
  const { conversation } = await bot.chat.say('Write A.', { files: { 'notes.md': 'some notes' } })
  await bot.chat.say('Thank you.', { conversation })
  const replaces = await numberOf(bot.chat, conversation, 'Write A.')
  await bot.chat.say('Write nothing.', { conversation, replaces })

  const request = textsIn(bot.model.requests[3])
  expect(request).toContain('Write nothing.')
  expect(request).toContain('what they did stays done: write_file')
  expect(request).toContain('notes.md')
  for (const gone of ['Write A.', 'Written.', 'Thank you.', 'Thanks.']) expect(request).not.toContain(gone)
  const events = await bot.chat.events(conversation)
  const said = ofType(events, 'message').findLast(({ data }) => data.role === 'user')
  expect(said?.data).toMatchObject({
    text: 'Write nothing.',
    files: [{ name: 'notes.md' }],
  })
})

test('one can’t go back while a turn runs, to an answer, to what was replaced or cleared, or in no conversation', async () => {
  const bot = await startTestBot({ script: [says('One.'), says('Two.'), says('Three.'), hang(2)] })
  const { conversation } = await bot.chat.say('first')
  const first = await numberOf(bot.chat, conversation, 'first')
  const codeOf = async (replaces: number, more = {}) => {
    const response = await bot.chat.send('else', { conversation, replaces, ...more })
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
  }
  expect(await codeOf(first, { conversation: undefined })).toEqual([400, 'invalid'])
  const answer = await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.role === 'assistant')
  expect(await codeOf(answer.event_id ?? 0)).toEqual([404, 'not_found'])
  expect(await codeOf(999)).toEqual([404, 'not_found'])
  await bot.chat.say('second', { conversation, replaces: first })
  expect(await codeOf(first)).toEqual([404, 'not_found'])
  const second = await numberOf(bot.chat, conversation, 'second')
  await bot.chat.say('reset', { conversation })
  expect(await codeOf(second)).toEqual([404, 'not_found'])
  await bot.chat.say('third', { conversation })
  const third = await numberOf(bot.chat, conversation, 'third')
  const running = await bot.chat.send('fourth', { conversation })
  await bot.chat.untilType(conversation, 'text_delta', third + 3)
  expect(await codeOf(third)).toEqual([409, 'still_running'])
  await running.body?.cancel()
  expect(ofType(await bot.chat.events(conversation), 'undone')).toHaveLength(1)
})

test('one can’t go back past what somebody else has said and one hasn’t seen', async () => {
  const bot = await startTestBot({ script: [says('One.'), says('For Ben.'), says('Again.')] })
  const { conversation, events } = await bot.chat.say('first', { user: 'ana' })
  const seen = events.at(-1)?.event_id ?? 0
  const replaces = await numberOf(bot.chat, conversation, 'first')
  const others = await bot.chat.say('and for me?', { conversation, user: 'ben' })
  const refused = await bot.chat.send('', { conversation, user: 'ana', replaces, seen })
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'said_since' } }])
  expect(ofType(await bot.chat.events(conversation), 'undone')).toEqual([])
  await bot.chat.say('', { conversation, user: 'ana', replaces, seen: others.events.at(-1)?.event_id ?? 0 })
  expect(ofType(await bot.chat.events(conversation), 'undone')).toHaveLength(1)
})

test('one can go back to a message that a stop left unread, once a later turn has read it', async () => {
  const bot = await startTestBot({ script: [hang(2), says('Noted.'), says('Again.')] })
  const running = await bot.chat.send('apples', {})
  const conversation = running.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  const unread = await bot.chat.send('pears', { conversation })
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  for (const response of [running, unread]) await response.body?.cancel()
  await bot.chat.say('plums', { conversation })
  const replaces = await numberOf(bot.chat, conversation, 'pears')
  expect((await bot.chat.say('', { conversation, replaces })).text).toBe('Again.')
  const request = textsIn(bot.model.requests[2])
  for (const kept of ['apples', 'pears']) expect(request).toContain(kept)
  for (const gone of ['plums', 'Noted.']) expect(request).not.toContain(gone)
})

test('one goes back past where the history was cut: what remains is sent again', async () => {
  const small = { sections: { context: { tokens: 16_000, compact: false } } }
  const bot = await startTestBot({ script: () => says('Noted.'), config: small })
  const { conversation } = await bot.chat.say('The password is MAGNOLIA-7.')
  const isCut = async () => ofType(await bot.chat.events(conversation), 'context_compressed').length > 0
  const long = (turn: number): string => `Number ${turn}: ${'we still have to look at the harbour. '.repeat(150)}`
  for (let turn = 1; !(await isCut()); turn++) await bot.chat.say(long(turn), { conversation })
  expect(textsIn(bot.model.requests.at(-1))).not.toContain('MAGNOLIA-7')

  const replaces = await numberOf(bot.chat, conversation, long(2))
  await bot.chat.say('What is the password?', { conversation, replaces })
  const request = textsIn(bot.model.requests.at(-1))
  for (const kept of ['MAGNOLIA-7', 'Number 1:', 'What is the password?']) expect(request).toContain(kept)
  expect(request).not.toContain('Number 2:')
})

test('going back survives a kill right after it was accepted, and is done once', async () => {
  let killed = false
  const place = await openPlace({
    script: (_, number) => (number === 0 ? says('Blue.') : killed ? says('Green.') : hang(2)),
  })
  const life = await place.start()
  const { conversation } = await life.chat.say('Name a colour.')
  const replaces = await numberOf(life.chat, conversation, 'Name a colour.')
  const response = await life.chat.send('', { conversation, replaces, key: 'once' })
  await life.chat.untilType(conversation, 'undone')
  life.signal('SIGKILL')
  await life.ended
  killed = true
  await response.body?.cancel().catch(() => {})

  const { chat } = await place.start()
  // Whoever got no answer sends it once more.
  const repeated = await chat.send('', { conversation, replaces, key: 'once' })
  await repeated.body?.cancel()
  await chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Green.')
  const events = await chat.events(conversation)
  expect(ofType(events, 'undone')).toHaveLength(1)
  expect(ofType(events, 'complete')).toHaveLength(2)
  expect(ofType(events, 'message').filter(({ data }) => data.role === 'user')).toHaveLength(2)
  for (const request of place.model.requests.slice(1)) expect(textsIn(request)).not.toContain('Blue.')
})

test('nobody goes back to an answer, even if it names something', async () => {
  const bot = await startTestBot({ script: [calls('ask_human', { question: 'How?' }), says('Done.')] })
  const { conversation } = await bot.chat.say('Do it.')
  await bot.chat.say('use @run_command', { conversation })
  await bot.chat.untilType(conversation, 'complete')
  const replaces = await numberOf(bot.chat, conversation, 'use @run_command')
  const refused = await bot.chat.send('no', { conversation, replaces })
  expect(refused.status).toBe(404)
  expect(ofType(await bot.chat.events(conversation), 'undone')).toEqual([])
})
