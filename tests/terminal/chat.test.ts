import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { NewEvent } from '../../src/domain/events.ts'
import type { CallId, SessionId, TurnId } from '../../src/domain/ids.ts'
import { appendEvents } from '../../src/store/events.ts'
import { asked } from '../scenarios/trust.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { portOfItsOwn } from '../support/free-port.ts'
import { calls, says } from '../support/model-server.ts'
import { loseLastEvent, storeOf } from '../support/threads.ts'
import { eventually } from '../support/until.ts'
import { bobbinChat, chat, typed } from './running-chat.ts'

const onlyThread = async (bot: TestBot): Promise<string> =>
  (await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')).conversations[0]?.id ?? ''

/** The messages of the only thread, once it has an answer. */
async function saidIn(bot: TestBot): Promise<string[]> {
  const thread = await onlyThread(bot)
  await bot.chat.untilPosted(thread)
  return ofType(await bot.chat.events(thread), 'message').map(({ data }) => data.text)
}

const jsonHeaders = { 'content-type': 'application/json' }
const asksColour = calls('ask_human', { question: 'Which one?', options: [{ label: 'red' }, { label: 'blue' }] })
const runs = calls('run_command', { command: 'touch made' })

test('a script talks, answers a question and an approval, and its lines wait for each other', async () => {
  const bot = await startTestBot({ script: [asksColour, says('Blue it is.'), runs, says('Denied, then.')] })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['choose', '2', '@run_command touch it', 'n']) type(line)
  end()
  const { code, out } = await ended
  expect(out).toMatch(/\? Which one\?\n {4}1\) red\n {4}2\) blue\n/)
  expect(out).toMatch(/Answered by operator: blue[\s\S]*bobbin: Blue it is\./)
  expect(out).toMatch(
    /\? run_command needs approval[\s\S]*touch made[\s\S]*Denied by operator\.[\s\S]*bobbin: Denied, then\./,
  )
  expect(out.match(/Blue it is/g)).toHaveLength(1)
  expect(code).toBe(0)
})

test('of an approval that needs several people, each vote is shown, and whoever voted doesn’t wait for the others', async () => {
  const bot = await startTestBot({ script: [runs], config: { rules: asked({ needed: 2 }) } })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['@run_command touch it', 'y']) type(line)
  end()
  const { code, out } = await ended
  expect(out).toMatch(/0 of 2 so far[\s\S]*operator approved: 1 of 2\./)
  expect(code).toBe(1)
})

const runsTwo = calls('run_command', { command: 'touch first' }, ['run_command', { command: 'touch second' }])

test('what is said beside a question, or was begun before it was asked, doesn’t answer it; a file with words does', async () => {
  const bot = await startTestBot({ script: [says('Hello.'), asksColour, says('Thank you.')] })
  const { folder, type, write, out } = await chat(bot.chat.url, [], { terminal: true })
  await eventually(() => expect(out()).toContain('> '))
  type('hello')
  await eventually(() => expect(out()).toMatch(/bobbin: Hello\.[\s\S]*> $/))
  await writeFile(join(folder, 'a.txt'), 'more')
  type('/attach a.txt')
  await eventually(() => expect(out()).toContain('goes with your next message'))
  write('for la')
  await eventually(() => expect(out()).toMatch(/> for la$/))
  const conversation = await onlyThread(bot)
  await bot.chat.say('choose', { conversation, user: 'ana' })
  await eventually(() => expect(out()).toContain('Which one?'))
  type('ter')
  type('/say wait for me')
  await eventually(async () =>
    expect(ofType(await bot.chat.events(conversation), 'message').map(({ data }) => data.text)).toEqual(
      expect.arrayContaining(['for later', 'wait for me']),
    ),
  )
  expect(await bot.chat.requests()).toHaveLength(1)

  await writeFile(join(folder, 'b.txt'), 'blue')
  type('/attach b.txt')
  await eventually(() => expect(out()).toMatch(/b\.txt .*goes with your next message/))
  type('this one')
  await eventually(() => expect(out()).toContain('bobbin: Thank you.'))
  const [answered] = ofType(await bot.chat.events(conversation), 'question_answered')
  expect(answered?.data.answer).toContain('this one')
})

