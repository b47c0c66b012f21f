import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SlackOptions, type SlackServer, startSlackServer } from '../tests/support/slack/server.ts'
import { type Subject, startSubject } from './subject.ts'

// Bobbin in Slack against ten lines of bolt and the model's client, in one run, each with a Slack of its own in this
// process, and a model without latency in another. What to quote is the difference; single times drift with the machine.

const root = resolve(import.meta.dirname, '..')
const quick = process.argv.includes('--quick')
const rounds = quick ? 3 : 9
const mentions = quick ? 20 : 100
/** At once: a channel that wakes up, or what Slack brings after a gap. */
const burst = 200
/** What progress is shown at most every so often, ms (config/bobbin.yaml). */
const everyMs = 1_200

interface Bot {
  subject: Subject
  slack: SlackServer
  readyMs: number
}

const median = (values: number[]): number => at(values, 0.5)
const at = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
const ms = (value: number) => `${value.toFixed(1)} ms`
const row = (what: string, ours: string, theirs: string, compared: string) =>
  process.stdout.write(`${what.padEnd(48)} ${ours.padStart(16)} ${theirs.padStart(16)} ${compared.padStart(18)}\n`)

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

/** A mention in the channel, until the whole answer stands in its thread. */
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
  row(`connected, median of ${rounds} (fresh data)`, ms(a), ms(b), `${(a / b).toFixed(2)} times`)
}

async function measureIdle(bobbin: Bot, baseline: Bot) {
  await sleep(quick ? 2_000 : 10_000)
  const [a, b] = [bobbin.subject.memory(), baseline.subject.memory()]
  row('idle memory', `${a.toFixed(0)} MB`, `${b.toFixed(0)} MB`, `${(a - b).toFixed(0)} MB more`)
}

async function measureMentions(bobbin: Bot, baseline: Bot) {
  const taken: { ours: Reply[]; theirs: Reply[] } = { ours: [], theirs: [] }
  for (let warmUp = 0; warmUp < 10; warmUp++) await Promise.all([mention(bobbin, 'hello'), mention(baseline, 'hello')])
  for (let number = 0; number < mentions; number++) {
    taken.ours.push(await mention(bobbin, 'hello'))
    taken.theirs.push(await mention(baseline, 'hello'))
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
      )
    }
  }
  const calls = (replies: Reply[]) => replies.reduce((sum, reply) => sum + reply.calls, 0) / replies.length
  row('API calls for an answer', calls(taken.ours).toFixed(2), calls(taken.theirs).toFixed(2), 'fewest: 1')
}

/** An answer that takes its time: 20 words, with so long before each. */
async function measureSlow(bobbin: Bot, baseline: Bot, pauseMs: number) {
  const ours = await mention(bobbin, `slow ${pauseMs}`)
  const theirs = await mention(baseline, `slow ${pauseMs}`)
  const seconds = ((pauseMs * 20) / 1000).toFixed(0)
  const fewest = Math.floor((pauseMs * 20) / everyMs) + 1
  row(`an answer of ${seconds} s: first sign`, ms(ours.firstMs), ms(theirs.firstMs), '')
  row(
    `an answer of ${seconds} s: final reply`,
    ms(ours.wholeMs),
    ms(theirs.wholeMs),
    `${(ours.wholeMs - theirs.wholeMs).toFixed(1)} ms more`,
  )
  row(`an answer of ${seconds} s: API calls`, `${ours.calls}`, `${theirs.calls}`, `fewest: ${fewest}`)
}

async function measureFifty(bobbin: Bot, baseline: Bot, text: string) {
  const all = async (bot: Bot) => {
    const started = performance.now()
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, bot.subject.memory())
    }, 20)
    const replies = await Promise.all(Array.from({ length: 50 }, () => mention(bot, text)))
    clearInterval(timer)
    const wholeMs = performance.now() - started
    return { wholeMs, peak, calls: replies.length === 0 ? 0 : bot.slack.calls.length }
  }
  const a = await all(bobbin)
  const b = await all(baseline)
  row(
    `50 threads at once (${text}): the last is answered`,
    ms(a.wholeMs),
    ms(b.wholeMs),
    `${(a.wholeMs / b.wholeMs).toFixed(1)} times`,
  )
  row(`50 threads at once (${text}): memory at most`, `${a.peak.toFixed(0)} MB`, `${b.peak.toFixed(0)} MB`, '')
}

/** Slack waits three seconds for an acknowledgement; ours is to take one, whatever else is going on. */
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
  row(`${what}: median acknowledgement`, ms(median(took)), '', '')
  row(`${what}: longest acknowledgement`, ms(Math.max(...took)), '', `target: 1000 ms`)
  row(`${what}: delivered again`, `${late}`, '', 'target: 0')
  await stop(bot)
}

row('', 'bobbin', 'baseline', '')
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
await measureFifty(bobbin, baseline, 'hello')
await measureFifty(bobbin, baseline, 'slow 100')
const violations = bobbin.slack.violations.length
row('limits of Slack that were broken', `${violations}`, `${baseline.slack.violations.length}`, 'target: 0')
for (const bot of [bobbin, baseline]) await stop(bot)
await model.stop()
await rm(scratch, { recursive: true, force: true })
