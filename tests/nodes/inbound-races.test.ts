import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { appendEvents } from '../../src/store/events.ts'
import { aloneWith } from '../../src/store/ignored.ts'
import { insertInbox, takeInbox } from '../../src/store/inbox.ts'
import { createSession } from '../../src/store/new-session.ts'
import { Store } from '../../src/store/store.ts'
import { toHeard } from '../support/memory/heard.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { heldUntil, says } from '../support/model-server.ts'
import { meanwhile } from '../support/two-stores.ts'
import { startBeside } from './support.ts'

test('a message that is edited while another process reads it: the model is told', async () => {
  const go = Promise.withResolvers<void>()
  const { memory, database, rows } = await startMemoryBot({
    script: [heldUntil(go.promise, says('Later.')), says('Done.')],
  })
  const store = await Store.open(database, systemClock)
  try {
    const mention = await memory.say('ana', '@bobbin go')
    await memory.eventually(() => expect(rows("select 1 from inbox where state = 'taken'")).toHaveLength(1))
    const more = await memory.say('ana', '@bobbin and the blue one', { in: mention })
    const [waiting] = await store.db.selectFrom('inbox').selectAll().where('state', '=', 'pending').execute()
    if (waiting === undefined) throw new Error('it was read')
    const { id: turn } = await store.db.selectFrom('turns').select('id').executeTakeFirstOrThrow()
    await meanwhile(
      store,
      async (tx) => {
        await tx.hold(waiting.session_id)
        await takeInbox(tx, waiting.session_id, [waiting.seq], turn)
      },
      () => memory.edit(more, '@bobbin and the green one'),
    )
    const noted = await store.db.selectFrom('inbox').select('payload').where('state', '=', 'held').execute()
    expect(noted.map(({ payload }) => JSON.parse(payload).note)).toEqual([expect.stringContaining('the green one')])
    go.resolve()
    await memory.eventually(() => expect(memory.answers(mention)).toHaveLength(1))
  } finally {
    await store.close()
  }
})

test('what two processes hear about an answer at the same moment counts once, and the last word stands', async () => {
  const one = await startMemoryBot({ script: [says('Hello.')] })
  const { memory } = one
  const mention = await memory.say('ana', '@bobbin hi')
  await memory.untilAnswered(mention, 'Hello.')
  const [answer] = memory.shown(mention)
  if (answer === undefined) throw new Error('there is no answer')
  const judged = () => one.rows("select data from events where type = 'feedback'")
  await startBeside(one, 'two', { script: [], platforms: (deps) => [memory.connect(deps)], clock: memory.clock })
  await Promise.all(Array.from({ length: 6 }, () => memory.judge('ana', answer, 'good')))
  expect(judged()).toHaveLength(1)
  await Promise.all(Array.from({ length: 6 }, () => memory.judge('ana', answer, 'bad')))
  expect(judged()).toHaveLength(2)
})

test('a reply that one process ignores while another one begins its thread is received once, and nobody calls it ignored', async () => {
  const { memory, database, rows } = await startMemoryBot({ script: [says('Done.'), says('Done.')] })
  const store = await Store.open(database, systemClock)
  try {
    for (const hasReply of [false, true]) {
      const mention = await memory.say('ana', '@bobbin count the words', { copies: 0 })
      const reply = await memory.say('ben', 'and the lines', { in: mention, copies: 0 })
      const { dedupKey, thread, person, text } = toHeard(reply)
      const heard = await meanwhile(
        store,
        // The process that ignores the reply waits for this.
        (tx) => aloneWith(tx, dedupKey),
        () => memory.deliver(reply),
        async (tx) => {
          const { id } = await createSession(tx, { thread, person, title: 'count', timeZone: 'UTC' })
          if (!hasReply) return
          const eventId = await appendEvents(tx, id, [])
          await insertInbox(tx, id, { dedupKey, kind: 'message', payload: { person, text, files: [] }, eventId })
        },
      )
      expect(heard.kind).toBe(hasReply ? 'duplicate' : 'new')
      expect(rows('select 1 from ignored')).toEqual([])
      expect(rows(`select 1 from inbox where dedup_key = '${dedupKey}'`)).toHaveLength(1)
    }
  } finally {
    await store.close()
  }
})
