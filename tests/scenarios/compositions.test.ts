import { expect, test } from 'vitest'
import { compositionsSection } from '../../src/capabilities/compositions/settings.ts'
import { compositionsTerminal } from '../../src/capabilities/compositions/terminal.ts'
import { settingsIn } from '../../src/config/section.ts'
import { writeNote } from '../../src/store/notes.ts'
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
      // Every object has something of this name.
      { name: 'constructor', tool: 'read_file', input: { path: 'outputs/a.txt' } },
    ],
  },
}

const tally = (done: number, failed: number) => ({ done, failed })

test('a chain is one tool; its steps are calls of their own, with approvals, across a restart, and counted', async () => {
  const bot = await startTestBot({
    config: { sections: { compositions: { compositions } } },
    script: [calls('greeting', { name: 'Ana' }), says('Greeted.'), calls('greeting', { name: 'Ben' }), says('No.')],
  })
  const tools = () => bot.model.requests[0]?.tools?.map(({ function: { name, description } }) => [name, description])
  const { conversation } = await bot.chat.say('@run_script greet Ana', {})
  expect(tools()).toContainEqual([
    'greeting',
    'Writes a greeting. Runs read_file (or now), then write_file and run_script, then read_file.',
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

test('what the counts suggest is shown, then taken by a person, for the running bot and the next one, and undone', async () => {
  const [old] = compositions.greeting.steps
  const bot = await startTestBot({
    config: { sections: { compositions: { compositions: { greeting: { description: 'G.', steps: [old] } } } } },
    script: Array.from({ length: 4 }, () => [calls('greeting', {}), says('Done.')]).flat(),
  })
  const store = await storeOf(bot)
  const counts = { done: 6, failed: 0, steps: { old: [tally(0, 6), tally(6, 0)] } }
  await store.transaction((tx) => writeNote(tx, 'compositions.counts', JSON.stringify({ greeting: counts })))
  const say = async (...args: string[]) =>
    (await printedBy(() => compositionsTerminal(args, settingsIn(bot.config, compositionsSection), async () => store)))
      .out
  const called = async () => {
    const { events } = await bot.chat.say('greet')
    return events.flatMap(({ type, data }) => (type === 'act' ? data.tool_name : []))
  }
  expect(await say()).toContain('now works more often than read_file: see `compositions improve greeting`')
  const shown = await say('improve', 'greeting')
  expect(shown).toContain('Now:\n    old: read_file – 0 done, 6 failed\n    old: otherwise now – 6 done, 0 failed\n')
  expect(shown).toContain(
    'Improved:\n    old: now – 6 done, 0 failed\n    old: otherwise read_file – 0 done, 6 failed\n',
  )
  expect(await called()).toEqual(['greeting', 'read_file', 'now'])

  expect(await say('improve', 'greeting', '--yes')).toContain('in use from the next call')
  expect(await called()).toEqual(['greeting', 'now'])
  expect(await say()).toContain('    old: now – 8 done, 0 failed\n    old: otherwise read_file – 0 done, 7 failed\n')
  expect(await say('improve', 'greeting')).toContain('suggest no other order')

  await bot.restart()
  expect(await called()).toEqual(['greeting', 'now'])
  expect(await say('improve', 'greeting', '--undo')).toContain('as config/compositions.yaml says again')
  expect(await called()).toEqual(['greeting', 'read_file', 'now'])
})
