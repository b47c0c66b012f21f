import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { SessionEvent } from '../../src/domain/events.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { allLocks, takeLock } from '../../src/store/lock.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, says, status } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { storeOf } from '../support/threads.ts'
import { eventually } from '../support/until.ts'

/** A clock that stands still until it is set. */
const clockAt = (time: string) => ({
  at: Date.parse(time),
  now() {
    return this.at
  },
})

const heard = (bot: TestBot): string => `${bot.model.requests.at(-1)?.messages.at(-1)?.content}`

const posted = (events: SessionEvent[]): string[] =>
  ofType(events, 'message').flatMap(({ data }) => (data.role === 'assistant' ? [data.text] : []))

const untilPosted = (bot: TestBot, conversation: string, text: string) =>
  bot.chat.until(
    conversation,
    ({ type, data }) => type === 'message' && data.role === 'assistant' && data.text === text,
  )

async function expectInOrder(bot: TestBot, conversation: string): Promise<SessionEvent[]> {
  const events = await bot.chat.events(conversation)
  expect(events.map(({ event_id }) => event_id)).toEqual(events.map((_, index) => index + 1))
  return events
}

describe('a restart while', () => {
  const change = { path: 'uploads/a.txt', content: 'changed' }

  test('an approval waits: the card is still there, and the click runs it once', async () => {
    const bot = await startTestBot({ script: [calls('write_file', change), says('Changed.')] })
    const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
    const before = await bot.chat.requests()
    await bot.restart()
    await bot.restart()
    expect(await bot.chat.requests()).toEqual(before)
    expect((await bot.chat.answer(before[0]?.id ?? '', { decision: 'approve', user_id: 'ana' })).status).toBe(200)
    await bot.chat.untilType(conversation, 'complete')
    const events = await expectInOrder(bot, conversation)
    expect(ofType(events, 'permission_asked')).toHaveLength(1)
    expect(ofType(events, 'act')).toHaveLength(1)
    expect(bot.model.requests).toHaveLength(2)
  })

  test('an approval was given but not yet acted upon: it is acted upon', async () => {
    const bot = await startTestBot({ script: [calls('write_file', change), says('Changed.')] })
    const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { decision: 'approve' })
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    const events = await expectInOrder(bot, conversation)
    expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done'])
    expect((await bot.chat.answer(request?.id ?? '', { decision: 'deny' })).status).toBe(409)
  })

  test('a question waits: its card takes the answer', async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' }), says('Thank you.')] })
    const { conversation } = await bot.chat.say('go')
    await bot.restart()
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { answer: 'that one', user_id: 'ben' })
    await bot.chat.untilType(conversation, 'complete')
    expect(heard(bot)).toBe('ben answered: that one')
  })

  test('messages and files wait behind an approval: they are read, in order, and no file is lost', async () => {
    const bot = await startTestBot({ script: [calls('write_file', change), says('All read.')] })
    const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
    await bot.chat.say('first', { conversation, user: 'ana' })
    await bot.chat.say('second', { conversation, user: 'ben', files: { 'b.txt': 'the content of b' } })
    await bot.restart()
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { decision: 'approve' })
    await bot.chat.untilType(conversation, 'complete')
    const [first, second] =
      bot.model.requests
        .at(-1)
        ?.messages.slice(-2)
        .map(({ content }) => `${content}`) ?? []
    expect(first).toBe('[ana] first')
    expect(second).toMatch(/^\[ben\] second/)
    expect(second).toContain('the content of b')
    expect(await readdir(join(bot.dataDir, 'incoming'))).toEqual([])
  })

  test('a file waits behind an approval for hours: the sweep at the start leaves it alone', async () => {
    const bot = await startTestBot({ script: [calls('write_file', change), says('All read.')] })
    const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
    await bot.chat.say('second', { conversation, user: 'ben', files: { 'b.txt': 'the content of b' } })
    await bot.stop()
    const incoming = join(bot.dataDir, 'incoming')
    const hoursAgo = new Date(Date.now() - 5 * 3_600_000)
    await writeFile(join(incoming, 'upload_stray'), 'of a request that was cut')
    for (const name of await readdir(incoming)) await utimes(join(incoming, name), hoursAgo, hoursAgo)
    await bot.restart()
    expect(await readdir(incoming)).toHaveLength(1)
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { decision: 'approve' })
    await bot.chat.untilType(conversation, 'complete')
    expect(`${heard(bot)}`).toContain('the content of b')
  })

  test.each([
    ['the next message', (bot: TestBot, conversation: string) => bot.chat.say('go on', { conversation, user: 'ana' })],
    [
      'resuming',
      async (bot: TestBot, conversation: string) => {
        await bot.chat.post(`/agent/conversations/${conversation}/resume`)
        await bot.chat.untilType(conversation, 'complete')
      },
    ],
  ])('what was said into a stopped turn is unread: %s reads it, with its files', async (_, goOn) => {
    const bot = await startTestBot({ script: (_, number) => (number === 0 ? hang() : says('All read.')) })
    const first = await bot.chat.send('begin', { user: 'ana' })
    const conversation = first.headers.get('x-conversation-id') ?? ''
    await eventually(() => expect(bot.model.requests).toHaveLength(1))
    const files = { 'b.txt': 'the content of b' }
    const second = await bot.chat.send('and this', { conversation, user: 'ben', files })
    await bot.chat.post(`/agent/conversations/${conversation}/stop`)
    await Promise.all([first.text(), second.text()])
    await bot.restart()
    expect(bot.model.requests).toHaveLength(1)
    await goOn(bot, conversation)
    const said = bot.model.requests.at(-1)?.messages.slice(1) ?? []
    expect(`${said[0]?.content}`).toBe('[ana] begin')
    expect(`${said[1]?.content}`).toMatch(/^\[ben\] and this\n\nFiles:\n- uploads\/b\.txt/)
    expect(JSON.stringify(said)).toContain('the content of b')
    expect(await readdir(join(bot.dataDir, 'incoming'))).toEqual([])
    await expectInOrder(bot, conversation)
  })

  test('the model is being asked: it is asked again, and answers once', async () => {
    const bot = await startTestBot({ script: (_, number) => (number === 0 ? hang(2) : says('Here I am.')) })
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await bot.chat.untilType(conversation, 'text_delta')
    await bot.restart()
    await untilPosted(bot, conversation, 'Here I am.')
    const events = await expectInOrder(bot, conversation)
    expect(ofType(events, 'start')).toHaveLength(1)
    expect(ofType(events, 'complete')).toHaveLength(1)
    expect(posted(events)).toEqual(['Here I am.'])
    await response.body?.cancel()
  })

  test('a retry waits: the turn continues at once', async () => {
    const bot = await startTestBot({
      script: (_, number) => (number === 0 ? status(429, { retryAfter: 100 }) : says('Here I am.')),
    })
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await bot.chat.untilType(conversation, 'warning')
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    await response.body?.cancel()
  })

  test('tools run: a repeatable one runs again, the outcome of another is unknown', async () => {
    const runs: string[] = []
    let hold = true
    const slow = (name: string, repeatable: boolean) =>
      defineTool({
        kind: 'run',
        name,
        description: name,
        input: z.strictObject({}),
        effect: 'write',
        repeatable,
        async run(_, { attempt, key, call, signal }) {
          expect(key).toBe(call)
          runs.push(`${name} ${attempt}`)
          if (hold)
            await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          return `ran at attempt ${attempt}`
        },
      })
    const plugin: Capability = { name: 'slow', tools: [slow('again', true), slow('never_again', false)] }
    const bot = await startTestBot({
      plugins: [plugin],
      script: [calls('again', {}, ['never_again', {}]), says('I looked.')],
    })
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await eventually(() => expect(runs).toHaveLength(2))
    await bot.stop()
    hold = false
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    expect(runs.toSorted()).toEqual(['again 1', 'again 2', 'never_again 1'])
    const observed = ofType(await expectInOrder(bot, conversation), 'observe').map(({ data }) => data)
    expect(observed.find(({ tool_name }) => tool_name === 'again')).toMatchObject({
      status: 'done',
      result: 'ran at attempt 2',
    })
    expect(observed.find(({ tool_name }) => tool_name === 'never_again')?.status).toBe('unknown')
    expect(heard(bot)).toMatch(/^Unknown outcome: .*Check the current state before you try it again/)
    await response.body?.cancel()
  })

  test('tools run that are gone or take other arguments afterwards: their outcome is unknown', async () => {
    let runs = 0
    const slow = (name: string, input: z.ZodType) =>
      defineTool({
        kind: 'run',
        name,
        description: name,
        input,
        effect: 'write',
        run(_, { signal }) {
          runs += 1
          return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
      })
    const gone = slow('gone', z.strictObject({}))
    const plugin: Capability = { name: 'slow', tools: [gone, slow('stricter', z.strictObject({}))] }
    const bot = await startTestBot({ plugins: [plugin], script: [calls('gone', {}, ['stricter', {}]), says('Hm.')] })
    const response = await bot.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await eventually(() => expect(runs).toBe(2))
    await bot.stop()
    plugin.tools = [slow('stricter', z.strictObject({ to: z.string() }))]
    await bot.restart()
    await bot.chat.untilType(conversation, 'complete')
    expect(runs).toBe(2)
    const observed = ofType(await expectInOrder(bot, conversation), 'observe').map(({ data }) => data)
    const resultOf = (name: string) => observed.find(({ tool_name }) => tool_name === name)
    const unknown = (why: string) => ({
      status: 'unknown',
      result: expect.stringMatching(`^Unknown outcome: .* before you try it again\\. Now ${why}`),
    })
    expect(resultOf('gone')).toMatchObject(unknown('there is no tool "gone"'))
    expect(resultOf('stricter')).toMatchObject(unknown('the arguments of stricter are not valid'))
    await response.body?.cancel()
  })

  test('another process takes over in the middle of a write: its file stays as that one wrote it', async () => {
    const [isWriting, thaw] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
    const written = Promise.withResolvers<string>()
    const slowly = async function* () {
      yield Buffer.from('ours, ')
      await thaw.promise
      yield Buffer.from('late')
    }
    const write = defineTool({
      kind: 'run',
      name: 'write_slowly',
      description: 'Writes slowly.',
      input: z.strictObject({}),
      effect: 'write',
      async run(_, { workspace }) {
        isWriting.resolve(workspace.root)
        const writing = workspace.write('outputs/a.txt', slowly())
        writing.then(
          () => written.resolve('written'),
          (thrown) => written.resolve(thrown.name),
        )
        await writing
        return 'written'
      },
    })
    const bot = await startTestBot({ plugins: [{ name: 'slow', tools: [write] }], script: [calls('write_slowly', {})] })
    const response = await bot.chat.send('go')
    const root = await isWriting.promise
    const store = await storeOf(bot)
    const [lock] = await allLocks(store.db)
    await takeLock(store, { holder: 'another', host: 'elsewhere', pid: 1 }, () => 'silent', lock?.name)
    await writeFile(join(root, 'outputs/a.txt'), 'theirs')
    thaw.resolve()
    expect(await written.promise).toBe('LeaseLost')
    expect(await readFile(join(root, 'outputs/a.txt'), 'utf8')).toBe('theirs')
    await response.body?.cancel()
  })

  test('there are todos: they are still there', async () => {
    const todos = [{ content: 'Buy milk', status: 'in_progress', priority: 'high' }]
    const bot = await startTestBot({
      script: [calls('todo_write', { todos }), says('Noted.'), calls('todo_read', {}), says('Read.')],
    })
    const { conversation } = await bot.chat.say('note it')
    await bot.restart()
    await bot.chat.say('what was it?', { conversation })
    expect(heard(bot)).toContain('Buy milk')
  })

  test('a key is known: the same message again is not new', async () => {
    const bot = await startTestBot({ script: [says('Once.')] })
    const first = await bot.chat.say('hi', { key: 'k' })
    await bot.restart()
    expect(await bot.chat.say('hi', { key: 'k' })).toEqual(first)
    expect(bot.model.requests).toHaveLength(1)
  })

  test('a stream is followed: it continues from the last number, with nothing missed or doubled', async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' }), says('Thank you.')] })
    const said = await bot.chat.say('go')
    const last = said.events.at(-1)?.event_id ?? 0
    await bot.restart()
    await bot.chat.say('this', { conversation: said.conversation })
    const next = await bot.chat.until(said.conversation, () => true, last)
    expect(next.event_id).toBe(last + 1)
  })
})

