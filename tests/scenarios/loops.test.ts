import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Plugin } from '../../src/domain/plugin.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { asked, heard, minute, results, yes } from './trust.ts'

/** A tool that says what it is told to, one thing after the other; the last again and again. */
function looking(...answers: string[]): Plugin {
  let looks = 0
  const look = defineTool({
    kind: 'run',
    name: 'look',
    description: 'Looks.',
    input: z.strictObject({ at: z.string().default('it') }),
    effect: 'read',
    run: async () => answers[Math.min(looks++, answers.length - 1)] ?? '',
  })
  return { name: 'looking', tools: [look] }
}

const look = calls('look', {})
const looks = (count: number): ScriptedReply[] => Array.from({ length: count }, () => look)

async function start(script: ScriptedReply[], plugin = looking('the same'), rules = asked()) {
  const bot = await startMemoryBot({ script, plugins: [plugin], config: { rules, agent: { maxSteps: 40 } } })
  const message = await bot.memory.say('ana', '@bobbin look at it')
  return { bot, memory: bot.memory, message }
}

const done = ({ memory }: MemoryBot, message: Message) =>
  memory.until(() => expect(memory.answers(message).at(-1)).toBe('Done.'))

const option = (answer: string) => ({ kind: 'question', answer }) as const

describe('the third same call with the same result', () => {
  test('asks, with what can be done', async () => {
    const { bot, memory, message } = await start([...looks(3), says('Done.')])
    const card = await memory.untilCard(message)
    expect(card.kind === 'loop' && card.payload).toMatchObject({
      question: expect.stringContaining('look again and again'),
      options: [
        { id: 'stop', label: 'Stop' },
        { id: 'continue', label: 'Run it again' },
        { id: 'skip', label: 'Skip it' },
      ],
    })
    await bot.settled()
    expect(results(bot).filter((state) => state === 'done')).toHaveLength(2)
    expect(bot.rows("select kind from audit where kind = 'asked'")).toHaveLength(1)
  })

  test('“Run it again” runs it, and counting begins anew', async () => {
    const { bot, memory, message } = await start([...looks(6), says('Done.')])
    const card = await memory.untilCard(message)
    expect(await memory.click('ana', card, option('continue'))).toMatchObject({ kind: 'taken' })
    await memory.until(() => expect(memory.cards(message)).toHaveLength(2))
    expect(results(bot).filter((state) => state === 'done')).toHaveLength(5)
    await memory.click('ana', await memory.untilCard(message), option('continue'))
    await done(bot, message)
    expect(results(bot)).toEqual(Array.from({ length: 6 }, () => 'done'))
  })

  test('“Skip it” goes on without it', async () => {
    const { bot, memory, message } = await start([...looks(3), says('Done.')])
    await memory.click('ana', await memory.untilCard(message), option('skip'))
    await done(bot, message)
    expect(heard(bot)).toBe('Cancelled: ana skipped this: it is the same call again. Go on without it.')
    expect(results(bot)).toEqual(['done', 'done', 'denied'])
  })

  test('“Stop” ends the turn, and the next message is answered', async () => {
    const { bot, memory, message } = await start([...looks(3), says('Done.')])
    await memory.click('ana', await memory.untilCard(message), option('stop'))
    await memory.until(() => expect(bot.rows('select state from turns')).toEqual([{ state: 'stopped' }]))
    await bot.settled()
    expect(bot.model.requests).toHaveLength(3)
    await memory.say('ana', '@bobbin go on', { in: message })
    await done(bot, message)
  })

  test('own words are told to the model, from the card and from the thread', async () => {
    const { bot, memory, message } = await start([...looks(6), says('Done.')])
    await memory.click('ana', await memory.untilCard(message), option('look elsewhere'))
    await memory.until(() => expect(memory.cards(message)).toHaveLength(2))
    expect(JSON.stringify(bot.model.requests.at(3)?.messages)).toContain('Corrected: ana says: look elsewhere')
    await memory.untilCard(message)
    await memory.say('ana', 'let it be', { in: message })
    await done(bot, message)
    expect(heard(bot)).toBe('Corrected: ana says: let it be')
  })

  test('waits over a restart', async () => {
    const { bot, memory, message } = await start([...looks(3), says('Done.')])
    const card = await memory.untilCard(message)
    await bot.crashAs()
    expect(await memory.click('ana', card, option('continue'))).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(memory.cards(message)).toHaveLength(1)
    expect(results(bot)).toEqual(['done', 'done', 'done'])
  })

  test('of a call that is asked anyway is asked after its approval', async () => {
    const write = calls('write_file', { path: 'outputs/a.txt', content: 'x' })
    const { bot, memory, message } = await start([write, write, write, write, says('Done.')])
    for (let count = 1; count <= 3; count++) {
      await memory.until(() => expect(memory.cards(message)).toHaveLength(count))
      await memory.click('ben', await memory.untilCard(message), yes)
    }
    await memory.until(() => expect(memory.cards(message)).toHaveLength(4))
    const loop = memory.cards(message).at(-1)
    // The first made the file, the others replaced it.
    expect(loop?.kind).toBe('approval')
    await memory.click('ben', await memory.untilCard(message), yes)
    const card = await memory.untilCard(message)
    await memory.until(() => expect(memory.cards(message).at(-1)?.kind).toBe('loop'))
    await memory.click('ana', memory.cards(message).at(-1) ?? card, option('continue'))
    await done(bot, message)
  })

  test('in one step is asked too', async () => {
    const three = calls('look', {}, ['look', {}], ['look', {}])
    const { bot, memory, message } = await start([three, says('Done.')])
    await memory.click('ana', await memory.untilCard(message), option('skip'))
    await done(bot, message)
    expect(results(bot).toSorted()).toEqual(['denied', 'done', 'done'])
  })
})

