import { describe, expect, test } from 'vitest'
import type { RulesFile } from '../../src/trust/rules.ts'
import { family, long, resultsIn } from '../delegation/support.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import {
  calls,
  heldUntil,
  type ModelScript,
  type RequestBody,
  type ScriptedReply,
  says,
  status,
} from '../support/model-server.ts'
import { asked, audited, heard, minute, yes } from './trust.ts'

const write = calls('write_file', { path: 'outputs/a.txt', content: 'x' })
const edit = calls('edit_file', { path: 'outputs/a.txt', old_string: 'x', new_string: 'y' })

/** Only ana may write files; writing is not asked, unless a test says so. */
async function start(script: ModelScript, tools: RulesFile['tools'] = {}) {
  const rules = asked(
    {},
    {
      use: [{ tools: ['write_file'], people: ['user:ana'] }],
      tools: { write_file: { approvals: false, risk: 'low' }, ...tools },
    },
  )
  const bot = await startMemoryBot({ script, config: { rules, engine: { clockMs: 20 } } })
  return { bot, memory: bot.memory }
}

const said = ({ memory }: MemoryBot, message: Message, text: string) =>
  memory.eventually(() => expect(memory.answers(message).at(-1)).toBe(text))

const refused = 'Forbidden by rule: ben may not use write_file.'
/** ben wrote in the thread before, in a turn of his own: his answers count, and his words are none of ana's turn. */
const withBen = (script: ScriptedReply[], cards?: number) => afterBen([says('Hello.'), ...script], cards)

async function afterBen(script: ModelScript, cards?: number) {
  const { bot, memory } = await start(script)
  const message = await memory.say('ben', '@bobbin hello')
  await said(bot, message, 'Hello.')
  await bot.settled()
  await memory.say('ana', '@bobbin write it', { in: message })
  return { bot, memory, message, card: await memory.untilCard(message, cards) }
}

const question = calls('ask_human', { question: 'Which one?' })
const confirmed = { edit_file: { approvals: true, mode: 'confirm', risk: 'medium' } } as const