describe('an answer that was not posted when the process ended', () => {
  /** The database as a crash between answer and posting would have left it. */
  function unpost(bot: TestBot, { attempts, forget }: { attempts: number; forget: boolean }): void {
    const [entry] = rowsIn<{ key: string }>(bot.database, 'select key from outbox')
    // An attempt that was begun comes up again only after a wait, which a new start does not keep.
    const nextAt = attempts === 0 ? Date.now() : Date.now() + 300_000
    const undone = `state = 'pending', attempts = ${attempts}, next_at = ${nextAt}, delivered_at = null`
    changeIn(bot.database, `update outbox set ${undone}`)
    if (!forget) return
    changeIn(bot.database, `delete from events where key = '${entry?.key}'`)
    changeIn(bot.database, 'update sessions set next_event = next_event - 1')
  }

  test.each([
    ['is posted at the next start', { attempts: 0, forget: true }],
    ['is posted also where an attempt was begun', { attempts: 1, forget: true }],
    ['is not posted again where the attempt had succeeded', { attempts: 1, forget: false }],
  ])('%s, once', async (_, crash) => {
    const bot = await startTestBot({ script: [says('The answer.'), says('Next.')] })
    const { conversation } = await bot.chat.say('go')
    await untilPosted(bot, conversation, 'The answer.')
    await bot.stop()
    unpost(bot, crash)
    await bot.restart()
    await untilPosted(bot, conversation, 'The answer.')
    await bot.chat.say('and?', { conversation })
    await untilPosted(bot, conversation, 'Next.')
    expect(posted(await expectInOrder(bot, conversation))).toEqual(['The answer.', 'Next.'])
  })
})

