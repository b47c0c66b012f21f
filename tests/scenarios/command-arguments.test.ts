import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

test('a command that doesn’t understand what follows it changes nothing, and says what may follow', async () => {
  const bot = await startTestBot({ script: () => says('Yes?') })
  const { conversation } = await bot.chat.say('@general, hello.')
  const said = async () =>
    ofType(await bot.chat.events(conversation), 'message').flatMap(({ data }) =>
      data.role === 'assistant' ? [data.text] : [],
    )
  const answer = async (text: string) => {
    const before = (await said()).length
    await bot.chat.say(text, { conversation })
    await eventually(async () => expect((await said()).length).toBeGreaterThan(before))
    return (await said()).at(-1)
  }
  const usage = (what: string, usages: string) =>
    `I don’t understand \`${what}\` here, so I’ve changed nothing. Say ${usages}.`
  expect(await answer('/agents explorer')).toBe(usage('explorer', '`agents` or `agents off`'))
  expect(await answer('/plan offf')).toBe(usage('offf', '`plan` or `plan off` or `plan on`'))
  expect(await answer('/reset files')).toBe(usage('files', '`reset`'))
  expect(await answer('/list yours')).toBe(usage('yours', '`list` or `list mine`'))
  expect(await answer('/retry `that`')).toBe(usage("'that'", '`retry`'))
  expect(await answer('/compact hard')).toContain('`compact summarize`')
  expect(await answer('/stop at once')).toBe('Nothing was running here.')
  expect(await answer('/help me')).toContain('I also know these commands')
  expect(await answer('agents')).toContain('**general** has this thread.')
  expect(await answer('/agents off.')).not.toContain('changed nothing')

  // Without a slash it is said to the model, which hasn't forgotten anything and isn't in plan mode.
  const asked = bot.model.requests.length
  await bot.chat.say('reset files', { conversation })
  expect(bot.model.requests).toHaveLength(asked + 1)
  const read = (bot.model.requests.at(-1)?.messages ?? []).map(({ content }) => `${content}`).join('\n')
  expect(read).toContain('hello.')
  expect(read).not.toContain('# Plan mode\n')
})

test('a slash and a misspelt command alone are told what was probably meant, and don’t reach the model', async () => {
  const bot = await startTestBot({ script: () => says('Yes?') })
  const answers = async (text: string) => {
    const { conversation } = await bot.chat.say(text)
    const posted = await bot.chat.until(
      conversation,
      ({ type, data }) => type === 'message' && data.role === 'assistant',
    )
    return posted.type === 'message' ? posted.data.text : ''
  }
  expect(await answers('/stauts')).toBe('I don’t know `stauts`. Did you mean `status`?')
  expect(await answers('/delte')).toBe('I don’t know `delte`. Did you mean `delete`?')
  expect(await answers('/sotp')).toBe('I don’t know `sotp`. Did you mean `stop`?')
  expect(bot.model.requests).toEqual([])
  expect(await answers('/tmp is full')).toBe('Yes?')
  expect(await answers('/stats returns 500 since noon')).toBe('Yes?')
  expect(await answers('stauts')).toBe('Yes?')
})

test.each(['/stats', '/stats returns 500 since noon'])('%s answers a question that waits', async (answer) => {
  const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which route fails?' }), says('I see.')] })
  const { conversation } = await bot.chat.say('Something fails.')
  await bot.chat.say(answer, { conversation })
  expect(await bot.chat.requests()).toEqual([])
  expect(ofType(await bot.chat.events(conversation), 'question_answered')[0]?.data).toMatchObject({ answer })
  expect(bot.model.requests.at(-1)?.messages.at(-1)?.content).toContain(answer)
})

test('while a question waits, a command is still one, and beside an approval a misspelt one is told', async () => {
  const edit = { path: 'uploads/notes.md', old_string: 'old', new_string: 'new' }
  const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' }), calls('edit_file', edit)] })
  const { conversation } = await bot.chat.say('change it', { files: { 'notes.md': 'old text' } })
  const answered = async (text: string, words: string) => {
    await bot.chat.say(text, { conversation })
    await eventually(async () => expect(JSON.stringify(await bot.chat.events(conversation))).toContain(words))
  }
  await answered('/status', 'Messages: ')
  expect(await bot.chat.requests()).toMatchObject([{ kind: 'question' }])
  await bot.chat.say('the notes', { conversation })
  expect(await bot.chat.requests()).toMatchObject([{ kind: 'approval' }])
  await answered('/stats', 'Did you mean `status`?')
})

test('an option that is called like a command is chosen by its name; with a slash, it is the command', async () => {
  const options = ['Reset', 'Status', 'Stop']
  const ask = calls('ask_human', { question: 'What now?', options, to: ['starter'] })
  const bot = await startTestBot({ script: [ask, ask, ask] })
  const { conversation } = await bot.chat.say('import it', { user: 'ana' })
  const untilSaid = (words: string) =>
    eventually(async () => expect(JSON.stringify(await bot.chat.events(conversation))).toContain(words))
  // Somebody who isn't asked means the command.
  await bot.chat.say('status', { conversation, user: 'ben' })
  await untilSaid('Messages: ')
  await bot.chat.say('reset.', { conversation, user: 'ana' })
  await bot.chat.say('Reset', { conversation, user: 'ana' })
  const answered = ofType(await bot.chat.events(conversation), 'question_answered')
  expect(answered.map(({ data }) => data.answer)).toEqual(['reset.', 'Reset'])
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('import it')

  await bot.chat.say('/reset', { conversation, user: 'ana' })
  await eventually(async () => expect(await bot.chat.requests()).toEqual([]))
  expect(ofType(await bot.chat.events(conversation), 'question_answered')).toMatchObject([
    {},
    {},
    { data: { by: 'stop' } },
  ])
})

test('`stop` stops a turn even if its question has an option that is called the same', async () => {
  const ask = calls('ask_human', { question: 'What now?', options: ['Go on', 'Stop'] })
  const bot = await startTestBot({ script: [ask] })
  const { conversation } = await bot.chat.say('import it')
  await bot.chat.say('stop', { conversation })
  expect(await bot.chat.requests()).toEqual([])
  expect(ofType(await bot.chat.events(conversation), 'question_answered')).toMatchObject([{ data: { by: 'stop' } }])
})
