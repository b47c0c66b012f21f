import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../src/domain/events.ts'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { sharedTestBot, startTestBot, type TestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'

const script = () => says('Take the second offer.')
const start = sharedTestBot({ script })

const ana = { id: 'ana', name: 'ana' }

const post = (bot: TestBot, conversation: string, body: object) =>
  fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function answered(bot: TestBot) {
  const { conversation } = await bot.chat.say('which offer?', { project: 'offers' })
  const said = (role: string) =>
    bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.role === role)
  const [asked, answer] = [await said('user'), await said('assistant')]
  if (asked.type !== 'message' || answer.type !== 'message') throw new Error('both are messages')
  return { conversation, question: asked.data.message_id, answer: answer.data.message_id }
}

async function feedbackIn(bot: TestBot, conversation: string) {
  const { events } = await bot.chat.get<{ events: SessionEvent[] }>(`/agent/conversations/${conversation}/events`)
  return events.flatMap(({ type, data }) => (type === 'feedback' ? [data] : []))
}

describe('feedback on an answer', () => {
  test('keeps what each person said last, with the reason', async () => {
    // The command lists what is said of any answer.
    const bot = await startTestBot({ script })
    const { conversation, answer: message_id } = await answered(bot)
    for (const [user_id, value, reason] of [
      ['ana', 'good'],
      ['ana', 'bad'],
      ['ana', 'bad', '  It didn’t read the third offer. '],
      ['ana', 'bad'],
      ['ben', 'good', 'Short.'],
    ])
      expect((await post(bot, conversation, { message_id, value, reason, user_id })).status).toBe(204)
    const on = { message_id }
    expect(await feedbackIn(bot, conversation)).toEqual([
      { ...on, value: 'good', person: ana },
      { ...on, value: 'bad', person: ana },
      { ...on, value: 'bad', reason: 'It didn’t read the third offer.', person: ana },
      { ...on, value: 'good', reason: 'Short.', person: { id: 'ben', name: 'ben' } },
    ])
    const listed = async (...args: string[]) => (await bobbin(bot.dataDir, 'feedback', ...args)).out
    expect((await listed()).split('\n')).toEqual([
      expect.stringMatching(/UTC {2}good {2}ses_\w+ {2}console\/offers {2}which offer\? {2}ben: Short\.$/),
      expect.stringMatching(
        /UTC {2}bad {3}ses_\w+ {2}console\/offers {2}which offer\? {2}ana: It didn’t read the third offer\.$/,
      ),
      '',
    ])
    expect(await listed('--bad')).toBe(`${(await listed()).split('\n')[1]}\n`)
    expect((await bobbin(bot.dataDir, 'feedback', '--limit', '0')).code).toBe(2)
  })

  test('has secrets in its reason masked before a long one is cut', async () => {
    const bot = await start()
    const { conversation, answer: message_id } = await answered(bot)
    const reason = `${'word '.repeat(595)}ghp_Xk29sLq81mZpRtVw03YbNcUeHd47JfAo56Gi`
    for (const _ of ['once', 'and again'])
      expect((await post(bot, conversation, { message_id, value: 'bad', reason })).status).toBe(204)
    expect(await feedbackIn(bot, conversation)).toMatchObject([{ reason: expect.stringMatching(/word \[secret: /) }])
  })

  test('is about an answer of the bot in this thread', async () => {
    const bot = await start()
    const one = await answered(bot)
    const other = await answered(bot)
    for (const message_id of [one.question, other.answer, 'msg_none'])
      expect((await post(bot, one.conversation, { message_id, value: 'bad' })).status).toBe(404)
    expect((await post(bot, one.conversation, { message_id: one.answer, value: 'fair' })).status).toBe(400)
    expect(await feedbackIn(bot, one.conversation)).toEqual([])
  })
})
