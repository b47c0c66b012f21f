import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requestsOf } from '../delegation/support.ts'
import { makes } from '../plans/support.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, says } from '../support/model-server.ts'
import { tablesIn } from '../support/rows.ts'
import { until } from '../support/until.ts'

const start = () =>
  startTestBot({
    script: ({ messages }) =>
      String(messages.at(-1)?.content).includes('remind')
        ? calls('alarm_set', { at: 'in 30 days', message: 'secret tea' })
        : says('The secret is blue.'),
    config: { engine: { clockMs: 20 } },
  })

/** What the bot says to a command. */
async function told(bot: TestBot, text: string, conversation: string): Promise<string> {
  const { events } = await bot.chat.say(text, { conversation })
  return events
    .flatMap((one) => (one.type === 'message' && one.data.role === 'assistant' ? [one.data.text] : []))
    .join()
}

/** The tables that hold a word. */
function tablesWith(bot: TestBot, word: string): string[] {
  return [...tablesIn(bot.database)].flatMap(([name, rows]) => (rows.includes(word) ? [name] : []))
}

const filesOf = async (bot: TestBot, conversation: string): Promise<string[]> => {
  const { files } = await bot.chat.get<{ files: { path: string }[] }>(`/agent/conversations/${conversation}/files`)
  return files.map(({ path }) => path)
}

