import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Homes } from '../../src/platforms/slack/post/homes.ts'
import { eventually, openBench, posting, StubSink, threadOf } from './support.ts'

const settings = { model: 'm', threads: 'all', files: 10 } as const
const viewWith = (turns: number) => {
  const month = { turns, tokens: 0, usd: 0 }
  return { waiting: [], more: 0, alarms: [], month, settings }
}

test('Homes that follow what happens ask rarely where their people are, and one that Slack has no room for comes later', async () => {
  let aheadMs = 0
  await using bench = await openBench({ clock: { now: () => Date.now() + aheadMs } })
  const { server, sink, platform } = bench
  const { people } = server
  const everybody = ['ana', 'ben', 'cleo']
  const thread = threadOf(server, 'general', people.mention('ana', 'general', 'hi'))
  const [page] = platform.pages({ kind: 'answer', text: 'Yes.', files: [], record: undefined })
  const asked = () => server.callsTo('users.conversations').filter(({ args }) => args.user !== undefined).length
  const shows = (turns: number, who: string[]) =>
    eventually(() => {
      for (const one of who) expect(people.home(one)?.text).toContain(`${turns} requests`)
    })
  sink.homeView = viewWith(10)
  for (const one of everybody) people.openHome(one, { tab: 'home' })
  await shows(10, everybody)
  expect(asked()).toBe(3)

  sink.homeView = viewWith(11)
  await platform.post(thread, page, posting('a'))
  await shows(11, everybody)
  expect(asked()).toBe(3)

  aheadMs = 6 * 60_000
  for (const one of ['ben', 'cleo']) people.openHome(one, { tab: 'home' })
  await eventually(() => expect(asked()).toBe(5))
  sink.homeView = viewWith(12)
  const ofAna = ({ user }: { user?: unknown }) => user === server.user('ana')
  server.misbehave.rateLimit('users.conversations', { retryAfter: 600, times: Number.POSITIVE_INFINITY, with: ofAna })
  await platform.post(thread, page, posting('b'))
  await shows(12, ['ben', 'cleo'])
  expect(people.home('ana')?.text).toContain('11 requests')
  server.misbehave.calm()
  await shows(12, ['ana'])
  expect(server.violations).toEqual([])
})

test('while Homes are renewed, at most one more renewal waits', async () => {
  const sink = new StubSink()
  const gate = Promise.withResolvers<void>()
  sink.home = async (of) => {
    if (sink.homesOf.push(of) > 1) await gate.promise
    return undefined
  }
  const slack = {
    ...{ me: { team: 'T' }, clock: { now: Date.now }, people: { whoMay: async () => ({ id: 'U', name: 'ana' }) } },
    api: { read: async () => ({}), write: async () => {} },
  }
  const homes = new Homes(slack as unknown as ConstructorParameters<typeof Homes>[0], sink, 1)
  await homes.opened('U', 'D')
  homes.changed()
  await eventually(() => expect(sink.homesOf).toHaveLength(2))
  for (let times = 0; times < 4; times++) {
    homes.changed()
    await sleep(10)
  }
  gate.resolve()
  await eventually(() => expect(sink.homesOf).toHaveLength(3))
  await sleep(20)
  expect(sink.homesOf).toHaveLength(3)
  homes.stop()
})
