import { describe, expect, test } from 'vitest'
import { insertIgnored } from '../../src/store/ignored.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { cleaned } from '../support/cleaned.ts'
import { ofType, type SayOptions } from '../support/client.ts'
import { ignoredIn } from '../support/ignored.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, heldUntil, type RequestBody, says, status } from '../support/model-server.ts'
import { storeOf } from '../support/threads.ts'
import { eventually } from '../support/until.ts'

interface Answer {
  conversation: string
  text: string
}

const isAnswer = ({ role, turn_id }: { role: string; turn_id?: string }) =>
  role === 'assistant' && turn_id === undefined

/** Gives a command and resolves with what the bot says to it. */
async function command(bot: TestBot, text: string, options: SayOptions = {}): Promise<Answer> {
  const { conversation, events } = await bot.chat.say(text, options)
  const [said] = events.flatMap((one) =>
    one.type === 'message' && isAnswer(one.data) && one.data.role === 'assistant' ? [one.data.text] : [],
  )
  if (said !== undefined) return { conversation, text: said }
  const answer = await bot.chat.until(
    conversation,
    (event) => event.type === 'message' && isAnswer(event.data),
    events[0]?.event_id,
  )
  return { conversation, text: answer.type === 'message' ? answer.data.text : '' }
}

const textsOf = (body: RequestBody | undefined): string[] =>
  (body?.messages ?? []).map(({ content }) => String(content))

/** What the model was given of the thread at its latest request. */
const read = (bot: TestBot): string => textsOf(bot.model.requests.at(-1)).slice(1).join('\n')

const filesOf = async (bot: TestBot, conversation: string): Promise<string[]> => {
  const { files } = await bot.chat.get<{ files: { path: string }[] }>(`/agent/conversations/${conversation}/files`)
  return files.map(({ path }) => path)
}

const short = (conversation: string): string => conversation.slice('ses_'.length, 'ses_'.length + 14)

const long = hang(8, says('a b c d e f g h i j k l m n o p q r s t u v w x y z'))

/** A thread whose turn runs, and goes on for a while. */
async function running(bot: TestBot, text = 'talk'): Promise<string> {
  const response = await bot.chat.send(text)
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  await response.body?.cancel()
  return conversation
}

test('help names every command, and so does the console', async () => {
  const bot = await startTestBot({ script: [] })
  const { text } = await command(bot, '/help')
  // One message on Discord.
  expect(text.length).toBeLessThan(2_000)
  const { commands } = await bot.chat.get<{ commands: { name: string; summary: string }[] }>('/about')
  expect(commands.map(({ name }) => name).toSorted()).toEqual([
    'agents',
    'alarm',
    'alarms',
    'clean',
    'compact',
    'context',
    'cost',
    'delete',
    'files',
    'grants',
    'help',
    'list',
    'mcp',
    'model',
    'plan',
    'reset',
    'resume',
    'retry',
    'revoke',
    'skills',
    'status',
    'stop',
    'tools',
    'use',
    'why',
  ])
  for (const { name, summary } of commands)
    expect(text).toMatch(new RegExp(`\`${name}( \\[\\w+\\])?\` – ${summary.slice(0, 20)}`))
  expect(bot.model.requests).toEqual([])
})

test('a command is a word alone, or with its argument; a sentence, an unknown word and a path are for the model', async () => {
  const bot = await startTestBot({ script: () => says('Yes?') })
  const sentences = [
    'Please stop that',
    'list the files',
    'help me',
    '/deploy now',
    '/status/of/it',
    'what does /help do?',
  ]
  const words = ['model railway', 'delete it', 'alarm me', 'alarm in the cellar', 'resume work']
  for (const text of [...sentences, ...words]) {
    expect((await bot.chat.say(text)).text).toBe('Yes?')
    expect(textsOf(bot.model.requests.at(-1)).at(-1)).toContain(text)
  }
  const asked = bot.model.requests.length
  for (const text of ['status', '@bobbin status', '@bobbin, Status!', '@bobbin /STATUS'])
    expect((await command(bot, text)).text).toContain('nothing asked yet')
  expect((await command(bot, '@bobbin help')).text).toContain('I also know these commands')
  expect((await command(bot, 'list')).text).toContain('The latest threads of this channel')
  expect(bot.model.requests).toHaveLength(asked)
})

