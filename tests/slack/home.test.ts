import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { eventually, openBench, posting, threadOf } from './support.ts'

async function open(script: ScriptedReply[], access: object = {}) {
  const slack = await startSlackServer()
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  }
  const bot = await startTestBot({ script, environment, config: { show: { firstMs: 20, everyMs: 20 }, access } })
  onTestFinished(async () => {
    await bot.stop()
    await slack.close()
  })
  const home = async (user: string) => {
    slack.people.openHome(user, { tab: 'home' })
    await slack.idle()
    return slack.until(() => slack.people.home(user))
  }
  return { slack, bot, home }
}

const run = (command: string) => calls('run_command', { command })
const ask = calls('ask_human', { question: 'Which of the two offers?' })

test('a Home shows what waits in the projects that a person is in, and to no others', async () => {
  const { slack, home } = await open([ask])
  slack.people.leave('ben', 'private')
  const ts = slack.people.mention('ana', 'private', 'look at the merger')
  await slack.until(() => JSON.stringify(slack.view('private', ts)).includes('Which of the two offers?'))
  await eventually(async () => {
    const mine = await home('ana')
    expect(mine.text).toMatch(/^Waiting for you\n.*Which of the two offers\?.*look at the merger/)
    expect(JSON.stringify(slack.world.views.get(mine.id)?.content)).toContain('archives/')
  })
  // Cleo is in the channel, but has said nothing in the thread.
  expect((await home('cleo')).text).toMatch(
    /Nothing is waiting for you\.\nWaiting for others\n.*Which of the two offers\?/,
  )
  const foreign = (await home('ben')).text
  expect(foreign).toContain('Nothing is waiting for you.')
  expect(foreign).not.toMatch(/offers|merger/)
  expect(slack.violations).toEqual([])
})

test('an approval is decided on the Home of whoever may, even after a restart, and once', async () => {
  const { slack, bot, home } = await open([calls('run_command', { command: 'rm -rf build' }), says('It’s gone.')])
  const ts = slack.people.mention('ana', 'private', '@run_command clean the build')
  const inThread = () => JSON.stringify(slack.view('private', ts))
  await slack.until(() => inThread().includes('Approve'))
  await eventually(async () => {
    const { text, buttons } = await home('ana')
    expect(text).toMatch(/clean the build.*rm -rf build/s)
    expect(buttons.map(({ label }) => label)).toEqual(['Approve', 'Deny'])
  })
  // Cleo is in the channel, but may not decide.
  expect((await home('cleo')).buttons).toEqual([])
  const { id } = await home('ana')
  // Whoever left the channel decides nothing there, although the Home that they see still shows it.
  slack.people.leave('ana', 'private')
  expect(await slack.people.click('ana', id, 'Approve')).toMatchObject({ acked: true })
  await eventually(() => expect(slack.people.home('ana')?.text).toMatch(/^This no longer exists(?!.*rm -rf)/s))
  slack.people.join('ana', 'private')
  await eventually(async () => expect((await home('ana')).buttons).toHaveLength(2))

  await bot.restart()
  const clicks = [slack.people.click('ana', id, 'Deny'), slack.people.click('ana', id, 'Approve')]
  expect(await Promise.all(clicks)).toMatchObject([{ acked: true }, { acked: true }])
  const decisions = () => ['Denied', 'Approved'].filter((decision) => inThread().includes(decision))
  await slack.until(() => inThread().includes('It’s gone.') && decisions().length > 0)
  expect(decisions()).toHaveLength(1)
  await eventually(() => expect(slack.people.home('ana')?.text).toContain('Nothing is waiting for you.'))
  expect(slack.violations).toEqual([])
})

test.each([
  ['a script', [calls('write_file', { path: 'temp/a.sh', content: 'rm -rf build\n' }), run('bash temp/a.sh')]],
  ['a long call', [run(`rm -rf build ${'x'.repeat(1_600)}`)]],
  ['much that is unclear', [run(Array.from({ length: 12 }, (_, place) => `$A${place} x`).join('; '))]],
])('%s that is shown above the card is decided only there', async (_, script) => {
  const { slack, home } = await open(script)
  const ts = slack.people.mention('ana', 'private', '@run_command clean the build')
  await slack.until(() => JSON.stringify(slack.view('private', ts)).includes('Approve'))
  await eventually(async () => {
    const { id, text, buttons } = await home('ana')
    expect(text).toMatch(/^Waiting for you\n.*Approve run_command\?.*clean the build/)
    expect(text).not.toContain('above')
    expect(buttons).toEqual([])
    expect(JSON.stringify(slack.world.views.get(id)?.content)).toContain('archives/')
  })
  expect(slack.violations).toEqual([])
})

