import { expect, test } from 'vitest'
import { forgetRewritten } from '../../src/capabilities/context/rewind.ts'
import { noState, readState } from '../../src/capabilities/context/state.ts'
import { writeContext } from '../../src/store/contexts.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { newSession, openStore } from '../support/store.ts'

const isSummary = ({ tools }: RequestBody): boolean => tools === undefined

const told = (body: RequestBody | undefined): string => JSON.stringify(body?.messages)

/** Notes of all codes, such as MAGNOLIA-7, in what is to be summarised. */
const notesOf = (body: RequestBody) => says(`## Facts\n${[...new Set(told(body).match(/[A-Z]{3,}-\d/g))].join(', ')}`)

/** A thread that keeps only the latest message beside a summary. */
async function startThread() {
  let gate: Promise<unknown> = Promise.resolve()
  const bot = await startMemoryBot({
    script: (body) => (isSummary(body) ? heldUntil(gate, notesOf(body)) : says('Done.')),
    config: { sections: { context: { compact_messages: 2, recent_messages: 1 } } },
  })
  const { memory } = bot
  const root = await memory.say('ana', '@bobbin hello')
  const answers = () => memory.answers(root).length
  await memory.eventually(() => expect(answers()).toBe(1))
  const say = async (text: string) => {
    const before = answers()
    const message = await memory.say('ana', `@bobbin ${text}`, { in: root })
    await memory.eventually(() => expect(answers()).toBeGreaterThan(before))
    return message
  }
  const summaries = () => bot.model.requests.filter(isSummary)
  return {
    ...{ bot, memory, say, summaries },
    hold: (until: Promise<unknown>) => (gate = until),
    last: () => told(bot.model.requests.findLast((body) => !isSummary(body))),
    stored: () => JSON.stringify(bot.rows('select * from contexts')),
    /** Asks for a summary and waits for the report on it. */
    async compact() {
      const before = answers()
      await memory.say('ana', '@bobbin compact', { in: root })
      await memory.eventually(() => expect(answers()).toBe(before + 2))
    },
  }
}

test('what was deleted or edited does not live on in a summary', async () => {
  const { bot, memory, say, compact, last, stored, summaries } = await startThread()
  const berth = await say('the berth is BIRCH-3')
  await compact()
  await say('go on')
  const secret = await say('the password is MAGNOLIA-7')
  await say('and the quay is OAK-5')
  await compact()
  await say('go on')
  expect(last()).toContain('BIRCH-3, MAGNOLIA-7, OAK-5')
  expect(summaries()).toHaveLength(2)

  await memory.delete(secret)
  expect(stored()).not.toContain('MAGNOLIA-7')
  await say('and now?')
  // The summary that was made before stays, and what came after it is sent again.
  expect(last()).toContain('BIRCH-3')
  expect(last()).toContain('[ana] and the quay is OAK-5')
  expect(last()).toContain('(deleted)')
  expect(last()).not.toContain('MAGNOLIA-7')
  await compact()
  await say('go on')
  expect(last()).toContain('BIRCH-3, OAK-5')
  expect(told(summaries().at(-1))).not.toContain('MAGNOLIA-7')

  await memory.edit(berth, '@bobbin the berth is MAPLE-9')
  expect(stored()).not.toContain('BIRCH-3')
  await say('and now?')
  expect(last()).not.toContain('BIRCH-3')
  expect(last()).toContain('[ana] the berth is MAPLE-9')
  expect(bot.model.violations).toEqual([])
})

test('a summary under way when a message is deleted is written again without it', async () => {
  const { memory, say, compact, hold, last, stored, summaries } = await startThread()
  const secret = await say('the password is MAGNOLIA-7')
  await say('and the quay is OAK-5')
  const gate = Promise.withResolvers<void>()
  hold(gate.promise)
  const reported = compact()
  await memory.eventually(() => expect(summaries()).toHaveLength(1))
  await memory.delete(secret)
  gate.resolve()
  await reported
  expect(summaries()).toHaveLength(2)
  expect(stored()).not.toContain('MAGNOLIA-7')
  expect(stored()).toContain('OAK-5')
  await say('and now?')
  expect(last()).toContain('OAK-5')
  expect(last()).not.toContain('MAGNOLIA-7')
})

test('what is deleted while the earlier messages of a thread are read isn’t sent to the model', async () => {
  const bot = await startMemoryBot({ script: [says('I see.')] })
  const { memory } = bot
  const root = await memory.say('ana', 'the harvest was poor')
  const heard = await memory.say('ben', 'the password is MAGNOLIA-7', { in: root })
  const missed = await memory.say('ben', '@bobbin the key is BIRCH-3', { in: root, copies: 0 })
  const history = memory.misbehave.hold('history', { done: true })
  await memory.say('cleo', '@bobbin what happened?', { in: root })
  await memory.eventually(() => expect(history.waiting).toBe(1))
  await memory.delete(heard)
  await memory.delete(missed)
  history.release()
  await memory.untilAnswered(root, 'I see.')
  expect(told(bot.model.requests.at(-1))).toContain('the harvest was poor')
  expect(told(bot.model.requests.at(-1))).not.toMatch(/MAGNOLIA|BIRCH/)
})

test('a deletion after a reset doesn’t go back to a summary of what was cleared', async () => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const size = { messages: 1, tokens: 1, share: 0.1 }
  const report = (from: number, summary: string) => {
    return { strategy: 'summarize', before: size, after: size, sent: { from, pinned: undefined, summary } } as const
  }
  const now = { from: 130, summary: 'made since', prunedTo: 120 }
  const reports = [report(50, 'of what was cleared'), report(130, 'made since')]
  await store.transaction((tx) => writeContext(tx, session, { ...noState, ...now, reports }))
  const view = () => readState(store.db, session, 100)
  expect(await view()).toMatchObject(now)
  await store.transaction((tx) => forgetRewritten(tx, session, 110, 'changed'))
  expect(await view()).toMatchObject({ from: 0, summary: undefined, prunedTo: 120 })
  expect(await readState(store.db, session, 125)).toMatchObject({ from: 0, summary: undefined, prunedTo: 0 })
})

test.each([
  ['changed', 60, { from: 200, summary: undefined }],
  ['changed', 300, { from: 300, summary: 'of all' }],
  ['undone', 60, { from: 50, summary: 'of the beginning' }],
  ['undone', 300, { from: 200, summary: undefined }],
] as const)('after %s at %d, the view before that holds: %j', async (how, message, expected) => {
  const store = await openStore()
  const { id: session } = await newSession(store)
  const size = { messages: 1, tokens: 1, share: 0.1 }
  const report = (from: number, summary?: string) => {
    return { strategy: 'cut', before: size, after: size, sent: { from, pinned: undefined, summary } } as const
  }
  const reports = [report(50, 'of the beginning'), report(200), report(300, 'of all')]
  await store.transaction((tx) => writeContext(tx, session, { ...noState, from: 300, summary: 'of all', reports }))
  await store.transaction((tx) => forgetRewritten(tx, session, message, how))
  expect(await readState(store.db, session, 0)).toMatchObject(expected)
})
