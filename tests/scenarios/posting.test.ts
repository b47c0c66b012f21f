import { describe, expect, test } from 'vitest'
import { type MemoryBot, type Message, pageBreak, pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const hour = 3_600_000
const three = ['one', 'two', 'three']
const pages = says(three.join(pageBreak))

const warnings = (bot: MemoryBot) =>
  bot.rows("select data from events where type = 'warning'").map(({ data }) => `${data}`)

/** The bot's messages have come in this order. */
const inOrder = ({ memory }: MemoryBot, message: Message) => memory.shown(message).map(({ key }) => key?.slice(-2))

describe('an answer of several pages', () => {
  test('is posted page by page, its files on the last', async () => {
    const bot = await startMemoryBot({
      script: [calls('write_file', { path: 'outputs/a.txt', content: 'made' }), pages],
    })
    const asked = await bot.memory.say('ana', '@bobbin count')
    await bot.memory.untilAnswered(asked, ...three)
    await bot.settled()
    expect(inOrder(bot, asked)).toEqual(['.0', '.1', '.2'])
    const files = bot.memory.shown(asked).map((message) => {
      const page = pageOf(message)
      return page.kind === 'answer' ? page.files : {}
    })
    expect(files).toEqual([{}, {}, { 'a.txt': 'made' }])
    expect(bot.memory.misbehave.callsTo('post')).toHaveLength(3)
    expect(bot.memory.misbehave.callsTo('find')).toEqual([])
  })

  for (const page of [0, 1, 2]) {
    for (const how of ['failBefore', 'failAfter'] as const) {
      test(`page ${page}, whose post ${how === 'failBefore' ? 'failed' : 'arrived although it failed'}, stands there once`, async () => {
        const bot = await startMemoryBot({ script: [pages] })
        bot.memory.hurry = 500
        bot.memory.misbehave[how]('post', { fits: ({ key }) => key?.endsWith(`.${page}`) === true })
        const asked = await bot.memory.say('ana', '@bobbin count')
        await bot.memory.untilAnswered(asked, ...three)
        await bot.settled()
        expect(inOrder(bot, asked)).toEqual(['.0', '.1', '.2'])
        const looked = bot.memory.misbehave.callsTo('find').map(({ key }) => key?.slice(-2))
        expect(looked).toEqual([`.${page}`])
      })
    }

    test(`the process dies while page ${page} is on its way: it stands there once after the restart`, async () => {
      const bot = await startMemoryBot({ script: [pages] })
      const held = bot.memory.misbehave.hold('post', {
        done: true,
        fits: ({ key }) => key?.endsWith(`.${page}`) === true,
      })
      const asked = await bot.memory.say('ana', '@bobbin count')
      await bot.memory.eventually(() => expect(held.waiting).toBe(1))
      bot.memory.misbehave.calm()
      await bot.crashAs()
      await bot.memory.untilAnswered(asked, ...three)
      await bot.settled()
      expect(inOrder(bot, asked)).toEqual(['.0', '.1', '.2'])
    })
  }

  test('everything that can go wrong goes wrong, and each page is posted once', async () => {
    const bot = await startMemoryBot({ script: [pages] })
    bot.memory.hurry = 500
    bot.memory.misbehave.failAfter('post', { fits: ({ key }) => key?.endsWith('.0') === true })
    bot.memory.misbehave.failBefore('find')
    bot.memory.misbehave.failBefore('edit')
    bot.memory.misbehave.refuse('post', 'later', { afterMs: 1, fits: ({ key }) => key?.endsWith('.1') === true })
    bot.memory.misbehave.failBefore('post', { fits: ({ key }) => key?.endsWith('.2') === true })
    const asked = await bot.memory.say('ana', '@bobbin count')
    await bot.memory.untilAnswered(asked, ...three)
    await bot.settled()
    expect(inOrder(bot, asked)).toEqual(['.0', '.1', '.2'])
  })
})

describe('rows as a crash leaves them', () => {
  const undelivered = "update outbox set state = 'pending', delivered_at = null, attempts = 1"
  const answered = async (bot: MemoryBot) => {
    const asked = await bot.memory.say('ana', '@bobbin count')
    await bot.memory.untilAnswered(asked, ...three)
    await bot.settled()
    return asked
  }
  const expectOnce = async (bot: MemoryBot, asked: Message) => {
    await bot.settled()
    expect(bot.memory.answers(asked)).toEqual(three)
    expect(inOrder(bot, asked)).toEqual(['.0', '.1', '.2'])
    expect(bot.rows("select id from events where type = 'message' and key is not null")).toHaveLength(1)
  }

  test('posted, and not delivered', async () => {
    const bot = await startMemoryBot({ script: [pages] })
    const asked = await answered(bot)
    await bot.crashAs(undelivered)
    await expectOnce(bot, asked)
    expect(bot.memory.misbehave.callsTo('find')).toEqual([])
    // The first page may be one that showed progress.
    expect(bot.memory.misbehave.callsTo('edit')).toHaveLength(1)
  })

  test('begun, and nobody knows whether they were posted: they were', async () => {
    const bot = await startMemoryBot({ script: [pages] })
    const asked = await answered(bot)
    await bot.crashAs(undelivered, 'update postings set platform_id = null')
    await expectOnce(bot, asked)
    expect(bot.memory.misbehave.callsTo('find')).toHaveLength(3)
    expect(bot.memory.misbehave.callsTo('post')).toHaveLength(3)
  })

  test('begun, and nobody knows whether they were posted: the last was not', async () => {
    const bot = await startMemoryBot({ script: [pages] })
    bot.memory.hurry = 500
    bot.memory.misbehave.failBefore('post', { fits: ({ key }) => key?.endsWith('.2') === true, times: 1 })
    bot.memory.misbehave.hold('find')
    const asked = await bot.memory.say('ana', '@bobbin count')
    await bot.memory.eventually(() => expect(bot.memory.misbehave.callsTo('find')).toHaveLength(1))
    bot.memory.misbehave.calm()
    await bot.crashAs('update postings set platform_id = null')
    await expectOnce(bot, asked)
  })

  test('nothing was begun', async () => {
    const bot = await startMemoryBot({ script: [pages] })
    const held = bot.memory.misbehave.hold('post')
    const asked = await bot.memory.say('ana', '@bobbin count')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    bot.memory.misbehave.calm()
    await bot.crashAs('delete from postings', 'update outbox set attempts = 0')
    await expectOnce(bot, asked)
  })
})

describe('what is not posted', () => {
  test('later: it waits, and the thread keeps its order', async () => {
    const bot = await startMemoryBot({ script: [says('first'), says('second')] })
    bot.memory.misbehave.refuse('post', 'later', { afterMs: 50, times: 3 })
    const asked = await bot.memory.say('ana', '@bobbin one')
    await bot.memory.eventually(() => expect(bot.memory.misbehave.callsTo('post').length).toBeGreaterThan(0))
    await bot.memory.say('ana', 'two', { in: asked })
    await bot.memory.untilAnswered(asked, 'first', 'second')
    expect(warnings(bot)).toEqual([])
  })

  test('never: it is given up with a warning, and what comes after it is posted', async () => {
    const bot = await startMemoryBot({ script: [says('first'), says('second')] })
    bot.memory.misbehave.refuse('post', 'never')
    const asked = await bot.memory.say('ana', '@bobbin one')
    await eventually(() => expect(warnings(bot)).toEqual([expect.stringContaining('not_posted')]))
    await bot.memory.say('ana', 'two', { in: asked })
    await bot.memory.untilAnswered(asked, 'second')
    await bot.settled()
    expect(bot.rows('select state, reason from outbox order by seq')).toMatchObject([
      { state: 'failed', reason: 'refused: never' },
      { state: 'delivered' },
    ])
    await bot.restart()
    await bot.settled()
    expect(bot.memory.answers(asked)).toEqual(['second'])
  })

  test.each(['never', 'repairable'] as const)(
    'progress that can neither become the answer nor be deleted (%s): the answer is posted whole',
    async (again) => {
      const shown = Promise.withResolvers<void>()
      const script = [calls('now', {}), heldUntil(shown.promise, pages), says('second')]
      const bot = await startMemoryBot({ script, config: { show: { firstMs: 1 } } })
      const asked = await bot.memory.say('ana', '@bobbin count')
      await bot.memory.untilProgress(asked)
      bot.memory.misbehave.refuse('edit', 'never', { fits: ({ page }) => page?.kind === 'answer' })
      bot.memory.misbehave.refuse('remove', again, { times: 1_000 })
      shown.resolve()
      await bot.memory.untilAnswered(asked, ...three)
      await bot.memory.say('ana', 'two', { in: asked })
      await bot.memory.untilAnswered(asked, ...three, 'second')
      expect(bot.memory.misbehave.callsTo('remove')).toHaveLength(1)
      expect(warnings(bot)).toEqual([])
    },
  )

  test('what cannot be put into messages does not keep its thread waiting', async () => {
    const bot = await startMemoryBot({ script: [says('UNSHOWABLE'), says('second')] })
    const asked = await bot.memory.say('ana', '@bobbin one')
    await eventually(() => expect(warnings(bot)).toHaveLength(1))
    await bot.memory.say('ana', 'two', { in: asked })
    await bot.memory.untilAnswered(asked, 'second')
  })

  test('an answer whose message was deleted before it was known to be posted is posted again', async () => {
    const bot = await startMemoryBot({ script: [pages] })
    bot.memory.hurry = 500
    bot.memory.misbehave.failBefore('post', { fits: ({ key }) => key?.endsWith('.1') === true })
    const held = bot.memory.misbehave.hold('find')
    const asked = await bot.memory.say('ana', '@bobbin count')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    const [first] = bot.memory.shown(asked)
    if (first === undefined) throw new Error('the first page is there')
    await bot.memory.delete(first)
    held.release()
    bot.memory.misbehave.failBefore('post', { fits: ({ key }) => key?.endsWith('.2') === true })
    await bot.memory.eventually(() => expect(bot.memory.answers(asked).toSorted()).toEqual(three.toSorted()))
    await bot.settled()
    expect(bot.memory.answers(asked)).toHaveLength(3)
  })
})

test.each(['', ', and the process dies meanwhile'])(
  'files that are posted later keep no words waiting, and are posted once%s',
  async (how) => {
    const script = [calls('write_file', { path: 'outputs/a.txt', content: 'made' }), says('first'), says('second')]
    const bot = await startMemoryBot({ script })
    bot.memory.hurry = 500
    bot.memory.misbehave.filesLeft = 1
    const held = bot.memory.misbehave.hold('post', {
      done: how !== '',
      fits: ({ key }) => key?.includes('.files.') === true,
    })
    const asked = await bot.memory.say('ana', '@bobbin make it')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    await bot.memory.say('ana', 'two', { in: asked })
    const words = () => bot.memory.answers(asked).filter((text) => text !== '')
    await bot.memory.eventually(() => expect(words()).toEqual(['first', 'second']))
    expect(held.waiting).toBe(1)

    if (how === '') held.release()
    else await bot.crashAs()
    await bot.settled()
    const posted = bot.memory.shown(asked).flatMap((message) => {
      const page = pageOf(message)
      return page.kind === 'answer' ? Object.keys(page.files) : []
    })
    expect(posted).toEqual(['a.txt'])
  },
)

test('files that are given up after they were promised for later are named in their thread, with the reason', async () => {
  const script = [calls('write_file', { path: 'outputs/a.txt', content: 'made' }), says('first')]
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
  bot.memory.misbehave.filesLeft = 1
  bot.memory.misbehave.refuse('post', 'repairable', {
    times: Number.POSITIVE_INFINITY,
    fits: ({ key }) => key?.endsWith('.files.0') === true,
  })
  const asked = await bot.memory.say('ana', '@bobbin make it')
  await bot.memory.untilAnswered(asked, 'first')
  bot.memory.pass(hour)
  await eventually(() => expect(bot.rows('select key from outbox where refused_at is not null')).toHaveLength(1))
  bot.memory.pass(8 * 24 * hour)
  const lost =
    '`a.txt` won’t come after all (refused: repairable). Mend it. If you still need it, ask me again after that.'
  await bot.memory.untilAnswered(asked, 'first', lost)
})

test('nothing more is said of files that are given up in a thread that takes nothing else either', async () => {
  const script = [calls('write_file', { path: 'outputs/a.txt', content: 'made' }), says('first'), says('second')]
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
  const refused = () => bot.rows('select key from outbox where refused_at is not null')
  bot.memory.misbehave.filesLeft = 1
  bot.memory.misbehave.refuse('post', 'repairable', {
    times: Number.POSITIVE_INFINITY,
    fits: ({ key, page }) =>
      key?.endsWith('.files.0') === true || (page?.kind === 'answer' && page.text.includes('second')),
  })
  const asked = await bot.memory.say('ana', '@bobbin make it')
  await bot.memory.untilAnswered(asked, 'first')
  bot.memory.pass(hour)
  await eventually(() => expect(refused()).toHaveLength(1))
  await bot.memory.say('ana', '@bobbin and?', { in: asked })
  await eventually(() => expect(refused()).toHaveLength(2))
  bot.memory.pass(8 * 24 * hour)
  await eventually(() => expect(bot.rows("select key from outbox where state = 'failed'")).toHaveLength(2))
  await bot.settled()
  expect(bot.memory.answers(asked)).toEqual(['first'])
})

describe('many threads', () => {
  test('thirty at once, and one that hangs holds up no other', async () => {
    const bot = await startMemoryBot({
      script: ({ messages }) => says(`to ${`${messages.at(-1)?.content}`.split('\n')[0]}`),
    })
    const held = bot.memory.misbehave.hold('post', { times: 1 })
    const hanging = await bot.memory.say('ana', '@bobbin hang')
    await bot.memory.eventually(() => expect(held.waiting).toBe(1))
    const others = await Promise.all(
      Array.from({ length: 30 }, (_, index) => bot.memory.say('ana', `@bobbin ${index}`)),
    )
    for (const [index, other] of others.entries()) await bot.memory.untilAnswered(other, `to [ana] ${index}`)
    expect(bot.memory.answers(hanging)).toEqual([])
    held.release()
    await bot.memory.untilAnswered(hanging, 'to [ana] hang')
  })

  test('a channel in which everything hangs keeps the others going, and the console', async () => {
    const bot = await startMemoryBot({ script: () => says('Yes.') })
    const slow = new Set<string>()
    bot.memory.misbehave.hold('post', { fits: ({ thread }) => slow.has(thread) })
    const stuck = await Promise.all(
      Array.from({ length: 80 }, async (_, index) => {
        slow.add(`m${bot.memory.world.messages.length + 1}`)
        return bot.memory.say('ana', `@bobbin ${index}`, { channel: 'slow' })
      }),
    )
    await eventually(() => expect(bot.rows("select key from outbox where state = 'pending'")).toHaveLength(80))
    const other = await bot.memory.say('ana', '@bobbin hello', { channel: 'quick' })
    await bot.memory.untilAnswered(other, 'Yes.')
    const { conversation } = await bot.chat.say('hello')
    await bot.chat.until(conversation, ({ type, data }) => type === 'message' && data.role === 'assistant')
    bot.memory.misbehave.calm()
    expect(stuck.flatMap((message) => bot.memory.answers(message))).toEqual([])
    await bot.crashAs()
    for (const message of stuck) await bot.memory.untilAnswered(message, 'Yes.')
  })
})

test('a judgement names the answer, and the last one counts', async () => {
  const bot = await startMemoryBot({ script: [pages] })
  const asked = await bot.memory.say('ana', '@bobbin count')
  await bot.memory.untilAnswered(asked, ...three)
  await bot.settled()
  const [, second] = bot.memory.shown(asked)
  if (second === undefined) throw new Error('the second page is there')
  for (const value of ['good', 'good', 'bad', 'good'] as const) await bot.memory.judge('ana', second, value)
  await bot.memory.judge('ben', second, 'bad')
  const [answer] = bot.rows('select key from outbox')
  const judged = bot
    .rows("select data from events where type = 'feedback' order by id")
    .map(({ data }) => JSON.parse(`${data}`))
  expect(judged.map(({ value, person }) => `${person.id} ${value}`)).toEqual([
    'ana good',
    'ana bad',
    'ana good',
    'ben bad',
  ])
  expect(judged.every(({ message_id }) => message_id === answer?.key)).toBe(true)
})

test('a process that was thawed leaves the posting to the one that has taken over', async () => {
  const isReplaced = Promise.withResolvers<void>()
  const bot = await startMemoryBot({
    script: [heldUntil(isReplaced.promise, says('one two three four five'))],
    // It looks whether it has been replaced this often.
    config: { engine: { silentMs: 3_600_000, sweepMs: 100 } },
  })
  const root = await bot.memory.say('ana', '@bobbin count')
  await bot.memory.eventually(() => expect(bot.model.requests).toHaveLength(1))
  const lockFor = (holder: unknown) => bot.change(`update locks set holder = '${holder}'`)
  const [lock] = bot.rows('select holder from locks')
  lockFor('another')
  isReplaced.resolve()
  await bot.memory.eventually(() => expect(bot.rows('select state from turns')).toEqual([{ state: 'done' }]))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(bot.rows("select attempts from outbox where kind = 'answer'")).toEqual([{ attempts: 0 }])
  lockFor(lock?.holder)
  await bot.memory.untilAnswered(root, 'one two three four five')
})