test('status says what the thread is at', async () => {
  const script = [
    calls('write_file', { path: 'outputs/a.txt', content: 'hello' }),
    says('Done.'),
    calls('ask_human', { question: 'Which?' }),
  ]
  const bot = await startTestBot({ script })
  const { conversation } = await bot.chat.say('write', { files: { 'b.txt': '12345678' } })
  const done = (await command(bot, '/status', { conversation })).text
  expect(done).toContain(`\`${short(conversation)}\` – answered`)
  expect(done).toContain('- Messages: 4 in 1 turn\n')
  expect(done).toContain('- Files: 2 (13 bytes of 1.0 GB)')
  expect(done).toMatch(/- Context: about [1-9][\d,]* of 1\d\d,\d{3} tokens \(\d+ %\)/)
  expect(done).toContain('- Waiting: 0 for an answer, 0 alarms')
  await bot.chat.say('ask me', { conversation })
  const waiting = (await command(bot, '/status', { conversation })).text
  expect(waiting).toContain('– waiting for an answer')
  expect(waiting).toContain('- Waiting: 1 for an answer, 0 alarms')
})

test('list shows the latest threads of this channel only', async () => {
  const bot = await startTestBot({ script: () => says('Sure, *done*.') })
  const one = await bot.chat.say('the **first** [one](http://x)')
  const two = await bot.chat.say('the second')
  const other = await bot.chat.say('elsewhere', { project: 'sales' })
  const { text } = await command(bot, '/list', { conversation: one.conversation })
  const lines = text.split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[2]).toMatch(new RegExp(`^- \`${short(one.conversation)}\` the first one.*1 turn · Sure, done\\.$`))
  expect(lines[1]).toContain(`\`${short(two.conversation)}\` the second`)
  expect(text).not.toContain(short(other.conversation))
})

test('list mine shows what one has begun oneself', async () => {
  const bot = await startTestBot({ script: () => says('Sure.') })
  const ana = await bot.chat.say('the first', { user: 'ana' })
  const ben = await bot.chat.say('the second', { user: 'ben' })
  const { text } = await command(bot, 'list mine', { conversation: ben.conversation, user: 'ana' })
  expect(text).toContain(`\`${short(ana.conversation)}\` the first`)
  expect(text).not.toContain('the second')
})

describe('resume', () => {
  const failing = () => startTestBot({ script: (_, number) => (number < 3 ? status(503) : says('Back.')) })

  test('continues here', async () => {
    const bot = await failing()
    const { conversation } = await bot.chat.say('hi')
    expect((await command(bot, '/resume', { conversation })).text).toBe('Continuing.')
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Back.')
    expect((await command(bot, '/resume', { conversation })).text).toContain('Nothing was interrupted there.')
  })

  test('continues in another thread of the channel, by the beginning of its id', async () => {
    const bot = await failing()
    const { conversation } = await bot.chat.say('hi')
    const here = await command(bot, `/resume ${short(conversation)}`)
    expect(here.conversation).not.toBe(conversation)
    expect(here.text).toBe('hi: Continuing.')
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Back.')
  })

  test.each([3, 4, 9])('accepts the first %i letters of an id, without a slash too', async (letters) => {
    const bot = await failing()
    const { conversation } = await bot.chat.say('hi')
    const { text } = await command(bot, `@bobbin resume ${conversation.slice(4, 4 + letters)}`, { conversation })
    expect(text).toBe('hi: Continuing.')
  })

  test('finds no thread of another channel, and asks if several match', async () => {
    const bot = await failing()
    const { conversation } = await bot.chat.say('hi', { project: 'sales' })
    const missed = await command(bot, `/resume ${conversation}`)
    expect(missed.text).toContain('No thread in this channel has an id that begins with')
    const several = await command(bot, `/resume ${missed.conversation.slice(4, 8)}`)
    expect(several.text).toContain('Several threads have an id that begins with')
    for (const { conversation: one } of [missed, several]) expect(several.text).toContain(short(one))
    expect(bot.model.requests).toHaveLength(3)
  })

  test('waits for a person where one is asked', async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' })] })
    const { conversation } = await bot.chat.say('paint')
    expect((await command(bot, '/resume', { conversation })).text).toBe(
      'That thread is waiting for an answer to its card.',
    )
  })
})

