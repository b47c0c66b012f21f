import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, type ModelServer, type ScriptedReply, says } from '../support/model-server.ts'
import { serialised, sharedPrefix } from '../support/prefix.ts'

type Body = ModelServer['requests'][number]

/** The share of the characters of requests 2 to n that a cache of the previous request could serve. */
function cachedShare(requests: Body[]): number {
  const texts = requests.map(serialised)
  let shared = 0
  let all = 0
  for (const [place, text] of texts.entries()) {
    if (place === 0) continue
    shared += sharedPrefix(texts[place - 1] ?? '', text)
    all += text.length
  }
  return shared / all
}

/** A typical turn: it reads something, writes a note, and answers. */
const work = (turn: number): ScriptedReply[] => [
  calls('read_file', { path: 'uploads/report.md', offset: (turn % 10) + 1, limit: 5 }, ['now', {}]),
  calls('write_file', { path: `temp/note-${turn}.md`, content: `Turn ${turn}: looked at the report, line ${turn}.` }),
  says(`That is in line ${turn % 10} of the report. I noted it in temp/note-${turn}.md, so that we find it again.`),
]

test('over a session of 50 turns with tools, 95 % of what is sent can be served from a prefix cache', async () => {
  const turns = 50
  const script = Array.from({ length: turns }, (_, turn) => work(turn)).flat()
  const bot = await startTestBot({ script })
  const report = Array.from({ length: 40 }, (_, line) => `Line ${line}: sales in week ${line} were as expected.`).join(
    '\n',
  )
  let conversation: string | undefined
  for (let turn = 0; turn < turns; turn++) {
    const said = await bot.chat.say(`What does line ${turn % 10} of the report say, and since when?`, {
      conversation,
      user: turn % 3 === 0 ? 'ben' : 'ana',
      ...(turn === 0 && { files: { 'report.md': report } }),
    })
    conversation = said.conversation
    expect(said.text).toContain(`temp/note-${turn}.md`)
    if (turn === 20) await bot.restart()
  }
  const { requests } = bot.model
  expect(requests).toHaveLength(turns * 3)
  expect(bot.model.violations).toEqual([])
  expect(cachedShare(requests)).toBeGreaterThanOrEqual(0.95)
})

test('the system prompt never changes within a session, and ends with the minute', async () => {
  const clock = { at: Date.parse('2026-03-10T08:41:27Z'), now: () => clock.at }
  const bot = await startTestBot({ clock, script: () => says('Hello.') })
  const { conversation } = await bot.chat.say('one', { user: 'ana' })
  clock.at += 86_400_000
  await bot.restart()
  await bot.chat.say('two', { conversation, user: 'ben', timeZone: 'Asia/Tokyo' })
  const prompts = bot.model.requests.map(({ messages }) => messages[0])
  expect(prompts[1]).toEqual(prompts[0])
  expect(prompts[0]?.role).toBe('system')
  expect(`${prompts[0]?.content}`).toMatch(/2026-03-10 08:41 UTC$/)
  expect(`${prompts[0]?.content}`).not.toContain('08:41:27')
})

test('a one-time reminder comes at the end, and is not sent again', async () => {
  const bot = await startTestBot({ script: [calls('now', {}), says('Read.'), says('Again.')] })
  const { conversation } = await bot.chat.say('look', { files: { 'a.txt': 'the small text' } })
  await bot.chat.say('and #a.txt now?', { conversation })
  const [first = [], second = [], third = []] = bot.model.requests.map(({ messages }) =>
    messages.map(({ content }) => `${content}`),
  )
  expect(first.at(-1)).toContain('the small text')
  expect(second.join('\n')).not.toContain('the small text')
  expect(third.join('\n')).not.toContain('the small text')
  expect(third.at(-1)).toContain('#a.txt is the file "uploads/a.txt"')
})

test('a thread’s tools keep their places when the bot restarts with new ones', async () => {
  const tool = (name: string) =>
    defineTool({
      kind: 'run',
      name,
      description: `Does ${name}.`,
      input: z.strictObject({}),
      effect: 'read',
      run: async () => 'Done.',
    })
  const first: Capability = { name: 'first', tools: [tool('early'), tool('by_name')] }
  const plugins = [first]
  const bot = await startTestBot({
    plugins,
    script: () => says('Fine.'),
    config: { tiers: { by_name: { enabled: true, always_available: false, category: 'test', tags: [] } } },
  })
  const { conversation } = await bot.chat.say('hello')
  await bot.chat.say('use @by_name', { conversation })
  plugins.unshift({ name: 'second', tools: [tool('late')] })
  await bot.restart()
  await bot.chat.say('again', { conversation })
  plugins.reverse()
  await bot.restart()
  await bot.chat.say('and again', { conversation })
  const offered = bot.model.requests.map(({ tools = [] }) => tools.map(({ function: { name } }) => name))
  const [begun = []] = offered
  expect(begun.at(-1)).toBe('early')
  expect(offered.slice(1)).toEqual([
    [...begun, 'by_name'],
    [...begun, 'by_name', 'late'],
    [...begun, 'by_name', 'late'],
  ])
})