describe('it is no loop', () => {
  test('when results change: something is waited for', async () => {
    const { bot, message } = await start([...looks(9), says('Done.')], looking('1', '2', '3', '4', '5', '6', '7', '8'))
    await done(bot, message)
    expect(bot.memory.cards(message)).toEqual([])
  })

  test('until the change has come twice', async () => {
    const { bot, memory, message } = await start([...looks(4), says('Done.')], looking('1', '2', '2', '2'))
    await memory.untilCard(message)
    expect(results(bot).filter((state) => state === 'done')).toHaveLength(3)
  })

  test('with other arguments', async () => {
    const script = ['a', 'b', 'c', 'd'].map((at) => calls('look', { at }))
    const { bot, message } = await start([...script, says('Done.')])
    await done(bot, message)
    expect(bot.memory.cards(message)).toEqual([])
  })

  test('when ten others came in between', async () => {
    const others = Array.from({ length: 9 }, (_, at) => calls('look', { at: `${at}` }))
    const { bot, message } = await start([look, ...others, look, ...others, look, says('Done.')])
    await done(bot, message)
    expect(bot.memory.cards(message)).toEqual([])
  })

  test('when more than a minute has passed', async () => {
    const passing = { ...looking('the same'), beforeCall: async () => bot?.memory.pass(minute) }
    let bot: MemoryBot | undefined
    bot = await startMemoryBot({ script: [...looks(4), says('Done.')], plugins: [passing] })
    const message = await bot.memory.say('ana', '@bobbin look')
    await done(bot, message)
    expect(bot.memory.cards(message)).toEqual([])
  })

  test('in another turn', async () => {
    const script = [look, look, says('Done.'), look, look, says('Done.')]
    const { bot, memory, message } = await start(script)
    await done(bot, message)
    await memory.say('ana', '@bobbin again', { in: message })
    await memory.untilAnswered(message, 'Done.', 'Done.')
    expect(memory.cards(message)).toEqual([])
  })
})