describe('reset', () => {
  test('the model no longer sees what was said; temp/ is empty, and the other files stay', async () => {
    const temp = calls('write_file', { path: 'temp/notes.txt', content: 'x' }, [
      'todo_write',
      { todos: [{ content: 'Find the key', status: 'pending', priority: 'high' }] },
    ])
    const bot = await startTestBot({ script: [temp, says('It is under the mat.'), says('Hello.')] })
    const { conversation } = await bot.chat.say('where is the key?', { files: { 'house.txt': 'a plan' } })
    expect(await filesOf(bot, conversation)).toContain('temp/notes.txt')
    expect((await command(bot, '/reset', { conversation })).text).toBe(
      'I’ve cleared the history of this thread. Its files are still there, except those in temp/.',
    )
    expect(await filesOf(bot, conversation)).toEqual(['uploads/house.txt'])
    expect((await bot.chat.say('hello', { conversation })).text).toBe('Hello.')
    expect(read(bot)).toContain('hello')
    expect(read(bot)).not.toMatch(/key|mat|house\.txt|notes/)
    const [reset] = ofType(await bot.chat.events(conversation), 'reset')
    expect(reset?.data.person.id).toBe('operator')
  })

  test('ends the turn, and forgets what was said into it and not read; a file that came with it stays', async () => {
    const bot = await startTestBot({
      script: ({ messages }) => (String(messages.at(-1)?.content).includes('talk') ? long : says('Hello.')),
    })
    const conversation = await running(bot, 'talk about the first secret')
    const [unread, withFile] = await Promise.all([
      bot.chat.send('the second secret', { conversation }),
      bot.chat.send('the third secret', { conversation, files: { 'c.txt': 'kept' } }),
    ])
    await command(bot, '/reset', { conversation })
    expect(ofType(await bot.chat.events(conversation), 'stopped')).toHaveLength(1)
    expect((await bot.chat.say('hello', { conversation })).text).toBe('Hello.')
    expect(read(bot)).not.toContain('secret')
    expect(await filesOf(bot, conversation)).toEqual(['uploads/c.txt'])
    await Promise.all([unread, withFile].map((response) => response.body?.cancel()))
  })

  test('a question that waits is withdrawn', async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' }), says('Hello.')] })
    const { conversation } = await bot.chat.say('paint')
    await command(bot, '/reset', { conversation })
    expect(await bot.chat.requests()).toEqual([])
    expect((await bot.chat.say('hello', { conversation })).text).toBe('Hello.')
    expect(read(bot)).not.toMatch(/paint|Which/)
  })
})

describe('messages whose turn has not begun yet', () => {
  /** The only turn that may run is another thread's. */
  async function behindAnother() {
    const bot = await startTestBot({
      script: (_, number) => (number === 0 ? long : says('Done.')),
      config: { engine: { turnsAtOnce: 1 } },
    })
    const busy = await running(bot)
    const response = await bot.chat.send('do something dangerous', { user: 'ana' })
    await response.body?.cancel()
    return { bot, busy, conversation: response.headers.get('x-conversation-id') ?? '' }
  }

  const free = ({ chat }: TestBot, busy: string) => chat.post(`/agent/conversations/${busy}/stop`)

  test('is stopped too: it is read with the next message only', async () => {
    const { bot, busy, conversation } = await behindAnother()
    const { text } = await command(bot, 'stop', { conversation, user: 'ben' })
    expect(text).toBe('Stopped.')
    await free(bot, busy)
    const { length } = await bot.chat.events(conversation)
    expect((await command(bot, 'stop', { conversation })).text).toBe('Nothing was running here.')
    expect((await bot.chat.events(conversation)).slice(length).map(({ type }) => type)).not.toContain('start')

    const { events } = await bot.chat.say('better this', { conversation, user: 'ana' })
    expect(ofType(events, 'complete')).toHaveLength(1)
    expect(bot.model.requests).toHaveLength(2)
    expect(read(bot)).toMatch(/do something dangerous\n.*better this/)
  })

  test('continues with resume', async () => {
    const { bot, busy, conversation } = await behindAnother()
    expect((await free(bot, conversation)).status).toBe(200)
    await free(bot, busy)
    await bot.chat.post(`/agent/conversations/${conversation}/resume`)
    await bot.chat.untilType(conversation, 'complete')
    expect(read(bot)).toContain('do something dangerous')
  })
})

