import { expect, test } from 'vitest'
import { startBot } from '../../src/main.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'

test('a turn that fails before it reads its message is reported, and the thread continues with that message', async () => {
  const bot = await startTestBot({ script: [says('First.'), says('Both.')] })
  const { conversation } = await bot.chat.say('one')
  await bot.stop()
  const [told] = rowsIn(bot.database, 'select sections from prompts')
  changeIn(bot.database, `update prompts set sections = '{'`)
  await bot.restart()
  const failed = await bot.chat.say('two', { conversation })
  expect(failed.events.at(-1)).toMatchObject({ type: 'error' })

  changeIn(bot.database, `update prompts set sections = ${told?.sections === null ? 'null' : `'${told?.sections}'`}`)
  const said = await bot.chat.say('three', { conversation })
  expect(said.text).toBe('Both.')
  const heard = bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')
  expect(heard?.map(({ content }) => content)).toEqual(['[operator] one', '[operator] two', '[operator] three'])
})

test('calls on one file keep their order, even when the first one waits for a person', async () => {
  const path = 'uploads/notes.md'
  const first: [string, unknown] = ['edit_file', { path, old_string: 'a', new_string: 'b' }]
  const second: [string, unknown] = ['edit_file', { path: './uploads//notes.md', old_string: 'b', new_string: 'c' }]
  const bot = await startTestBot({ script: [calls(...first, second), says('Done.')] })
  const { conversation } = await bot.chat.say('change it', { files: { 'notes.md': 'a' } })
  for (const asked of ['a', 'b']) {
    const [request, ...others] = await bot.chat.requests()
    expect(others).toEqual([])
    expect(request?.tool_input).toMatchObject({ old_string: asked })
    const { length } = await bot.chat.events(conversation)
    await bot.chat.answer(request?.id ?? '', { decision: 'approve' })
    await bot.chat.until(conversation, ({ type }) => type === 'waiting' || type === 'complete', length)
  }
  const file = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/files/${path}`)
  expect(await file.text()).toBe('c')
})

test('a turn does not finish beside a failed call', async () => {
  const bot = await startTestBot({
    script: [
      calls('read_file', { path: 'uploads/none.txt' }, ['finish', { summary: 'Done!' }]),
      says('It is not there.'),
    ],
  })
  const said = await bot.chat.say('read it')
  expect(said.text).toBe('It is not there.')
  expect(ofType(said.events, 'observe').map(({ data }) => data.status)).toEqual(['failed', 'failed'])
})

test('a plug-in cannot take the name of a tool', async () => {
  const bot = await startTestBot()
  await bot.stop()
  const thief = { name: 'thief', tools: [{ name: 'write_file' } as never] }
  await expect(startBot(bot.config, { plugins: [thief] })).rejects.toMatchObject({ code: 'bad_plugin' })
})
