import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SlackOptions, type SlackServer, startSlackServer } from '../tests/support/slack/server.ts'
import { type Subject, startSubject } from './subject.ts'
import { at, atMost, mb, measureDatabase, median, ms, row } from './table.ts'

// Compares Bobbin in Slack with ten lines of bolt and the model's client, in one run, each with its own fake Slack in this
// process and a model without latency in another. Only comparisons mean anything, because absolute times vary with the
// machine, and under load even the differences do. `--acknowledging` measures only acknowledgements.

const root = resolve(import.meta.dirname, '..')
const quick = process.argv.includes('--quick')
const rounds = quick ? 3 : 9
const mentions = quick ? 20 : 100
/** After this time, nothing of an answer is still in progress, ms. */
const settledMs = 50
/** How many at once, as in a busy channel or after a gap. */
const burst = 200
/** The shortest time between two updates of progress, ms (config/bobbin.yaml). */
const everyMs = 1_200

interface Bot {
  subject: Subject
  slack: SlackServer
  readyMs: number
}

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
const model = await startSubject([join(root, 'bench/model.ts')], '')

async function start(args: string[], data: string, options: SlackOptions = {}): Promise<Bot> {
  const slack = await startSlackServer(options)
  const started = performance.now()
  const connected = slack.until(() => slack.sockets.connections > 0, 30_000)
  const subject = startSubject(args, '', {
    MODEL_BASE_BASE_URL: model.url,
    MODEL_BASE_ID: 'bench',
    MODEL_BASE_API_KEY: 'none',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    BOBBIN_PORT: '0',
    BOBBIN_LOG_LEVEL: 'silent',
    BOBBIN_DATA_DIR: join(scratch, data),
  })
  await connected
  const readyMs = performance.now() - started
  return { subject: await subject, slack, readyMs }
}

async function stop({ subject, slack }: Bot): Promise<void> {
  await subject.stop()
  await slack.close()
}

const startBobbin = (data: string, options?: SlackOptions) => start([join(root, 'src/bin.js'), 'start'], data, options)
const startBaseline = () => start([join(root, 'bench/slack-baseline.ts')], 'none')

interface Reply {
  firstMs: number
  wholeMs: number
  calls: number
}

/** A mention in the channel, until the whole answer is in its thread. */
async function mention({ slack }: Bot, text: string, words = 20, who = 'ana'): Promise<Reply> {
  const calls = slack.calls.length
  const started = performance.now()
  const ts = slack.people.mention(who, 'general', text)
  const own = () => slack.view('general', ts).filter(({ user, ephemeralTo }) => user === slack.bot.id && !ephemeralTo)
  let firstMs = Number.NaN
  await slack.until(() => {
    const shown = own()
    if (Number.isNaN(firstMs) && shown.length > 0) firstMs = performance.now() - started
    return shown.some((one) => !one.streaming && (one.text.match(/@\d+/g)?.length ?? 0) >= words)
  }, 60_000)
  return { firstMs, wholeMs: performance.now() - started, calls: slack.calls.length - calls }
}

async function measureReady() {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    const bobbin = await startBobbin(`ready-${round}`)
    const baseline = await startBaseline()
    times.ours.push(bobbin.readyMs)
    times.theirs.push(baseline.readyMs)
    await stop(bobbin)
    await stop(baseline)
  }
  const [a, b] = [median(times.ours), median(times.theirs)]
  row(`connected, median of ${rounds} (fresh data)`, ms(a), ms(b), ...ratio(a, b, 2.5))
}

async function measureIdle(bobbin: Bot, baseline: Bot) {
  await sleep(quick ? 2_000 : 10_000)
  const [a, b] = [bobbin.subject.memory(), baseline.subject.memory()]
  row('idle memory', mb(a), mb(b), ...ratio(a, b, 1.5))
}

const ratio = (ours: number, theirs: number, limit: number): [string, string] => [
  `${(ours / theirs).toFixed(2)} times`,
  atMost(ours / theirs, limit),
]

async function measureMentions(bobbin: Bot, baseline: Bot) {
  const taken: { ours: Reply[]; theirs: Reply[] } = { ours: [], theirs: [] }
  for (let warmUp = 0; warmUp < 10; warmUp++) await Promise.all([mention(bobbin, 'hello'), mention(baseline, 'hello')])
  const cpu = { ours: 0, theirs: 0 }
  const one = async (whose: 'ours' | 'theirs', bot: Bot) => {
    const before = bot.subject.cpuMs()
    taken[whose].push(await mention(bot, 'hello'))
    // Writes after an answer count as part of it.
    await sleep(settledMs)
    cpu[whose] += bot.subject.cpuMs() - before
  }
  for (let number = 0; number < mentions; number++) {
    await one('ours', bobbin)
    await one('theirs', baseline)
  }
  for (const [what, key] of [
    ['first visible reply', 'firstMs'],
    ['final reply', 'wholeMs'],
  ] as const) {
    for (const [name, share] of [
      ['median', 0.5],
      ['p95', 0.95],
    ] as const) {
      const [a, b] = [taken.ours, taken.theirs].map((replies) =>
        at(
          replies.map((reply) => reply[key]),
          share,
        ),
      )
      row(
        `mention to ${what}, ${name} of ${mentions}`,
        ms(a ?? 0),
        ms(b ?? 0),
        `${((a ?? 0) - (b ?? 0)).toFixed(1)} ms more`,
        key === 'wholeMs' && share === 0.5 ? atMost((a ?? 0) - (b ?? 0), 10, ' ms more') : '',
      )
    }
  }
  const [a, b] = [cpu.ours / mentions, cpu.theirs / mentions]
  row('processor time of a reply', ms(a), ms(b), ...ratio(a, b, 3.5))
  const calls = (replies: Reply[]) => replies.reduce((sum, reply) => sum + reply.calls, 0) / replies.length
  row('API calls for an answer', calls(taken.ours).toFixed(2), calls(taken.theirs).toFixed(2), 'fewest: 1')
}