test.each(['stop', '/stop', 'Stop!'])('%s ends the turn; where none runs, that is said', async (text) => {
  const bot = await startTestBot({ script: [long, says('Yes?')] })
  const conversation = await running(bot)
  expect((await command(bot, text, { conversation, user: 'ben' })).text).toBe('Stopped.')
  expect(ofType(await bot.chat.events(conversation), 'stopped')[0]?.data.person).toMatchObject({ id: 'ben' })
  expect((await command(bot, text, { conversation })).text).toBe('Nothing was running here.')
  expect((await bot.chat.say('hey', { conversation })).text).toBe('Yes?')
})

describe('retry', () => {
  test('answers once more what was answered, however often it is asked meanwhile', async () => {
    const answered = Promise.withResolvers<void>()
    const two = heldUntil(answered.promise, says('T w o'))
    const bot = await startTestBot({ script: [says('One.'), two, says('Three.')] })
    const { conversation } = await bot.chat.say('count')
    const answers = await Promise.all(
      ['/retry', '/retry', '/retry'].map((text) => command(bot, text, { conversation })),
    )
    answered.resolve()
    expect(answers.filter(({ text }) => text === 'Trying again.')).not.toEqual([])
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'T w o')
    expect(bot.model.requests).toHaveLength(2)
    expect(read(bot)).toContain('operator asks you to answer the last message again')
    const said = await eventually(async () => {
      const found = ofType(await bot.chat.events(conversation), 'message').flatMap(({ data }) =>
        data.role === 'assistant' && data.turn_id === undefined ? [data.text] : [],
      )
      expect(found).toHaveLength(3)
      return found
    })
    expect(said.toSorted()[0]).toMatch(/^I’m (still working on it|already on it)\.$/)
    expect(said.filter((text) => text === 'Trying again.')).toHaveLength(1)

    await command(bot, '/retry', { conversation })
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Three.')
  })

  test('tries again what failed', async () => {
    const bot = await startTestBot({ script: (_, number) => (number < 3 ? status(503) : says('Back.')) })
    const { conversation } = await bot.chat.say('hi')
    expect((await command(bot, '/retry', { conversation })).text).toBe('Trying again.')
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Back.')
  })

  test('continues what was stopped', async () => {
    const bot = await startTestBot({ script: [long, says('Here.')] })
    const conversation = await running(bot)
    await command(bot, 'stop', { conversation })
    expect((await command(bot, '/retry', { conversation })).text).toBe('Trying again.')
    await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Here.')
  })

  test('has nothing to try in a new thread, nor where a person is asked', async () => {
    const bot = await startTestBot({ script: [calls('ask_human', { question: 'Which?' })] })
    expect((await command(bot, '/retry')).text).toBe('There’s nothing to retry yet.')
    const { conversation } = await bot.chat.say('paint')
    expect((await command(bot, '/retry', { conversation })).text).toBe('I’m waiting for an answer to the card above.')
  })
})

test('files lists what was uploaded and made', async () => {
  const bot = await startTestBot({
    script: [
      calls('write_file', { path: 'outputs/a.txt', content: 'hello' }, [
        'write_file',
        { path: 'outputs/b`\n\n**c**.txt', content: 'hello' },
      ]),
      says('Done.'),
    ],
  })
  const { conversation } = await bot.chat.say('write', { files: { 'b.txt': '12345678' } })
  const list = [
    'The files of this thread:',
    '- `outputs/a.txt` (5 bytes)',
    '- `"outputs/b\'\\n\\n**c**.txt"` (5 bytes)',
    '- `uploads/b.txt` (8 bytes)',
  ]
  expect((await command(bot, '/files', { conversation })).text.split('\n')).toEqual(list)
  expect((await command(bot, '/files')).text).toBe('There are no files in this thread yet.')
})

test('a file that is too large to be posted is named as it is', async () => {
  const script = [calls('write_file', { path: 'outputs/*a* <b>.txt', content: 'hello' }), says('Done.')]
  const bot = await startMemoryBot({ script, config: { show: { fileBytes: 4 } } })
  const message = await bot.memory.say('ana', '@bobbin write')
  const answer = () => bot.memory.answers(message).at(-1)
  await bot.memory.eventually(() => expect(answer()).toContain('is too large to post here: 5 bytes.'))
  expect(answer()).toContain('(`outputs/*a* <b>.txt` is')
})