test('one approval is shown at a time, and what is typed answers the one that is shown', async () => {
  const bot = await startTestBot({ script: [runsTwo, says('Done.')] })
  const { type, end, ended, out } = await chat(bot.chat.url)
  type('@run_command touch them')
  await eventually(() => expect(out()).toContain('touch first'))
  await eventually(async () => expect((await bot.chat.requests()).length).toBe(2))
  expect(out()).not.toContain('touch second')
  type('n')
  await eventually(() => expect(out()).toMatch(/run_command: Denied by operator\.[\s\S]*touch second/))
  type('y')
  end()
  expect((await ended).out).toMatch(/run_command: Approved by operator\.[\s\S]*bobbin: Done\./)
  expect(ofType(await bot.chat.events(await onlyThread(bot)), 'act').map(({ data }) => data.tool_input)).toMatchObject([
    { command: 'touch second' },
  ])
})

test('a line that was begun before the request above it changed is held back until Enter', async () => {
  const bot = await startTestBot({ script: [runsTwo, says('Done.')] })
  const { type, write, out } = await chat(bot.chat.url, [], { terminal: true })
  await eventually(() => expect(out()).toContain('> '))
  type('@run_command touch them')
  await eventually(() => expect(out()).toContain('touch first'))
  write('y')
  await eventually(() => expect(out()).toMatch(/> y$/))
  await eventually(async () => expect((await bot.chat.requests()).length).toBe(2))
  const asked = ofType(await bot.chat.events(await onlyThread(bot)), 'permission_asked')
  const [first = '', second] = asked.map(({ data }) => data.request_id)
  await bot.chat.answer(first, { decision: 'deny', user_id: 'ana' })
  await eventually(() => expect(out()).toMatch(/run_command: Denied by ana\.[\s\S]*touch second[\s\S]*> y$/))
  write('\n')
  await eventually(() => expect(out()).toContain('“y” wasn’t sent'))
  expect(await bot.chat.requests()).toMatchObject([{ id: second }])
  write('\n')
  await eventually(() => expect(out()).toMatch(/run_command: Approved by operator\./))
})

test('a paste of several lines is one message, which Enter sends, and the terminal is left as it was', async () => {
  const bot = await startTestBot({ script: [says('Thank you.')] })
  const { write, out, ended } = await chat(bot.chat.url, [], { terminal: true })
  await eventually(() => expect(out()).toContain('> '))
  write('so: \x1b[200~first\rls \\\rthird\r\x1b[201~')
  await eventually(() => expect(out()).toMatch(/> so: first\s+ls \\\s[\s\S]*third\s[\s\S]*> $/))
  write('end\r')
  await eventually(() => expect(out()).toContain('bobbin: Thank you.'))
  expect(await saidIn(bot)).toEqual(['so: first\nls \\\nthird\nend', 'Thank you.'])
  expect(out()).not.toContain('operator: ')
  write('\x1b[200~not\rthis\x1b[201~')
  await eventually(() => expect(out()).toMatch(/not\s[\s\S]*> this$/))
  write('\x03')
  await eventually(() => expect(out()).toMatch(/Discarded\.[\s\S]*> $/))
  write('\x03')
  const { out: all } = await ended
  expect(all.split('\x1b[?2004h')).toHaveLength(2)
  expect(all.split('\x1b[?2004h')[1]).toContain('\x1b[?2004l')
})

test('after Ctrl-Z it goes on', async () => {
  const bot = await startTestBot()
  const shell = { terminal: true, program: ['bash', '--norc', '-i'] }
  const { type, write, out } = await chat(bot.chat.url, [], shell)
  type(typed(bobbinChat))
  await eventually(() => expect(out()).toMatch(/> $/))
  write('\x1a')
  await eventually(() => expect(out()).toContain('Stopped'))
  type('fg')
  await eventually(() => expect(out()).toMatch(/fg\s[\s\S]*> /))
  type('/help')
  await eventually(() => expect(out()).toMatch(/\/attach <path>|No such file/))
  expect(out()).toContain('/attach <path>')
})