describe('everybody whose words lead to a call must be allowed', () => {
  test('an answer by somebody who may not', async () => {
    const { bot, memory, message, card } = await withBen([question, write, says('Not done.')])
    await memory.click('ben', card, { kind: 'question', answer: 'outputs/a.txt, with x' })
    await said(bot, message, 'Not done.')
    expect(heard(bot)).toBe(refused)
    expect(await audited(bot)).toContain('refused')
  })

  test('an answer by somebody who may not that a later turn reads, because its own was stopped', async () => {
    const questions = calls('ask_human', { question: 'Which one?' }, ['ask_human', { question: 'When?' }])
    const { bot, memory, message } = await withBen([questions, write, says('Not done.')], 2)
    await memory.say('ben', 'write #a.txt, with x', { in: message })
    await memory.eventually(() => expect(bot.rows("select id from requests where state = 'answered'")).toHaveLength(1))
    await memory.say('ana', '@bobbin stop', { in: message })
    await bot.settled()
    await memory.say('ana', '@bobbin go on', { in: message })
    await said(bot, message, 'Not done.')
    expect(heard(bot)).toBe(refused)
  })

  test('an answer by somebody who may', async () => {
    const { bot, memory } = await start([question, write, says('Done.')])
    const message = await memory.say('ana', '@bobbin write it')
    await memory.click('ana', await memory.untilCard(message), { kind: 'question', answer: 'this one' })
    await said(bot, message, 'Done.')
    expect(heard(bot)).toMatch(/^Created/)
  })

  const delegated = calls('delegate_task', { task: 'ask' })
  test.each<[string, ScriptedReply[], (task: string) => ScriptedReply]>([
    ['what its parent does then', [delegated, write], () => question],
    [
      'what the next one does',
      [delegated, calls('delegate_task', { task: 'write' })],
      (task) => (task.startsWith('ask') ? question : write),
    ],
  ])('an answer to a subagent by somebody who may not, for %s', async (_, steps, first) => {
    const child = [first, (_: string, body: RequestBody) => says(long(`${resultsIn(body).at(-1)}`))]
    const { bot, memory, message, card } = await afterBen(family([says('Hello.'), ...steps, says('Not done.')], child))
    await memory.click('ben', card, { kind: 'question', answer: 'outputs/a.txt, with x' })
    await said(bot, message, 'Not done.')
    expect(JSON.stringify(bot.model.requests)).toContain('outputs/a.txt, with x')
    expect(heard(bot)).toContain(refused)
    expect(await audited(bot)).toContain('refused')
  })

  test('an answer that is written in the thread', async () => {
    const { bot, memory } = await start([question, write, says('Not done.')])
    const message = await memory.say('ana', '@bobbin write it')
    await memory.untilCard(message)
    await memory.say('ben', 'outputs/a.txt, with x', { in: message })
    await said(bot, message, 'Not done.')
    expect(heard(bot)).toBe(refused)
  })

  test.each([
    ['what to do instead', { decision: 'deny', instead: 'write outputs/a.txt' }],
    ['a reason', { decision: 'deny', reason: 'because it belongs into outputs/a.txt' }],
  ] as const)('a denial with %s', async (_, answer) => {
    const { bot, memory } = await start([edit, write, says('Not done.')], confirmed)
    const message = await memory.say('ana', '@bobbin change it')
    await memory.click('ben', await memory.untilCard(message), { kind: 'approval', answer })
    await said(bot, message, 'Not done.')
    expect(heard(bot)).toBe(refused)
  })

  test.each([
    ['an approval', yes],
    ['a denial without words', { kind: 'approval', answer: { decision: 'deny' } } as const],
  ])('%s puts no words into the turn', async (_, given) => {
    const { bot, memory } = await start([edit, write, says('Done.')], confirmed)
    const message = await memory.say('ana', '@bobbin change it')
    await memory.click('ben', await memory.untilCard(message), given)
    await said(bot, message, 'Done.')
    expect(heard(bot)).toMatch(/^Created/)
  })

  test('an alarm of somebody who may not, which rings in the turn', async () => {
    const rung = Promise.withResolvers<void>()
    const { bot, memory } = await start([heldUntil(rung.promise, calls('now', {})), write, says('Not done.')])
    const message = await memory.say('ben', '@bobbin alarm in 10 minutes: write outputs/a.txt')
    await memory.eventually(() => expect(memory.answers(message).at(-1)).toMatch(/^Alarm set/))
    await memory.say('ana', '@bobbin look', { in: message })
    await memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
    memory.pass(11 * minute)
    await memory.eventually(() => expect(bot.rows("select seq from inbox where kind = 'alarm'")).toHaveLength(1))
    rung.resolve()
    await said(bot, message, 'Not done.')
    expect(JSON.stringify(bot.model.requests[1]?.messages.at(-1))).toContain('"[Alarm set by ben for')
    expect(heard(bot)).toBe(refused)
  })

  const later = calls('alarm_set', { at: 'in 10 minutes', message: 'write outputs/a.txt' })
  test.each<[string, ScriptedReply[]]>([
    ['an alarm', []],
    ['an alarm that sets another one', [later, says('Set.')]],
  ])('an answer by somebody who may not to the turn that sets %s', async (_, again) => {
    const { bot, memory, message, card } = await withBen([question, later, says('Set.'), ...again, write, says('No.')])
    await memory.click('ben', card, { kind: 'question', answer: 'in 10 minutes, and outputs/a.txt' })
    for (let rings = 1; rings <= 1 + again.length / 2; rings++) {
      await memory.eventually(() => expect(bot.rows('select id from alarms')).toHaveLength(rings))
      await bot.settled()
      memory.pass(11 * minute)
    }
    await said(bot, message, 'No.')
    expect(heard(bot)).toBe(refused)
  })

  test.each(['retry', 'resume'])('a request of somebody who may not that failed, after `%s`', async (again) => {
    const script = (_: RequestBody, number: number) =>
      number === 0 ? status(400) : number === 1 ? write : says('Not done.')
    const { bot, memory } = await start(script)
    const message = await memory.say('ben', '@bobbin write outputs/a.txt')
    await memory.eventually(() => expect(bot.rows('select state from turns')).toEqual([{ state: 'failed' }]))
    await memory.say('ana', `@bobbin ${again}`, { in: message })
    await said(bot, message, 'Not done.')
    expect(heard(bot)).toBe(refused)
  })

  test('an edit of an earlier message by somebody who may not', async () => {
    const slow = { ...calls('now', {}), delayMs: 300 }
    const { bot, memory } = await start([says('Hello.'), says('Yes.'), slow, write, says('Not done.')])
    const message = await memory.say('ben', '@bobbin hello')
    await said(bot, message, 'Hello.')
    await memory.say('ana', '@bobbin look', { in: message })
    await said(bot, message, 'Yes.')
    await memory.edit(message, '@bobbin hello, and write outputs/a.txt now')
    await memory.say('ana', '@bobbin go on', { in: message })
    await said(bot, message, 'Not done.')
    expect(heard(bot)).toBe(refused)
  })

  test('an edit by somebody who may changes nothing', async () => {
    const { bot, memory } = await start([says('Hello.'), write, says('Done.')])
    const message = await memory.say('ana', '@bobbin hello')
    await said(bot, message, 'Hello.')
    await memory.edit(message, '@bobbin hello there')
    await memory.say('ana', '@bobbin write', { in: message })
    await said(bot, message, 'Done.')
    expect(heard(bot)).toMatch(/^Created/)
  })

  test('the next turn is not affected', async () => {
    const script = [question, write, says('Not done.'), write, says('Done.')]
    const { bot, memory, message, card } = await withBen(script)
    await memory.click('ben', card, { kind: 'question', answer: 'this one' })
    await said(bot, message, 'Not done.')
    await memory.say('ana', '@bobbin write it all the same', { in: message })
    await said(bot, message, 'Done.')
    expect(heard(bot)).toMatch(/^Created/)
  })
})
