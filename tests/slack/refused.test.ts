import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { calls, pausedAfter, says, slowly } from '../support/model-server.ts'
import { type Shown, type SlackServer, startSlackServer } from '../support/slack/server.ts'
import { until } from '../support/until.ts'
import { eventually, openBench } from './support.ts'

/** A whole bot; its clock can be put forward, so that nobody waits before it tries again. */
async function open(options: TestBotOptions & { slack?: Parameters<typeof startSlackServer>[0] }) {
  const slack = await startSlackServer(options.slack)
  const clock = { passed: 0, now: () => Date.now() + clock.passed }
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    SLACK_APP_TOKEN: slack.appToken,
  }
  const config = { engine: { clockMs: 20 }, show: { firstMs: 20, everyMs: 20 }, ...options.config }
  const bot = await startTestBot({ ...options, clock, environment, config })
  onTestFinished(async () => {
    await bot.stop()
    await slack.close()
  })
  const shown = (ts: string) => slack.view('general', ts).filter((one) => one.user === slack.bot.id && !one.ephemeralTo)
  return { slack, bot, clock, shown }
}

const proseOf = ({ blocks, text }: Shown) =>
  blocks
    .filter(({ type }) => type === 'markdown')
    .map((block) => String(block.text))
    .join('\n') || text

const said = (shown: Shown[]) => shown.map(proseOf)

describe('a refusal while a turn ends', () => {
  test.each([
    'account_inactive',
    'token_expired',
    'invalid_auth',
    'missing_scope',
    'restricted_action',
    'something_new',
  ])('%s: its answer comes when Slack takes it', async (error) => {
    let slack: SlackServer | undefined
    const bench = await open({
      script: () => {
        slack?.misbehave.refuse('*', error, { times: 200 })
        return says('Here it is.')
      },
    })
    slack = bench.slack
    const ts = slack.people.mention('ana', 'general', 'where?')
    await until('the refusal', () => bench.slack.callsTo('chat.postMessage').length > 0)
    slack.misbehave.calm()
    bench.clock.passed += 3_600_000
    await until('the answer', () => said(bench.shown(ts)).includes('Here it is.'))
    expect(bench.shown(ts)).toHaveLength(1)
  })

  test('a channel that is archived halfway through an answer: it is finished once the channel is open again', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
    const isArchived = Promise.withResolvers<void>()
    const script = [pausedAfter(10, isArchived.promise, slowly(20, says(words)))]
    const { slack, bot, shown } = await open({ script })
    const ts = slack.people.mention('ana', 'general', 'talk')
    await until('the stream', () => shown(ts)[0]?.streaming)
    slack.misbehave.archive('general')
    isArchived.resolve()
    const waits = async () => {
      const { conversations } = await bot.chat.get<{ conversations: { id: string }[] }>('/agent/conversations')
      const [{ id } = { id: '' }] = conversations
      return (await bot.chat.events(id)).some(
        ({ type, data }) => type === 'warning' && data.code === 'waits_to_be_posted',
      )
    }
    await until('the word that it waits', waits)
    slack.misbehave.archive('general', false)
    await until('the whole answer', () => said(shown(ts)).join().includes('word59'))
    expect(shown(ts)).toMatchObject([{ streaming: false }])
  })
})

