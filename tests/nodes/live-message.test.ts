import { expect, test } from 'vitest'
import { family, long } from '../delegation/support.ts'
import { Connection } from '../support/memory/connection.ts'
import { Troubles } from '../support/memory/troubles.ts'
import { pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, type RequestBody, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { startBeside } from './support.ts'

test.for(['arrives late', 'fails late'])(
  'a live message whose first post %s stands once, though its turn has gone on in another process',
  async (how) => {
    const isBegun = Promise.withResolvers<void>()
    const delegates = family(
      [calls('delegate_task', { task: 'part 1' }), says('Put together.')],
      [(task) => heldUntil(isBegun.promise, says(long(task)))],
    )
    const [isFree, isDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const script = (body: RequestBody) => {
      const text = JSON.stringify(body)
      if (text.includes('keep two busy')) return heldUntil(isFree.promise, says('Two is free.'))
      if (text.includes('keep one busy')) return heldUntil(isDone.promise, says('One is free.'))
      return delegates(body)
    }
    // The turn rests before anything is shown, so its subagent begins the message. On a busy machine that takes a while.
    const config = { show: { firstMs: 5_000, everyMs: 20 }, engine: { turnsAtOnce: 1 } }
    const one = await startMemoryBot({ script, config })
    const { memory } = one
    const late = memory.misbehave.hold('post')
    const asked = await memory.say('ana', '@bobbin go')
    await memory.eventually(() => expect(late.waiting).toBe(1))

    const troubles = new Troubles()
    const two = await startBeside(one, 'two', {
      ...{ script, config, platforms: (deps) => [new Connection(memory.world, troubles, deps)] },
    })
    // Each may run one turn at a time: when the subagent has ended, the first takes the one that waits, so the parent is the other's.
    const busy = await two.chat.send('keep two busy')
    await until('a busy process', () => two.model.requests.length === 1)
    const waiting = await two.chat.send('keep one busy')
    isBegun.resolve()
    await until('another busy process', () => JSON.stringify(one.model.requests).includes('keep one busy'))
    isFree.resolve()
    await busy.text()
    const ofMemory = "session_id in (select id from sessions where platform = 'memory')"
    const answers = () => one.rows(`select key from outbox where kind = 'answer' and ${ofMemory}`)
    await memory.eventually(() => expect(answers()).toHaveLength(1))
    expect(troubles.callsTo('post')).toEqual([])

    if (how === 'arrives late') late.release()
    else memory.cut()
    await memory.untilAnswered(asked, 'Put together.')
    isDone.resolve()
    await waiting.text()
    await one.settled()
    expect(memory.shown(asked).map(pageOf)).toMatchObject([{ kind: 'answer', text: 'Put together.' }])
    expect(troubles.callsTo('post')).toHaveLength(how === 'arrives late' ? 0 : 1)
  },
)