test.each([
  ['words', ['blue']],
  ['a file with words', ['/attach a.txt', 'blue']],
])('a script that opens a thread that waits for an answer answers with %s', async (_what, lines) => {
  const bot = await startTestBot({ script: [asksColour, says('Thank you.')] })
  const { conversation } = await bot.chat.say('choose')
  const { folder, type, end, ended } = await chat(bot.chat.url, ['last'])
  await writeFile(join(folder, 'a.txt'), 'more')
  for (const line of lines) type(line)
  end()
  const { code, out } = await ended
  expect(ofType(await bot.chat.events(conversation), 'question_answered')).toHaveLength(1)
  expect(out).toContain('bobbin: Thank you.')
  expect(code).toBe(0)
})

/** What stands in for a Bobbin with a thread that asks which colour, whose events come late. Returns what is sent to it. */
async function startLateQuestion(): Promise<{ url: string; sent: string[] }> {
  const options = ['red', 'blue'].map((label, index) => ({ id: `option_${index + 1}`, label }))
  const question = { request_id: 'req_1', question: 'Which one?', options, required: true, multiple: false }
  const at = { timestamp: '', conversation_id: 'ses_1' }
  const events = [
    { event_id: 1, type: 'question_asked', ...at, data: question },
    { event_id: 2, type: 'warning', ...at, data: { message: 'Still waiting.' } },
    { event_id: 3, type: 'complete', ...at, data: { turn_id: 'turn_1', content: 'Blue it is.', files: [], steps: 1 } },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const sent: string[] = []
  const answered = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.method === 'POST') {
      sent.push(`${request.url} ${request.url?.endsWith('/answer') ? body : ''}`)
      answered.resolve()
      response.setHeader('x-conversation-id', 'ses_1')
      return response.end('{"request":{"status":"answered"}}')
    }
    if (!request.url?.endsWith('/stream'))
      return response.end('{"id":"ses_1","title":"choose","state":"waiting_permission","last_sequence":2}')
    response.write(': \n\n')
    await setTimeout(500)
    response.write(events.slice(0, 1).join(''))
    await setTimeout(500)
    response.write(events.slice(1, 2).join(''))
    await answered.promise
    return response.write(events.slice(2).join(''))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent }
}

test('a script’s first line waits until the thread’s question has come, and answers it', async () => {
  const { url, sent } = await startLateQuestion()
  const { type, end, ended } = await chat(url, ['ses_000000000000000000001'])
  for (const line of ['2', '/quit']) type(line)
  end()
  expect((await ended).out).toMatch(/Which one\?[\s\S]*bobbin: Blue it is\./)
  expect(sent).toEqual(['/api/v1/requests/req_1/answer {"answer":"2"}'])
})

test('a script goes on in a thread whose last event was deleted once it was old', async () => {
  const bot = await startTestBot({ script: [says('Hello.'), says('Hello again.')] })
  const { conversation } = await bot.chat.say('hello')
  await loseLastEvent(bot, conversation)
  const { type, end, ended } = await chat(bot.chat.url, [conversation])
  type('again')
  end()
  expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('bobbin: Hello again.') })
})

test('what a script ends with is sent, also if its last line ends with a backslash', async () => {
  const bot = await startTestBot({ script: [says('Nothing.')] })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['list what is in\\', 'C:\\temp\\']) type(line)
  end()
  const { code, out } = await ended
  expect(out).toContain('bobbin: Nothing.')
  expect(code).toBe(0)
  expect(await saidIn(bot)).toEqual(['list what is in\nC:\\temp\\', 'Nothing.'])
})

test('what is typed picks an option as everywhere else: by its label before its number, and one where one is asked', async () => {
  const counts = { question: 'How many?', options: ['5', '3', '1'].map((label) => ({ label })) }
  const several = { ...counts, multiple: true }
  const script = [calls('ask_human', counts), calls('ask_human', counts), calls('ask_human', several), says('Done.')]
  const bot = await startTestBot({ script })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['choose', '3', '2, 3', '1, 2']) type(line)
  end()
  expect((await ended).out).toContain('bobbin: Done.')
  const answers = ofType(await bot.chat.events(await onlyThread(bot)), 'question_answered')
  expect(answers.map(({ data }) => data.answer)).toEqual(['3', '2, 3', '1, 3'])
})

