import { expect, test } from 'vitest'
import { long, requestsOf } from '../delegation/support.ts'
import { type Life, openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { aboutIn, makes, planning, step } from './support.ts'

test('killed at every step of a plan, each step is done once, in its order', async () => {
  let life: Life | undefined
  const dead = new Set<string>()
  /** The first time, the process dies with the request. */
  const deadly = (place: string, reply: ScriptedReply): ScriptedReply => {
    if (dead.has(place)) return reply
    dead.add(place)
    life?.signal('SIGKILL')
    return hang()
  }
  const script = (body: RequestBody): ScriptedReply | undefined => {
    const isStep = requestsOf([body], 'child').length > 0
    const results = body.messages.filter(({ role }) => role === 'tool').length
    if (!isStep) {
      const reply = planning(
        [makes([step('a'), step('b'), step('c', { after: [1, 2] })]), says('Put together.')],
        says,
      )(body)
      return reply && deadly(`parent ${results === 0 ? 'begins' : 'ends'}`, reply)
    }
    const about = aboutIn(body)
    if (results === 0) return deadly(`${about} begins`, calls('now', {}))
    return deadly(`${about} ends`, says(long(`Result of ${about}.`)))
  }
  // It dies on purpose here, so a step during which it dies often is not to blame.
  const place = await openPlace({ script, settings: { engine: { crashes_at_step: 1_000 } } })
  life = await place.start()
  const said = await life.chat.send('go').catch(() => undefined)
  const conversation = said?.headers.get('x-conversation-id') ?? ''
  said?.text().catch(() => {})
  let deaths = 0
  for (;;) {
    const done = life.chat.untilType(conversation, 'complete').catch(() => undefined)
    const first = await Promise.race([done, life.ended.then(() => undefined)])
    if (first !== undefined) break
    expect(await life.ended).toBe('SIGKILL')
    deaths++
    life = await place.start()
  }
  expect([...dead].toSorted()).toEqual([
    ...['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends', 'parent begins', 'parent ends'],
  ])
  // Two may die together.
  expect(deaths).toBeGreaterThanOrEqual(5)
  const database = `${place.dataDir}/bobbin.db`
  expect(rowsIn(database, 'select status, attempt from plan_steps order by number')).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'completed', attempt: 1 })),
  )
  expect(rowsIn(database, 'select status from plans')).toEqual([{ status: 'completed' }])
  expect(rowsIn(database, 'select tool, count(*) as count from calls group by tool order by tool')).toEqual([
    { tool: 'make_plan', count: 1 },
    { tool: 'now', count: 3 },
    { tool: 'plan_step', count: 3 },
  ])
  const events = await life.chat.events(conversation)
  expect(
    ofType(events, 'step_start')
      .map(({ data }) => data.step)
      .toSorted(),
  ).toEqual([1, 2, 3])
  expect(ofType(events, 'step_finish').map(({ data }) => data.status)).toEqual(['completed', 'completed', 'completed'])
})