describe('a file that Slack does not take', () => {
  test('is named in the thread once, keeps nothing waiting, and comes when it may', async () => {
    const write = calls('write_file', { path: 'outputs/b.txt', content: 'made' })
    const { slack, clock, shown } = await open({ script: [write, says('See b.txt.'), says('Next.')] })
    const refused = { extra: { needed: 'files:write' }, times: 200 }
    slack.misbehave.refuse('files.getUploadURLExternal', 'missing_scope', refused)
    const ts = slack.people.mention('ana', 'general', 'make it')
    const named = () => said(shown(ts)).filter((text) => text.includes('b.txt couldn’t be posted'))
    await until('the word', () => named().length > 0)
    expect(named()).toEqual([expect.stringMatching(/the app lacks the scope files:write.*I’ll post it here.*console/s)])
    slack.people.post('ana', 'general', 'and now?', { thread_ts: ts })
    await until('the next answer', () => said(shown(ts)).includes('Next.'))

    slack.misbehave.calm()
    clock.passed += 3_600_000
    await until('the file', () => shown(ts).some(({ files }) => files.some(({ name }) => name === 'b.txt')))
    expect(named()).toHaveLength(1)
    expect(slack.violations).toEqual([])
  })

  test('leaves all its files for later if Slack refuses first one of them and then the message with the others', async () => {
    const made = (name: string) => ({ path: `outputs/${name}`, content: 'made' })
    const write = calls('write_file', made('a.txt'), ['write_file', made('b.txt')])
    const { slack, clock, shown } = await open({ script: [write, says('See a.txt and b.txt.')] })
    slack.misbehave.refuse('files.getUploadURLExternal', 'unlisted_refusal')
    slack.misbehave.refuse('files.completeUploadExternal', 'unlisted_refusal')
    const ts = slack.people.mention('ana', 'general', 'make them')
    await until('the word', () => said(shown(ts)).some((text) => /a\.txt.*b\.txt.*I’ll post them/s.test(text)))

    clock.passed += 3_600_000
    const posted = () => shown(ts).flatMap(({ files }) => files.map(({ name }) => name))
    await until('the files', () => posted().length > 0)
    expect(posted().toSorted()).toEqual(['a.txt', 'b.txt'])
  })
})

describe('health', () => {
  test('says so when the token was revoked, and when it is taken again', async () => {
    await using bench = await openBench()
    const { server, platform, sink } = bench
    expect(platform.health()).toMatchObject({ ok: true })
    server.misbehave.revokeToken()
    await eventually(() =>
      expect(platform.health()).toEqual({
        ok: false,
        detail: 'the bot token was revoked',
        remedy: expect.stringContaining('Reinstall the app'),
      }),
    )
    expect(sink.retried).toEqual([])
    server.misbehave.revokeToken(false)
    await eventually(() => expect(platform.health()).toMatchObject({ ok: true }))
    await eventually(() => expect(sink.retried).toContainEqual({}))
  })

  test('says so when the app was removed, without being told', async () => {
    await using bench = await openBench({ pace: { standingMs: 30 } })
    bench.server.misbehave.refuse('auth.test', 'account_inactive', { times: 1_000 })
    await eventually(() =>
      expect(bench.platform.health()).toMatchObject({ ok: false, detail: 'the app was removed from the workspace' }),
    )
  })

  test('of a bad app token names the app token', async () => {
    await using bench = await openBench({ pace: { standingMs: 30 } })
    const { server, platform } = bench
    server.misbehave.refuse('apps.connections.open', 'invalid_auth', { times: 1_000 })
    server.misbehave.breakSockets()
    await eventually(() => expect(platform.health().detail).toMatch(/app token .*SLACK_APP_TOKEN/))
    expect(platform.health().detail).not.toContain('SLACK_BOT_TOKEN')
  })

  test('an invitation and a channel that is opened again are told to the core', async () => {
    await using bench = await openBench()
    const { server, sink } = bench
    server.misbehave.expelBot('general')
    server.misbehave.inviteBot('general')
    server.misbehave.archive('private')
    server.misbehave.archive('private', false)
    const where = (name: string) => ({ tenant: server.team.id, project: server.channel(name) })
    await eventually(() => expect(sink.retried).toEqual([where('general'), where('private')]))
  })

  test('a channel that gets another id is told in the log, with both', async () => {
    await using bench = await openBench()
    const { server, warnings, log } = bench
    const { before, now } = server.people.share('private')
    await server.idle()
    expect(warnings).toEqual([
      'a channel’s id has changed: replace the old one in the configuration, in rules and lists',
    ])
    expect(log.join('\n')).toContain(JSON.stringify({ platform: 'slack', before, now }))
  })
})