test('a script that ends while Bobbin waits for a person ends with 1', async () => {
  const bot = await startTestBot({ script: [asksColour] })
  const { type, end, ended } = await chat(bot.chat.url)
  type('choose')
  end()
  expect((await ended).code).toBe(1)
})

test.each([
  ['/attach nowhere.txt', 'nowhere.txt'],
  ['/get nothing.txt', 'no files'],
  ['/atach a.txt', '/atach'],
])('a script with %s goes on, and ends with 1', async (line, said) => {
  const bot = await startTestBot({ script: [says('Hello.')] })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const one of [line, 'hello']) type(one)
  end()
  const { code, out } = await ended
  expect(out).toMatch(new RegExp(`${said}[\\s\\S]*bobbin: Hello\\.`))
  expect(code).toBe(1)
})

test('a script whose message couldn’t be sent ends with 1, unless it sends it again', async () => {
  const { start } = await openPlace({ script: [says('One.'), says('Two.')], environment: await portOfItsOwn() })
  const first = await start()
  const [gaveUp, sentAgain] = [await chat(first.chat.url), await chat(first.chat.url)]
  for (const { type, out } of [gaveUp, sentAgain]) {
    type('hello')
    await eventually(() => expect(out()).toMatch(/bobbin: (One|Two)\./))
  }
  first.signal('SIGKILL')
  await first.ended
  for (const { type, out } of [gaveUp, sentAgain]) {
    type('again')
    await eventually(() => expect(out()).toContain('Press Enter to send it again.'))
  }
  gaveUp.end()
  expect((await gaveUp.ended).code).toBe(1)
  await start()
  sentAgain.type('')
  sentAgain.end()
  expect((await sentAgain.ended).code).toBe(0)
})

test('a script goes on after a message that was refused, and ends with 1', async () => {
  const bot = await startTestBot({ script: [says('Hello.')], config: { uploads: { fileBytes: 10 } } })
  const { folder, type, end, ended } = await chat(bot.chat.url)
  await writeFile(join(folder, 'a.txt'), 'more than ten bytes')
  for (const line of ['/attach a.txt', 'look', 'hello']) type(line)
  end()
  const { code, out } = await ended
  expect(out).toMatch(/Press Enter to send it again\.[\s\S]*bobbin: Hello\./)
  expect(code).toBe(1)
})

test('files go there and back, and nothing is written over', async () => {
  const bot = await startTestBot({ script: [says('Thank you.')] })
  const { folder, type, end, ended } = await chat(bot.chat.url)
  await writeFile(join(folder, 'a b.txt'), 'from here')
  for (const line of [
    '/attach "a b.txt"',
    'look',
    '/files',
    '/get "uploads/a b.txt"',
    '/get "uploads/a b.txt" back.txt',
  ])
    type(line)
  end()
  const { out } = await ended
  expect(out).toContain('uploads/a b.txt (9 bytes)')
  expect(out).toContain('a b.txt is already here.')
  expect(await readFile(join(folder, 'back.txt'), 'utf8')).toBe('from here')
})

test('what a model says cannot move the cursor', async () => {
  const bot = await startTestBot({ script: [says('before \u001b[2J\u202e after')] })
  const { type, end, ended } = await chat(bot.chat.url)
  type('hello')
  end()
  expect((await ended).out).toContain('bobbin: before \\u{1b}[2J\\u{202e} after')
})

test('a lost connection goes on after its last event, and nothing is shown twice', async () => {
  const { start } = await openPlace({ script: [says('One.'), says('Two.')], environment: await portOfItsOwn() })
  const first = await start()
  const { type, out } = await chat(first.chat.url, [], { terminal: true })
  await eventually(() => expect(out()).toContain('> '))
  type('hello')
  await eventually(() => expect(out()).toContain('bobbin: One.'))
  first.signal('SIGKILL')
  await eventually(() => expect(out()).toContain('The connection was lost'))
  type('again')
  await eventually(() => expect(out()).toContain('Press Enter to send it again.'))
  await start()
  await eventually(() => expect(out()).toContain('Connected again.'))
  type('')
  await eventually(() => expect(out()).toContain('bobbin: Two.'))
  expect(out().match(/bobbin: One\./g)).toHaveLength(1)
})