test('direct messages are on the Home of whoever writes them', async () => {
  const { slack, home } = await open([ask])
  const direct = slack.world.direct('ana').id
  const ts = slack.people.post('ana', direct, 'my salary')
  await slack.until(() => JSON.stringify(slack.view(direct, ts)).includes('offers?'))
  expect((await home('ana')).text).toContain('my salary')
  expect((await home('ben')).text).not.toContain('my salary')
})

test('people who may not use the bot learn nothing', async () => {
  const { slack, home } = await open([ask], { users: ['U_NOBODY'] })
  slack.people.mention('ana', 'general', 'hello')
  expect((await home('ana')).text).toBe('You’re not allowed to use me here.')
})

test('alarms, with the ids that cancel them, and the month’s use are a person’s own', async () => {
  const { slack, home } = await open([
    calls('alarm_set', { at: 'in 2 days', message: 'Call the *bank*' }),
    says('Set.'),
  ])
  const ts = slack.people.mention('ana', 'general', 'remind me')
  await slack.until(() => JSON.stringify(slack.view('general', ts)).includes('Set.'))
  await eventually(async () => {
    const { text } = await home('ana')
    expect(text).toMatch(/Your alarms\n.*Call the \*bank\* · \w{14} · /)
    expect(text).toMatch(/Your use this month\n1 request, [\d,]+ tokens/)
    expect(text).toContain('In my threads I answer every message.')
  })
  const theirs = (await home('ben')).text
  expect(theirs).toContain('You have no alarms.')
  expect(theirs).toContain('0 requests, 0 tokens')

  const [, id] = /bank\* · (\w{14})\b/.exec((await home('ana')).text) ?? []
  slack.people.mention('ana', 'general', `alarm cancel ${id}`)
  await eventually(async () => expect((await home('ana')).text).toContain('You have no alarms.'))
})

test('a Home that was opened follows what is posted, and is published only when it changes', async () => {
  await using bench = await openBench()
  const { server, sink, platform } = bench
  const settings = { model: 'm', threads: 'all', files: 10 } as const
  const empty = { waiting: [], more: 0, alarms: [], month: { turns: 0, tokens: 0, usd: 0 }, settings }
  sink.homeView = empty
  const post = async (key: string) => {
    const ts = server.people.mention('ana', 'general', 'hi')
    const [page] = platform.pages({ kind: 'answer', text: 'Yes.', files: [], record: undefined })
    await platform.post(threadOf(server, 'general', ts), page, posting(key))
  }
  await post('a')
  expect(sink.homesOf).toEqual([])
  server.people.openHome('ana', { tab: 'home' })
  await server.until(() => server.people.home('ana'))
  expect(sink.homesOf).toMatchObject([{ person: { name: 'ana' }, projects: expect.any(Set) }])
  await post('b')
  await eventually(() => expect(sink.homesOf).toHaveLength(2))
  expect(server.callsTo('views.publish')).toHaveLength(1)
  sink.homeView = { ...empty, month: { turns: 1, tokens: 1_234, usd: 0.5 } }
  await post('c')
  await eventually(() => expect(server.people.home('ana')?.text).toContain('1 request, 1,234 tokens, $0.50'))
  expect(server.callsTo('views.publish')).toHaveLength(2)

  // One that found no room isn't shown, so the same view is published later.
  server.misbehave.rateLimit('views.publish', { retryAfter: 1 })
  sink.homeView = { ...empty, month: { turns: 2, tokens: 5_678, usd: 1 } }
  await post('d')
  await eventually(() => expect(server.people.home('ana')?.text).toContain('2 requests, 5,678 tokens, $1'))
  expect(server.violations).toEqual([])
})
