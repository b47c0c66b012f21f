import { describe, expect, test } from 'vitest'
import { newId } from '../../src/domain/ids.ts'
import type { Request } from '../../src/domain/request.ts'
import type { Job } from '../../src/jobs/kind.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { liveTextsHere } from '../../src/outbound/live-texts.ts'
import { appendEvents } from '../../src/store/events.ts'
import { insertInbox } from '../../src/store/inbox.ts'
import { stopTurn } from '../../src/turn/state/stop.ts'
import { unfinishedOutputs } from '../../src/turn/state/unfinished-outputs.ts'
import { family, long } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { type MemoryBot, type Message, pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, hang, heldUntil, says, status } from '../support/model-server.ts'
import { turnServices } from '../support/services.ts'
import { ana, newSession, openStore } from '../support/store.ts'
import { minute } from './trust.ts'

const write = calls('write_file', { path: 'outputs/draft.md', content: 'a draft' })
const question = { question: 'Is this draft all right?' }
const approve = { kind: 'approval', answer: { decision: 'approve' } } as const
const draft = { 'draft.md': 'a draft' }

/** What the bot's messages show, oldest first: the words or the kind, and the files. */
const shown = ({ memory }: MemoryBot, message: Message) =>
  memory
    .shown(message)
    .map(pageOf)
    .map((page) => (page.kind === 'answer' ? [page.text, page.files] : [page.kind]))

const untilShown = (bot: MemoryBot, message: Message, ...pages: unknown[]) =>
  bot.memory.eventually(() => expect(shown(bot, message)).toEqual(pages))

/** What is to be posted a second after a stop. */
const posting = ({ rows }: MemoryBot) => rows("select id from jobs where kind = 'post outputs'")

describe('files that a turn has made are posted', () => {
  test('above a question, and not again with the answer, nor after a crash', async () => {
    const bot = await startMemoryBot({ script: [write, calls('ask_human', question), says('Good.'), says('Yes.')] })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    const request = await bot.memory.untilCard(asked)
    await untilShown(bot, asked, ['', draft], ['card'])
    await bot.crashAs()
    await bot.memory.click('ana', request, { kind: 'question', answer: 'yes' })
    await untilShown(bot, asked, ['', draft], ['card'], ['Good.', {}])
    await bot.memory.say('ana', '@bobbin really?', { in: asked })
    await untilShown(bot, asked, ['', draft], ['card'], ['Good.', {}], ['Yes.', {}])
  })

  test('before people answer, also if they are made in the step that asks', async () => {
    const bot = await startMemoryBot({
      script: [calls('ask_human', question, ['write_file', { path: 'outputs/draft.md', content: 'a draft' }])],
    })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await bot.memory.untilCard(asked)
    await untilShown(bot, asked, ['card'], ['', draft])
  })

  test('once, when the calls of the step that asks have changed them', async () => {
    const bot = await startMemoryBot({
      script: [
        write,
        calls('ask_human', question, ['write_file', { path: 'outputs/draft.md', content: 'a better one' }]),
      ],
    })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await bot.memory.untilCard(asked)
    await untilShown(bot, asked, ['card'], ['', { 'draft.md': 'a better one' }])
  })

  test('before people approve a call, and those that have changed since with the answer', async () => {
    const improve = (version: number): [string, unknown] => [
      'write_file',
      { path: 'outputs/draft.md', content: `version ${version}` },
    ]
    const bot = await startMemoryBot({
      config: { rules: { tools: { list_files: { approvals: true, mode: 'confirm', risk: 'medium' } } } },
      script: [
        write,
        calls('list_files', { path: 'temp' }),
        calls('list_files', { path: 'uploads' }, improve(2)),
        calls('list_files', { path: 'outputs' }, improve(3)),
        says('Done.'),
      ],
    })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    const cards = () => bot.memory.cards(asked)
    for (const count of [1, 2, 3]) {
      await bot.memory.eventually(() => expect(cards()).toHaveLength(count))
      await bot.memory.click('ana', cards().at(-1) as Request, approve)
    }
    await bot.memory.untilAnswered(asked, '', 'Done.')
    const posted = shown(bot, asked).map(([, files]) => files)
    expect(posted.filter((files) => files !== undefined)).toEqual([draft, { 'draft.md': 'version 3' }])
  })

  test('not before people answer a subagent, while others may be writing', async () => {
    const [isAsked, isSeen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const script = family(
      [
        calls(
          'delegate_task',
          { task: 'ask' },
          ['delegate_task', { task: 'look' }],
          ['delegate_task', { task: 'go on' }],
        ),
        says('Put together.'),
      ],
      [
        (task) => (task === 'ask' ? write : heldUntil((task === 'look' ? isAsked : isSeen).promise, says(long(task)))),
        () => calls('ask_human', question),
        () => says(long('asked')),
      ],
    )
    const bot = await startMemoryBot({ script })
    const asked = await bot.memory.say('ana', '@bobbin go')
    const request = await bot.memory.untilCard(asked)
    isAsked.resolve()
    // The turn has seen that one has ended, and waits again.
    await bot.memory.eventually(() => {
      const ended = "select state from calls where tool = 'delegate_task' and state = 'done'"
      expect(bot.rows(ended)).toHaveLength(1)
      expect(bot.rows("select state from turns where state = 'running'")).toHaveLength(1)
    })
    await bot.memory.click('ana', request, { kind: 'question', answer: 'yes' })
    isSeen.resolve()
    await untilShown(bot, asked, ['card'], ['Put together.', draft])
  })

  test('with what is said when another message has arrived', async () => {
    const held = Promise.withResolvers<void>()
    const bot = await startMemoryBot({ script: [write, heldUntil(held.promise, says('Here it is.')), says('Hello.')] })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await bot.memory.say('ben', '@bobbin hello', { in: asked })
    held.resolve()
    await untilShown(bot, asked, ['Here it is.', draft], ['Hello.', {}])
  })

  test('after a stop, once, although the process dies', async () => {
    const bot = await startMemoryBot({ script: [write, hang(), says('Hello.')] })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await bot.memory.say('ana', '@bobbin stop', { in: asked })
    await bot.crashAs()
    await bot.memory.eventually(() => expect(shown(bot, asked)).toContainEqual(['', draft]))
    await bot.memory.say('ana', '@bobbin hello', { in: asked })
    await bot.memory.eventually(() => expect(shown(bot, asked).at(-1)).toEqual(['Hello.', {}]))
    expect(
      shown(bot, asked).filter(([, files]) => files === draft || Object.keys(files ?? {}).length > 0),
    ).toHaveLength(1)
  })

  test('after a failure', async () => {
    const bot = await startMemoryBot({ script: [write, status(400), says('Hello.')] })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await untilShown(bot, asked, [expect.stringContaining('I couldn’t continue'), {}], ['', draft])
    await bot.memory.say('ana', '@bobbin hello', { in: asked })
    await bot.memory.eventually(() => expect(shown(bot, asked).at(-1)).toEqual(['Hello.', {}]))
  })

  test('by the next turn, if one has begun when a stop would post them', async () => {
    const held = Promise.withResolvers<void>()
    let now = Date.now()
    const bot = await startMemoryBot({
      script: [write, hang(), heldUntil(held.promise, says('Hello.'))],
      clock: { now: () => now },
    })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await bot.memory.say('ana', '@bobbin stop', { in: asked })
    await bot.memory.say('ana', '@bobbin hello', { in: asked })
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(3))
    now += minute
    await bot.memory.eventually(() => expect(posting(bot)).toEqual([]))
    held.resolve()
    await bot.memory.eventually(() => expect(shown(bot, asked).at(-1)).toEqual(['Hello.', draft]))
  })

  test('after a second stop, if a turn had begun that has taken no step', async () => {
    let now = Date.now()
    const bot = await startMemoryBot({ script: [write, hang(), hang()], clock: { now: () => now } })
    const asked = await bot.memory.say('ana', '@bobbin write a draft')
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
    await bot.memory.say('ana', '@bobbin stop', { in: asked })
    await bot.memory.say('ana', '@bobbin hello', { in: asked })
    await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(3))
    now += minute
    await bot.memory.eventually(() => expect(posting(bot)).toEqual([]))
    await bot.memory.say('ana', '@bobbin stop', { in: asked })
    await bot.memory.eventually(() => expect(posting(bot)).toHaveLength(1))
    now += minute
    await bot.memory.eventually(() => expect(shown(bot, asked)).toContainEqual(['', draft]))
  })
})