test('clean removes the files of idle threads of the channel in which nothing waits, but not its own', async () => {
  const day = 86_400_000
  let passed = 0
  const bot = await startTestBot({
    clock: { now: () => Date.now() + passed },
    // The hourly job would clean before the command does.
    config: { engine: { clockMs: 3_600_000 } },
    script: ({ messages }) => {
      const last = String(messages.at(-1)?.content)
      if (last.includes('[operator] ask')) return calls('ask_human', { question: 'Which?' })
      return last.includes('[operator] remind me')
        ? calls('alarm_set', { at: 'in 30 days', message: 'tea' })
        : says('Yes.')
    },
  })
  const files = { 'a.txt': 'hello' }
  const begin = async (text: string, project = 'general') => (await bot.chat.say(text, { files, project })).conversation
  const [idle, asked, reminded, used, own, sales] = [
    await begin('idle'),
    await begin('ask'),
    await begin('remind me'),
    await begin('used'),
    await begin('own'),
    await begin('sales', 'sales'),
  ]
  // A job that ends wakes those that are due, and the hourly ones will be.
  await cleaned(bot)
  passed = 8 * day
  expect((await bot.chat.requests()).map(({ conversation_id }) => conversation_id)).toEqual([asked])
  await bot.chat.say('again', { conversation: used })
  const { text } = await command(bot, '/clean', { conversation: own })
  expect(text).toMatch(/^I removed the files of one thread that was idle for 7 days \(\d+ bytes\)\.$/)
  expect((await command(bot, '/clean', { conversation: own })).text).toContain('Nothing to clean up')
  expect(await filesOf(bot, idle ?? '')).toEqual([])
  for (const one of [asked, reminded, used, own, sales])
    expect(await filesOf(bot, one ?? '')).toEqual(['uploads/a.txt'])
  expect((await bot.chat.say('still there?', { conversation: idle })).text).toBe('Yes.')
})

test('why tells the reasons of the channel: the latest, or that of one message', async () => {
  const bot = await startTestBot({ script: [] })
  expect((await command(bot, '/why')).text).toBe('I haven’t ignored any messages in this channel lately.')
  const store = await storeOf(bot)
  const ignored = (project: string, message: string, reason: string) =>
    ignoredIn({ platform: 'console', tenant: 'local', project }, message, reason)
  await store.transaction(async (tx) => {
    await insertIgnored(tx, ignored('general', '1700.1', 'It’s addressed to somebody else.'))
    await insertIgnored(tx, ignored('general', '1700.2', 'It doesn’t mention the bot.'))
    await insertIgnored(tx, ignored('sales', '1700.3', 'This person is not in the list.'))
  })
  const { text } = await command(bot, '/why')
  expect(text).toMatch(/UTC, Ana: It’s addressed to somebody else\./)
  expect(text).toContain('It doesn’t mention the bot.')
  expect(text).not.toContain('not in the list')
  expect((await command(bot, '/why 1700.1')).text).toMatch(
    /^[\d-]+ [\d:]+ UTC, Ana: It’s addressed to somebody else\.$/,
  )
  expect((await command(bot, '/why 1700.3')).text).toContain('I haven’t seen this message in this channel')
})

test('the same command delivered twice acts once, and is answered once', async () => {
  const bot = await startTestBot({ script: [says('One.'), says('Two.')] })
  const { conversation } = await bot.chat.say('count')
  const same = { conversation, key: 'retry-1' }
  await Promise.all([1, 2, 3].map(() => command(bot, '/retry', same)))
  await bot.chat.until(conversation, (event) => event.type === 'complete' && event.data.content === 'Two.')
  await command(bot, '/retry', same)
  const messages = ofType(await bot.chat.events(conversation), 'message').map(({ data }) => data)
  expect(messages.filter(({ text }) => text === '/retry')).toHaveLength(1)
  expect(messages.filter(({ text }) => text === 'Trying again.')).toHaveLength(1)
  expect(bot.model.requests).toHaveLength(2)
})

test('a command while a question waits is not its answer', async () => {
  const bot = await startTestBot({
    script: [calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] }), says('Blue it is.')],
  })
  const { conversation } = await bot.chat.say('paint')
  expect((await command(bot, '/files', { conversation })).text).toBe('There are no files in this thread yet.')
  expect(await bot.chat.requests()).toMatchObject([{ question: 'Which?', status: 'pending' }])
  expect((await bot.chat.say('blue', { conversation })).text).toBe('Blue it is.')
})