/** A slow answer: 20 words, with this pause before each. */
async function measureSlow(bobbin: Bot, baseline: Bot, pauseMs: number) {
  const ours = await mention(bobbin, `slow ${pauseMs}`)
  const theirs = await mention(baseline, `slow ${pauseMs}`)
  const seconds = ((pauseMs * 20) / 1000).toFixed(0)
  const fewest = Math.floor((pauseMs * 20) / everyMs) + 1
  row(`an answer of ${seconds} s: first sign`, ms(ours.firstMs), ms(theirs.firstMs))
  row(
    `an answer of ${seconds} s: final reply`,
    ms(ours.wholeMs),
    ms(theirs.wholeMs),
    `${(ours.wholeMs - theirs.wholeMs).toFixed(1)} ms more`,
  )
  row(`an answer of ${seconds} s: API calls`, `${ours.calls}`, `${theirs.calls}`, `fewest: ${fewest}`)
}

async function measureAtOnce(bobbin: Bot, baseline: Bot, count: number, text: string, limit?: number) {
  const all = async (bot: Bot) => {
    const started = performance.now()
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, bot.subject.memory())
    }, 20)
    await Promise.all(Array.from({ length: count }, () => mention(bot, text)))
    clearInterval(timer)
    return { wholeMs: performance.now() - started, peak }
  }
  const taken = { ours: [] as Awaited<ReturnType<typeof all>>[], theirs: [] as Awaited<ReturnType<typeof all>>[] }
  for (let round = 0; round < (text === 'hello' ? 3 : 1); round++) {
    taken.ours.push(await all(bobbin))
    taken.theirs.push(await all(baseline))
  }
  const whole = (whose: 'ours' | 'theirs') => median(taken[whose].map(({ wholeMs }) => wholeMs))
  const peak = (whose: 'ours' | 'theirs') => Math.max(...taken[whose].map(({ peak }) => peak))
  const [a, b] = [whole('ours'), whole('theirs')]
  const what = `${count} threads at once (${text})`
  row(`${what}: the last is answered`, ms(a), ms(b), `${(a / b).toFixed(1)} times`, limit ? atMost(a / b, limit) : '')
  row(`${what}: memory at most`, mb(peak('ours')), mb(peak('theirs')))
}

/** Slack waits three seconds for an acknowledgement; ours should take at most one under any load. */
async function measureAcknowledging(data: string, people: number) {
  const bot = await startBobbin(data, {
    people: Array.from({ length: people }, (_, number) => `person${100 + number}`),
  })
  const { slack } = bot
  for (let warmUp = 0; warmUp < 10; warmUp++) await mention(bot, 'hello', 20, 'person100')
  const before = slack.deliveries.length
  for (let number = 0; number < burst; number++)
    slack.people.mention(`person${100 + (number % people)}`, 'general', `hello ${number}`)
  await slack.idle()
  const took = slack.deliveries.slice(before).map(({ tookMs }) => tookMs ?? Number.POSITIVE_INFINITY)
  const late = slack.deliveries.slice(before).filter(({ attempts }) => attempts > 1).length
  const what = `${burst} mentions at once of ${people} people`
  row(`${what}: median acknowledged`, ms(median(took)))
  row(`${what}: longest`, ms(Math.max(...took)), '', '', atMost(Math.max(...took), 1_000, ' ms'))
  row(`${what}: delivered again`, `${late}`, '', '', atMost(late, 0))
  await stop(bot)
}

row('Slack', 'bobbin', 'baseline', '', 'target')
await measureAcknowledging('burst-few', 4)
await measureAcknowledging('burst-many', 200)
if (process.argv.includes('--acknowledging')) {
  await model.stop()
  await rm(scratch, { recursive: true, force: true })
  process.exit()
}
await measureReady()
const bobbin = await startBobbin('main')
const baseline = await startBaseline()
await measureIdle(bobbin, baseline)
await measureMentions(bobbin, baseline)
await measureSlow(bobbin, baseline, 60)
await measureSlow(bobbin, baseline, 400)
await measureAtOnce(bobbin, baseline, 20, 'hello', 2.5)
await measureAtOnce(bobbin, baseline, 50, 'hello')
await measureAtOnce(bobbin, baseline, 50, 'slow 100')
const violations = bobbin.slack.violations.length
row(
  'limits of Slack that were broken',
  `${violations}`,
  `${baseline.slack.violations.length}`,
  '',
  atMost(violations, 0),
)
for (const bot of [bobbin, baseline]) await stop(bot)
await model.stop()
await rm(scratch, { recursive: true, force: true })
await measureDatabase()