/** What stands in for a Bobbin: its event streams answer with these statuses in turn, and the last of them ends the turn. */
async function startStreams(...statuses: number[]): Promise<string> {
  const said = { turn_id: 'turn_1', content: 'Here again.', files: [], steps: 1 }
  const complete = { event_id: 1, type: 'complete', timestamp: '', conversation_id: 'ses_1', data: said }
  let streams = 0
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('x-conversation-id', 'ses_1')
    if (!request.url?.endsWith('/stream')) return response.end('{"projects":[]}')
    response.statusCode = statuses[streams++] ?? 404
    const isLast = streams === statuses.length
    return response.end(isLast && response.statusCode === 200 ? `data: ${JSON.stringify(complete)}\n\n` : '')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a proxy that fails for a while ends nothing; whoever may not read the thread any more is told so, and a script ends', async () => {
  const passing = await chat(await startStreams(200, 503, 200))
  passing.type('hello')
  passing.end()
  expect((await passing.ended).out).toMatch(/Connected again\.\)\nbobbin: Here again\./)
  const refused = await chat(await startStreams(200, 403))
  refused.type('hello')
  refused.end()
  expect(await refused.ended).toMatchObject({ code: 1, out: expect.stringContaining('(403)') })
})

test('a thread is listed, and goes on with its history', async () => {
  const bot = await startTestBot({ script: [says('One.'), says('Two.')] })
  const { conversation } = await bot.chat.say('first words')
  const listing = await chat(bot.chat.url, ['--list'])
  expect((await listing.ended).out).toMatch(new RegExp(`^${conversation} .* first words\n$`))
  const shown = conversation.slice('ses_'.length, 'ses_'.length + 14)
  const { type, end, ended } = await chat(bot.chat.url, [shown])
  type('more')
  end()
  expect((await ended).out).toMatch(/operator: first words[\s\S]*One\.[\s\S]*bobbin: Two\./)
})

test('`last` is the thread that was used last, and a pinned one isn’t', async () => {
  const bot = await startTestBot({ script: [says('One.'), says('Two.'), says('Three.')] })
  const { conversation: pinned } = await bot.chat.say('keep this')
  const { conversation: latest } = await bot.chat.say('newer words')
  const path = `${bot.chat.url}/api/v1/agent/conversations/${pinned}`
  await fetch(path, { method: 'PATCH', headers: jsonHeaders, body: JSON.stringify({ pinned: true }) })
  const { type, end, ended } = await chat(bot.chat.url, ['last'])
  type('more')
  end()
  expect((await ended).out).toMatch(/operator: newer words[\s\S]*bobbin: Three\./)
  const listed = (await (await chat(bot.chat.url, ['--list'])).ended).out
  expect(listed.indexOf(latest)).toBeLessThan(listed.indexOf(pinned))
})

test('with a channel, `last` and the list are about its threads, and nothing goes on in another one', async () => {
  const bot = await startTestBot({ script: [says('One.'), says('Two.'), says('Three.')] })
  const { conversation: ops } = await bot.chat.say('the first report', { project: 'ops' })
  const { conversation: general } = await bot.chat.say('a chat')
  const listed = (await (await chat(bot.chat.url, ['--list', '--project', 'ops'])).ended).out
  expect([listed.includes(ops), listed.includes(general)]).toEqual([true, false])
  const { type, end, ended } = await chat(bot.chat.url, ['last', '--project', 'ops'])
  type('the nightly report')
  end()
  expect((await ended).out).toMatch(/the first report[\s\S]*bobbin: Three\./)
  for (const args of [
    ['last', '--project', 'sales'],
    [general, '--project', 'ops'],
  ]) {
    const other = await chat(bot.chat.url, args)
    other.end()
    expect((await other.ended).code).toBe(1)
  }
  const body = JSON.stringify({ message: 'hi', conversation_id: general, project_id: 'ops' })
  const answer = await fetch(`${bot.chat.url}/api/v1/agent/chat`, { method: 'POST', headers: jsonHeaders, body })
  expect([answer.status, JSON.stringify(await answer.json())]).toEqual([400, expect.stringContaining('in general')])
})

