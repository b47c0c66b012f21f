import { expect, test } from 'vitest'
import { type Life, openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { family, long, resultsIn } from './support.ts'

test('killed at every step of the parent and of its subagents, each does its work once', async () => {
  let life: Life | undefined
  const dead = new Set<string>()
  /** The first time, the process dies with the request. */
  const deadly =
    (name: string, reply: ScriptedReply) =>
    (task: string): ScriptedReply => {
      const place = `${name} ${name.startsWith('child') ? task : ''}`
      if (dead.has(place)) return reply
      dead.add(place)
      life?.signal('SIGKILL')
      return hang()
    }
  const own = family([], [deadly('child begins', calls('now', {})), deadly('child ends', says(long('It is noon.')))])
  const begins = deadly('parent begins', calls('delegate_task', { task: 'one' }, ['delegate_task', { task: 'two' }]))
  const ends = deadly('parent ends', says('Put together.'))
  const script = (body: RequestBody) => own(body) ?? (resultsIn(body).length === 0 ? begins('') : ends(''))
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
    ...['child begins one', 'child begins two', 'child ends one', 'child ends two', 'parent begins ', 'parent ends '],
  ])
  // Two may die together.
  expect(deaths).toBeGreaterThanOrEqual(4)
  const events = await life.chat.events(conversation)
  expect(ofType(events, 'subagent_assigned')).toHaveLength(2)
  expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done', 'done'])
  const database = `${place.dataDir}/bobbin.db`
  expect(rowsIn(database, 'select state, count(*) as count from turns group by state')).toEqual([
    { state: 'done', count: 3 },
  ])
  expect(rowsIn(database, 'select tool, count(*) as count from calls group by tool order by tool')).toEqual([
    { tool: 'delegate_task', count: 2 },
    { tool: 'now', count: 2 },
  ])
  expect(rowsIn(database, "select count(*) as count from inbox where dedup_key like 'child:%'")).toEqual([{ count: 2 }])
})
