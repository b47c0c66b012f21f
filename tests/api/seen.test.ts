import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'

const asks = (question: string) => calls('ask_human', { question, options: [{ label: 'red' }, { label: 'blue' }] })

test('a message answers a question that its writer has seen, and no other one', async () => {
  const bot = await startTestBot({ script: [asks('Which colour?'), asks('Which one is to go?'), says('Done.')] })
  const { conversation, events } = await bot.chat.say('choose')
  const [first] = ofType(events, 'question_asked')
  const seen = first?.event_id ?? 0

  await bot.chat.say('before it was asked', { conversation, seen: seen - 1 })
  expect(await bot.chat.requests()).toMatchObject([{ question: 'Which colour?' }])

  const next = await bot.chat.say('blue', { conversation, seen })
  expect(ofType(next.events, 'question_asked')).toMatchObject([{ data: { question: 'Which one is to go?' } }])
  // Written when only the first one was on the screen.
  await bot.chat.say('red', { conversation, seen })
  const [waiting] = await bot.chat.requests()
  expect(waiting).toMatchObject({ question: 'Which one is to go?' })

  await bot.chat.answer(waiting?.id ?? '', { answer: 'blue' })
  await bot.chat.untilType(conversation, 'complete', seen)
  const answered = ofType(await bot.chat.events(conversation), 'question_answered')
  expect(answered.map(({ data }) => data.answer)).toEqual(['blue', 'blue'])
  const words = JSON.stringify(bot.model.requests.at(-1)?.messages)
  for (const said of ['before it was asked', 'red']) expect(words).toContain(said)
})