describe('alarms', () => {
  const ringing = { clockMs: 20 }

  test('survive a restart, and ring once, on time, in their thread', async () => {
    const clock = clockAt('2026-03-10T08:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: [
        calls('alarm_set', { at: 'in 10 minutes', message: 'look at the oven' }),
        says('Set.'),
        says('It is time.'),
      ],
    })
    const said = await bot.chat.say('remind me', { user: 'ana' })
    await untilPosted(bot, said.conversation, 'Set.')
    await bot.restart()
    clock.at += 10 * 60_000
    await untilPosted(bot, said.conversation, 'It is time.')
    await bot.restart()
    const events = await expectInOrder(bot, said.conversation)
    const alarms = ofType(events, 'message').filter(({ data }) => data.role === 'alarm')
    expect(alarms.map(({ data }) => data.text)).toEqual(['look at the oven'])
    expect(ofType(events, 'start').at(-1)?.data.reason).toBe('alarm')
    expect(heard(bot)).toBe('[Alarm set by ana for 2026-03-10 08:10:00 UTC] look at the oven')
    expect(bot.model.requests).toHaveLength(3)
  })

  test('missed while the bot was down ring once at the start, and say how late they are', async () => {
    const clock = clockAt('2026-03-10T08:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: [calls('alarm_set', { at: '2026-03-10T09:00', message: 'call Eve' }), says('Set.'), says('Call Eve!')],
    })
    const { conversation } = await bot.chat.say('remind me')
    await untilPosted(bot, conversation, 'Set.')
    await bot.stop()
    clock.at = Date.parse('2026-03-10T09:45:00Z')
    await bot.restart()
    await untilPosted(bot, conversation, 'Call Eve!')
    const events = await bot.chat.events(conversation)
    const [alarm] = ofType(events, 'message').filter(({ data }) => data.role === 'alarm')
    expect(alarm?.data.text).toBe('call Eve; it is 45 minutes late')
    expect(heard(bot)).toContain('for 2026-03-10 09:00:00 UTC; it is 45 minutes late] call Eve')
  })

  test('that repeat ring once for everything missed, and continue from there', async () => {
    const clock = clockAt('2026-03-10T08:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: [
        calls('alarm_set', { cron: '0 9 * * *', message: 'stand-up' }),
        says('Set.'),
        calls('alarm_list', {}),
        says('Late.'),
        says('On time.'),
      ],
    })
    const { conversation } = await bot.chat.say('every day at nine')
    await untilPosted(bot, conversation, 'Set.')
    await bot.stop()
    clock.at = Date.parse('2026-03-13T12:00:00Z')
    await bot.restart()
    await untilPosted(bot, conversation, 'Late.')
    expect(heard(bot)).toContain('2026-03-14 09:00:00')
    clock.at = Date.parse('2026-03-14T09:00:00Z')
    await untilPosted(bot, conversation, 'On time.')
    const events = await bot.chat.events(conversation)
    const texts = ofType(events, 'message').flatMap(({ data }) => (data.role === 'alarm' ? [data.text] : []))
    expect(texts).toEqual(['stand-up; it is 75 hours late', 'stand-up'])
  })

  test('follow the asker’s local time across a clock change', async () => {
    const clock = clockAt('2026-03-28T07:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: [
        calls('alarm_set', { cron: '0 9 * * *', message: 'good morning' }),
        says('Set.'),
        ...['Saturday.', 'Sunday.'].map(says),
      ],
    })
    const { conversation } = await bot.chat.say('every day at nine', { timeZone: 'Europe/Berlin' })
    await untilPosted(bot, conversation, 'Set.')
    clock.at = Date.parse('2026-03-28T08:00:00Z')
    await untilPosted(bot, conversation, 'Saturday.')
    clock.at = Date.parse('2026-03-29T06:59:59Z')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(bot.model.requests).toHaveLength(3)
    clock.at = Date.parse('2026-03-29T07:00:00Z')
    await untilPosted(bot, conversation, 'Sunday.')
    expect(heard(bot)).toContain('for 2026-03-29 09:00:00 Europe/Berlin]')
  })

  test('use the asker’s time zone, even in another person’s thread', async () => {
    const clock = clockAt('2026-03-10T20:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: [says('Hello.'), calls('alarm_set', { cron: '0 9 * * *', message: 'tea' }), says('Set.'), says('Tea!')],
    })
    const { conversation } = await bot.chat.say('hi', { user: 'ana', timeZone: 'Europe/Berlin' })
    const said = await bot.chat.say('wake me at nine', { conversation, user: 'ben', timeZone: 'Asia/Tokyo' })
    expect(ofType(said.events, 'observe')[0]?.data.result).toContain('2026-03-11 09:00:00 (Asia/Tokyo')
    clock.at = Date.parse('2026-03-11T00:00:00Z')
    await untilPosted(bot, conversation, 'Tea!')
    expect(heard(bot)).toBe('[Alarm set by ben for 2026-03-11 09:00:00 Asia/Tokyo] tea')
  })

  test('that ring while an approval waits are read after it', async () => {
    const clock = clockAt('2026-03-10T08:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: [
        calls('alarm_set', { at: 'in 1 minute', message: 'ring' }, [
          'write_file',
          { path: 'uploads/a.txt', content: 'changed' },
        ]),
        says('Both.'),
      ],
    })
    const { conversation } = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
    clock.at += 60_000
    await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.role === 'alarm')
    await bot.restart()
    expect(bot.model.requests).toHaveLength(1)
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { decision: 'approve' })
    await bot.chat.untilType(conversation, 'complete')
    expect(heard(bot)).toMatch(/^\[Alarm set by operator .*\] ring$/)
    expect(ofType(await bot.chat.events(conversation), 'complete')).toHaveLength(1)
  })

  test('that were cancelled stay silent', async () => {
    const clock = clockAt('2026-03-10T08:00:00Z')
    const bot = await startTestBot({
      clock,
      config: { engine: ringing },
      script: (body, number) => {
        if (number === 0) return calls('alarm_set', { cron: '* * * * *', message: 'ring' })
        const id = /Alarm (alarm_\w+) is set/.exec(`${body.messages.at(-1)?.content}`)?.[1]
        return id === undefined ? says('Cancelled.') : calls('alarm_cancel', { alarm_id: id })
      },
    })
    const { conversation } = await bot.chat.say('go')
    await untilPosted(bot, conversation, 'Cancelled.')
    await bot.restart()
    clock.at += 3_600_000
    await new Promise((resolve) => setTimeout(resolve, 150))
    const events = await bot.chat.events(conversation)
    expect(ofType(events, 'message').filter(({ data }) => data.role === 'alarm')).toEqual([])
  })
})