test('files that a turn has made aren’t posted after its end in a thread that somebody deletes', async () => {
  const now = Date.now()
  const bot = await startMemoryBot({ script: [write, hang()], clock: { now: () => now } })
  const asked = await bot.memory.say('ana', '@bobbin write a draft')
  await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  await bot.memory.deleteThread(asked.thread)
  expect(bot.rows('select state from turns')).toEqual([{ state: 'stopped' }])
  expect(posting(bot)).toEqual([])
})

test('screens are told of files that are posted before the end', async () => {
  const bot = await startTestBot({ script: [write, calls('ask_human', question)] })
  const { conversation } = await bot.chat.say('write a draft')
  expect((await bot.chat.untilPosted(conversation)).data).toMatchObject({ files: [{ path: 'outputs/draft.md' }] })
})

test('if two processes look for what a stopped turn has left at the same time, it is posted once', async () => {
  const store = await openStore()
  const session = await newSession(store)
  await store.transaction(async (tx) => {
    const eventId = await appendEvents(tx, session.id, [])
    const payload = { person: ana, text: 'hello', files: [] }
    await insertInbox(tx, session.id, { dedupKey: 'hello', kind: 'message', payload, eventId })
    await stopTurn(tx, session.id, ana, liveTextsHere(systemClock))
  })
  const services = await turnServices(store)
  const workspace = await services.workspaces.open(session)
  await workspace.write('outputs/draft.md', 'a draft')
  const { input } = await store.db.selectFrom('jobs').select('input').executeTakeFirstOrThrow()
  const { promise: bothLooked, resolve } = Promise.withResolvers<void>()
  let looked = 0
  const save: Job['save'] = async (_, along) => {
    if (++looked === 2) resolve()
    await bothLooked
    await store.transaction(async (tx) => along?.(tx))
  }
  const { signal } = new AbortController()
  const rest = { id: newId('job', 0), owner: session.id, checkpoint: undefined, signal, save }
  const post = () => unfinishedOutputs(services).run({ ...rest, input: JSON.parse(input) })
  await Promise.all([post(), post()])
  const posted = await store.db.selectFrom('outbox').select('payload').where('kind', '=', 'answer').execute()
  expect(posted.map(({ payload }) => JSON.parse(payload))).toMatchObject([{ files: [{ path: 'outputs/draft.md' }] }])
})