describe('delete', () => {
  test('asks first, and anything but "delete yes" changes nothing', async () => {
    const bot = await start()
    const { conversation } = await bot.chat.say('a secret', { files: { 'a.txt': 'hello' } })
    const asked = await told(bot, '@bobbin delete', conversation)
    expect(asked).toContain('for good: 2 messages, 1 file (5 bytes)')
    expect(asked).toContain('Say `delete yes`')
    expect((await bot.chat.say('yes', { conversation })).text).toContain('The secret is blue.')
    expect(await filesOf(bot, conversation)).toEqual(['uploads/a.txt'])
  })

  test('yes removes messages, files and alarms, but not another thread', async () => {
    const bot = await start()
    const other = await bot.chat.say('another', { files: { 'b.txt': 'kept' } })
    const { conversation } = await bot.chat.say('a topic', { files: { 'topic.txt': 'hello' } })
    await bot.chat.say('remind me of the topic', { conversation })
    expect(await told(bot, 'delete yes', conversation)).toContain('This thread and its files are deleted.')
    expect((await bot.chat.send('hello', { conversation })).status).toBe(404)
    await expect(bot.chat.events(conversation)).rejects.toThrow('404')
    const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
    expect(conversations.map(({ id }) => id)).toEqual([other.conversation])
    await until('what was said is gone', () => tablesWith(bot, 'topic').length === 0 || undefined)
    await expect(stat(`${bot.dataDir}/workspace/${conversation}`)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await filesOf(bot, other.conversation)).toEqual(['uploads/b.txt'])
    await bot.restart()
    expect((await bot.chat.say('hello', { conversation: other.conversation })).text).toBe('The secret is blue.')
  })

  test('yes removes what an earlier removal of its files left, too', async () => {
    const bot = await start()
    const { conversation } = await bot.chat.say('a topic', { files: { 'topic.txt': 'hello' } })
    const folder = join(bot.dataDir, 'workspace')
    for (const why of ['deleted', 'removed'])
      await mkdir(join(folder, `.${why}-${conversation}-0123456789ab/uploads`), { recursive: true })
    await mkdir(join(folder, '.deleted-other-0123456789ab'))
    await told(bot, 'delete yes', conversation)
    await until('what was said is gone', () => tablesWith(bot, 'topic').length === 0 || undefined)
    expect(await readdir(folder)).toEqual(['.deleted-other-0123456789ab'])
  })

  test('an upload goes with its message, or its thread, although no turn has read it yet', async () => {
    const bot = await startMemoryBot({
      script: () => hang(),
      config: { agent: { messageBytes: 1_000 }, engine: { clockMs: 20 } },
    })
    const { memory } = bot
    const waiting = () => readdir(join(bot.dataDir, 'incoming'))
    const message = await memory.say('ana', '@bobbin hello')
    await until('a turn runs', () => bot.model.requests.length > 0)
    const first = await memory.say('ana', 'a topic '.repeat(1_000), { in: message })
    await memory.say('ana', 'another topic '.repeat(1_000), { in: message })
    await until('both are kept', async () => (await waiting()).length === 2)
    await memory.delete(first)
    await until('one is gone', async () => (await waiting()).length === 1)
    await memory.say('ana', '@bobbin delete yes', { in: message })
    await until('both are gone', async () => (await waiting()).length === 0)
  })

  test('on a platform only whoever began the thread may; old messages are not read again, and a new one starts over', async () => {
    const bot = await startMemoryBot({ script: () => says('Yes.'), config: { engine: { clockMs: 20 } } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin hello')
    await memory.untilAnswered(message, 'Yes.')
    await memory.say('ben', '@bobbin delete yes', { in: message })
    await memory.eventually(() => expect(memory.answers(message).at(-1)).toContain('Only the person who started'))
    await memory.say('ana', '@bobbin delete yes', { in: message })
    await memory.eventually(() => expect(memory.answers(message).at(-1)).toContain('I’ve deleted everything'))
    await memory.eventually(() => expect(bot.rows('select seq from messages')).toEqual([]))
    await memory.deliver(message)
    await memory.edit(message, '@bobbin hello again')
    await bot.settled()
    expect(bot.model.requests).toHaveLength(1)
    await memory.say('ana', '@bobbin anew', { in: message })
    await memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Yes.'))
    expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).not.toContain('hello')
    expect(bot.rows('select id from sessions')).toHaveLength(2)
  })

  test('nothing stays of an answer that is posted only then', async () => {
    const bot = await startMemoryBot({ script: () => says('The secret is blue.'), config: { engine: { clockMs: 20 } } })
    const { memory } = bot
    const posting = memory.misbehave.hold('post')
    const message = await memory.say('ana', '@bobbin hello')
    await until('it is answered', () => bot.rows("select id from events where type = 'complete'").length > 0)
    await until('its posting has begun', () => posting.waiting > 0)
    await memory.say('ana', '@bobbin delete yes', { in: message })
    await until('it is deleted', () => bot.rows('select id from sessions where deleted_at is not null').length > 0)
    posting.release()
    await memory.eventually(() => expect(memory.answers(message).at(-1)).toContain('I’ve deleted everything'))
    await memory.eventually(() => expect(JSON.stringify(bot.rows('select * from events'))).not.toContain('blue'))
  })

  test('nothing stays of a composition, a plan and its steps that were under way', async () => {
    const compositions = {
      note: {
        description: 'Writes a note.',
        parameters: { about: 'What it is about' },
        steps: [{ tool: 'run_script', input: { language: 'python', code: 'print("{{about}}")' } }],
      },
    }
    const plan = makes([{ what: 'count violins', gives: 'their number', needs: 'violin facts' }], { title: 'Violins' })
    const bot = await startTestBot({
      script: (body) => {
        if (requestsOf([body], 'child').length > 0) return hang()
        return String(body.messages.at(-1)?.content).includes('plan') ? plan : calls('note', { about: 'violins' })
      },
      config: { engine: { clockMs: 20 }, sections: { compositions: { compositions } } },
    })
    const chain = await bot.chat.say('@run_script note it')
    const stream = await bot.chat.send('plan it')
    stream.text().catch(() => {})
    await until(
      'a step runs',
      () => bot.model.requests.some((body) => requestsOf([body], 'child').length > 0) || undefined,
    )
    expect(tablesWith(bot, 'violin')).toEqual(expect.arrayContaining(['notes', 'plan_steps', 'requests']))
    for (const conversation of [chain.conversation, stream.headers.get('x-conversation-id') ?? ''])
      expect(
        (await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}`, { method: 'DELETE' })).status,
      ).toBe(200)
    // The log of what was asked and decided stays.
    await until('what was said is gone', () => tablesWith(bot, 'violin').join() === 'audit' || undefined)
  })

  test('ends what runs or waits there', async () => {
    const script = [calls('ask_human', { question: 'Which?' }), says('Done.')]
    const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin ask')
    const card = await memory.untilCard(message)
    await memory.say('ana', '@bobbin delete yes', { in: message })
    await memory.eventually(() => expect(memory.cards(message)[0]?.state).toBe('cancelled'))
    await memory.eventually(() => expect(bot.rows('select seq from messages')).toEqual([]))
    expect(await memory.click('ana', card, { kind: 'question', answer: 'x' })).not.toMatchObject({ kind: 'taken' })
    expect(bot.rows('select state from turns')).toEqual([{ state: 'stopped' }])
  })
})