test('a card that has waited since before all that is shown of its thread is shown, and answered', async () => {
  const bot = await startTestBot({ script: [runs, says('It is made.')] })
  const { conversation } = await bot.chat.say('@run_command touch it')
  const [{ call_id, turn_id } = { call_id: '', turn_id: '' }] = ofType(
    await bot.chat.events(conversation),
    'permission_asked',
  ).map(({ data }) => data)
  const output = Array.from(
    { length: 250 },
    (): NewEvent => ({
      type: 'output',
      data: { turn_id: turn_id as TurnId, call_id: call_id as CallId, text: 'x' },
    }),
  )
  const store = await storeOf(bot)
  await store.transaction((tx) => appendEvents(tx, conversation as SessionId, output))
  const { type, end, ended } = await chat(bot.chat.url, [conversation])
  type('y')
  end()
  const { code, out } = await ended
  expect(out).toMatch(/\? run_command needs approval[\s\S]*bobbin: It is made\./)
  expect(out).not.toContain('denied at')
  expect(code).toBe(0)
})

test('before it approves a script, it shows what is in it; a no says why, and `a` allows exactly this for a day', async () => {
  const script = calls('write_file', { path: 'temp/a.sh', content: 'echo first\necho second\n' })
  const run = calls('run_command', { command: 'sh temp/a.sh' })
  const bot = await startTestBot({ script: [script, run, says('Denied, then.'), run, says('Done.')] })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['@run_command run it', 'n too early', 'now', 'a']) type(line)
  end()
  const { code, out } = await ended
  expect(out).toMatch(/temp\/a\.sh:\n {4}echo first\n {4}echo second\n[\s\S]*\? run_command needs approval/)
  expect(out).toContain('bobbin: Done.')
  expect(code).toBe(0)
  const replies = ofType(await bot.chat.events(await onlyThread(bot)), 'permission_replied')
  expect(replies.map(({ data }) => data)).toMatchObject([
    { decision: 'deny', reason: 'too early' },
    { decision: 'approve', always: { pattern: 'exact', scope: 'thread', forMs: 86_400_000 } },
  ])
})

test('`a` is offered and taken only where exactly this call can always be allowed', async () => {
  const bot = await startTestBot({
    script: [runs, says('Denied, then.')],
    config: { rules: asked({ needed: 2 }) },
  })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['@run_command touch it', 'a', 'n']) type(line)
  end()
  const { code, out } = await ended
  expect(out).not.toMatch(/always allow/)
  expect(out).toMatch(/! That can’t always be allowed\.[\s\S]*Denied by operator\.[\s\S]*Denied, then\./)
  expect(code).toBe(1)
})

test('`a` isn’t offered for a command that may do something else next time', async () => {
  const bot = await startTestBot({ script: [calls('run_command', { command: 'touch "$(date +%s)"' }), says('Done.')] })
  const { type, end, ended } = await chat(bot.chat.url)
  for (const line of ['@run_command touch it', 'a', 'y']) type(line)
  end()
  expect((await ended).out).toMatch(/\n {2}Type y to approve, n to deny[\s\S]*! That can’t always[\s\S]*bobbin: Done\./)
})

test('without a Bobbin, with a wrong address and with a missing token it says what to do', async () => {
  const bot = await startTestBot({ environment: { BOBBIN_HOST: '0.0.0.0' } })
  const { origin } = new URL(bot.chat.url)
  expect(await (await chat('http://127.0.0.1:1')).ended).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^No Bobbin answers at http:\/\/127\.0\.0\.1:1 .*bobbin start/),
  })
  expect((await (await chat('nowhere')).ended).error).toMatch(/^BOBBIN_URL is "nowhere"\./)
  expect((await (await chat(origin)).ended).error).toMatch(/needs a token\. Set BOBBIN_TOKEN/)
  expect((await (await chat(origin, [], { token: 'x' })).ended).error).toMatch(/isn’t valid, or was revoked\./)
})
