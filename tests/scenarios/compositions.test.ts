import { expect, test } from 'vitest'
import { compositionsSection } from '../../src/capabilities/compositions/settings.ts'
import { compositionsTerminal } from '../../src/capabilities/compositions/terminal.ts'
import { settingsIn } from '../../src/config/section.ts'
import { printedBy } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { storeOf } from '../support/threads.ts'

const compositions = {
  greeting: {
    description: 'Writes a greeting.',
    parameters: { name: 'Whom it greets' },
    steps: [
      { name: 'old', tool: 'read_file', input: { path: 'outputs/missing.txt' }, otherwise: { tool: 'now' } },
      [
        { tool: 'write_file', input: { path: 'outputs/a.txt', content: 'Hello {{name}}' } },
        { tool: 'run_script', input: { language: 'python', code: 'print("{{name}}")' } },
      ],
      { tool: 'read_file', input: { path: 'outputs/a.txt' } },
    ],
  },
}

test('a chain is one tool; its steps are calls of their own, with approvals, across a restart, and counted', async () => {
  const bot = await startTestBot({
    config: { sections: { compositions: { compositions } } },
    script: [calls('greeting', { name: 'Ana' }), says('Greeted.'), calls('greeting', { name: 'Ben' }), says('No.')],
  })
  const tools = () => bot.model.requests[0]?.tools?.map(({ function: { name, description } }) => [name, description])
  const { conversation } = await bot.chat.say('@run_script greet Ana', {})
  expect(tools()).toContainEqual([
    'greeting',
    'Writes a greeting. Runs read_file, then write_file and run_script, then read_file.',
  ])
  const [request] = await bot.chat.requests()
  expect(request).toMatchObject({ tool_name: 'run_script' })
  await bot.restart()
  await bot.chat.answer(String(request?.id), { decision: 'approve' })
  await bot.chat.until(conversation, ({ type }) => type === 'complete')
  const sent = bot.model.requests.at(-1)?.messages ?? []
  const called = sent.flatMap((one) =>
    ('tool_calls' in one ? (one.tool_calls ?? []) : []).map((call) => call.function.name),
  )
  expect(called).toEqual(['greeting', 'read_file', 'now', 'write_file', 'run_script', 'read_file'])
  expect(String(sent.at(-1)?.content)).toContain('Hello Ana')
  // The model was asked twice in all.
  expect(bot.model.requests).toHaveLength(2)

  const before = (await bot.chat.events(conversation)).at(-1)?.event_id ?? 0
  await bot.chat.send('again for Ben', { conversation })
  const asked = await bot.chat.until(conversation, ({ type }) => type === 'waiting', before)
  expect(asked.type).toBe('waiting')
  const [second] = await bot.chat.requests()
  await bot.chat.answer(String(second?.id), { decision: 'deny' })
  await bot.chat.until(conversation, ({ type }) => type === 'complete', before)
  expect((bot.model.requests.at(-1)?.messages ?? []).at(-1)?.content).toContain('Cancelled')

  const { out } = await printedBy(() =>
    compositionsTerminal([], settingsIn(bot.config, compositionsSection), () => storeOf(bot)),
  )
  expect(out).toContain('greeting: 1 done, 1 failed\n    old: read_file – 0 done, 2 failed')
})
