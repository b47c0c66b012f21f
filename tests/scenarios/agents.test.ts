import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'

/** The messages of a request, as one text each. */
const sentIn = ({ model }: TestBot, request: number): string[] =>
  (model.requests[request]?.messages ?? []).map(({ content }) => String(content))

const toolsIn = ({ model }: TestBot, request: number): string[] =>
  ((model.requests[request]?.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name)

const saidBy = (events: { type: string; data: unknown }[]): string[] =>
  events.flatMap(({ type, data }) => (type === 'message' ? [(data as { text: string }).text] : []))

test('an agent takes the thread, hands it on and back, and people get the bot itself back', async () => {
  const bot = await startTestBot({
    script: [
      calls('write_file', { path: 'outputs/a.txt', content: 'x' }),
      calls('transfer_to_coder', { why: 'Somebody has to write it.' }),
      says('I cannot hand over.'),
      says('Hello from general.'),
      calls('transfer_to_coder', { why: 'The rest is code.' }),
      calls('transfer_to_general', { why: 'Back by another way.' }),
      calls('transfer_back', { why: 'It is written.' }),
      calls('transfer_back', { why: 'I want to get rid of it.' }),
      says('Done.'),
      says('I am Bobbin.'),
    ],
  })
  const { conversation } = await bot.chat.say('Look around, @explorer.')
  const untilSaid = (text: string) =>
    bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.text.includes(text))
  await untilSaid('**explorer** has this thread now.')
  expect(sentIn(bot, 0)[1]).toMatch(
    /^\[The program\] Your instructions have changed\..*# Agent\nYou work as the agent explorer/s,
  )
  expect(toolsIn(bot, 0)).toEqual(expect.arrayContaining(['read_file', 'grep_files', 'ask_human']))
  expect(toolsIn(bot, 0).join()).not.toMatch(/write_file|web_|transfer_/)
  expect(bot.model.requests[0]).toMatchObject({ temperature: 0.2, max_tokens: 4_096 })
  expect(sentIn(bot, 1).at(-1)).toContain('write_file is in this thread, but you don’t have it now.')
  expect(sentIn(bot, 2).at(-1)).toContain('transfer_to_coder is in this thread, but you don’t have it now.')

  await bot.chat.say('Then @general, please.', { conversation })
  expect(toolsIn(bot, 3)).toEqual(expect.arrayContaining(['write_file', 'transfer_to_coder']))
  expect(toolsIn(bot, 3)).not.toContain('transfer_back')

  await bot.chat.say('Go on.', { conversation })
  await untilSaid('**general** hands this thread to **coder**: The rest is code.')
  await untilSaid('**coder** hands this thread to **general**: It is written.')
  expect(sentIn(bot, 5).at(-1)).toMatch(/^\[The program\].*# Agent\nYou work as the agent coder/s)
  expect(bot.model.requests[5]).toMatchObject({ temperature: 0.2 })
  expect(toolsIn(bot, 5)).toContain('transfer_back')
  // Nothing goes in a circle, and nobody gets rid of a thread that a person gave them.
  expect(sentIn(bot, 6).at(-1)).toContain('transfer_to_general is in this thread, but you don’t have it now.')
  expect(sentIn(bot, 7).at(-1)).toMatch(/# Agent\nYou work as the agent general/)
  expect(sentIn(bot, 8).at(-1)).toContain('transfer_back is in this thread, but you don’t have it now.')

  const listed = JSON.stringify((await bot.chat.say('agents', { conversation })).events)
  expect(listed).toContain('`@reviewer` – ')
  expect(listed).toContain('**general** has this thread.')
  const status = saidBy((await bot.chat.say('status', { conversation })).events).join('\n')
  expect(status).toContain('\n- Agent: general\n')
  await bot.restart()
  await bot.chat.say('agents off', { conversation })
  await bot.chat.say('Who are you?', { conversation })
  expect(sentIn(bot, 9).join('\n')).toContain('The section “Agent” no longer applies')
  expect(toolsIn(bot, 9).join()).not.toContain('transfer_')
  expect(toolsIn(bot, 9)).toContain('web_fetch')

  const { agents } = await bot.chat.get<{ agents: { name: string; runs: number; succeeded: number }[] }>('/agents')
  const numbers = Object.fromEntries(agents.map(({ name, runs, succeeded }) => [name, [runs, succeeded]]))
  expect(numbers).toMatchObject({ explorer: [1, 1], general: [3, 3], coder: [1, 1], simple: [0, undefined] })
  const one = await bot.chat.get<{ latest: { outcome: string; conversation_id: string }[] }>('/agents/coder')
  expect(one.latest).toMatchObject([{ outcome: 'succeeded', conversation_id: conversation }])
})