test('text that a restart cut off leaves nothing behind; what a stop cut off stays as far as it was shown', async () => {
  const long = hang(5, says('one two three four five six seven eight nine ten'))
  const bot = await startTestBot({ script: [long, says('Whole.'), long] })
  const first = await bot.chat.send('talk')
  const conversation = first.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  await bot.restart()
  await bot.chat.untilType(conversation, 'complete')
  const second = await bot.chat.send('more', { conversation })
  const { length } = await bot.chat.events(conversation)
  const { data } = await bot.chat.untilType(conversation, 'text_delta', length)
  const shown = 'delta' in data ? data.delta : 'nothing'
  await bot.chat.post(`/agent/conversations/${conversation}/stop`)
  const events = await bot.chat.events(conversation)
  const begun = ofType(events, 'text_start').map(({ data }) => data.text_id)
  const ended = ofType(events, 'text_end')
  expect(ended.map(({ data }) => data.text_id)).toEqual(begun)
  expect(ended).toMatchObject([{ data: { text: 'Whole.' } }, {}])
  // More of it may have been shown before the stop.
  const kept = ended[1]?.data.text ?? ''
  expect([kept.startsWith(shown), 'one two three four five'.startsWith(kept)]).toEqual([true, true])
  await first.body?.cancel().catch(() => {})
  await second.body?.cancel()
})
