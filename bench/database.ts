import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { databasePlace } from '../src/config/config.ts'
import { loadConfig } from '../src/config/load.ts'
import { shippedConfigDir } from '../src/config/shipped.ts'
import { startBot } from '../src/main.ts'
import { builtinSections } from '../src/wiring/capabilities.ts'
import { type SlackServer, startSlackServer } from '../tests/support/slack/server.ts'
import { type Sent, Statements } from './statements.ts'
import { startSubject } from './subject.ts'
import { bobbinTurn } from './turn.ts'

// What a plain mention in a new thread costs the database: transactions, statements, and bytes of the write-ahead log.
// The bot runs in this process, with a model without latency in another. `--list` prints the statements.

const target = { transactions: 4, streaming: 6, statements: 30, kilobytes: 40 }
/** After this time, nothing of an answer is still being written, ms. */
const quietMs = 300
const dayMs = 86_400_000
const mentions = 15
const streams = 3
/** The model's twenty words take two seconds. */
const slowly = 'slow 100'

interface Subjected {
  name: string
  statements: Statements
  /** A mention in a thread of its own, until its answer is there. */
  mention(): Promise<void>
  /** The same, with an answer that streams for two seconds. */
  stream(): Promise<void>
  /** Bytes in the write-ahead log, which is empty afterwards. */
  emptyLog(): number
  stop(): Promise<void>
}

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
const model = await startSubject([resolve(import.meta.dirname, 'model.ts')], '')

async function start(
  name: string,
  environment: Record<string, string>,
  sayAt: (url: string) => (text: string) => Promise<void>,
) {
  const dataDir = join(scratch, name)
  const loaded = loadConfig(
    {
      ...environment,
      MODEL_BASE_BASE_URL: model.url,
      MODEL_BASE_ID: 'bench',
      MODEL_BASE_API_KEY: 'none',
      BOBBIN_CONFIG_DIR: shippedConfigDir,
      BOBBIN_DATA_DIR: dataDir,
      BOBBIN_PORT: '0',
      BOBBIN_LOG_LEVEL: 'silent',
    },
    scratch,
    builtinSections,
  )
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  const statements = new Statements()
  // Checks for due work and the engine's heartbeat run anyway, so they don't count.
  const engine = { ...loaded.config.engine, clockMs: dayMs, sweepMs: dayMs, silentMs: dayMs }
  const bot = await startBot({ ...loaded.config, engine }, { onStatement: statements.onStatement })
  const database = new Sqlite(databasePlace(loaded.config))
  const say = sayAt(bot.url)
  const subject: Subjected = {
    name,
    statements,
    mention: () => say('hello'),
    stream: () => say(slowly),
    emptyLog() {
      const [{ log = 0 } = {}] = database.pragma('wal_checkpoint(PASSIVE)') as { log?: number }[]
      database.pragma('wal_checkpoint(TRUNCATE)')
      return log * (Number(database.pragma('page_size', { simple: true })) + 24)
    },
    async stop() {
      database.close()
      await bot.stop()
    },
  }
  return subject
}

const startConsole = () =>
  start('console', {}, (url) => {
    const take = bobbinTurn(url)
    return async (text) => void (await take(text))
  })

async function mentionIn(slack: SlackServer, text: string): Promise<void> {
  const ts = slack.people.mention('ana', 'general', text)
  await slack.until(
    () =>
      slack
        .view('general', ts)
        .some((one) => one.user === slack.bot.id && !one.streaming && /(@\d+\s*){20}/.test(one.text)),
    60_000,
  )
}

async function startSlack(): Promise<Subjected> {
  const slack = await startSlackServer()
  const environment = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl }
  const subject = await start('slack', environment, () => (text) => mentionIn(slack, text))
  return {
    ...subject,
    async stop() {
      await subject.stop()
      await slack.close()
    },
  }
}

const row = (what: string, ours: string, aim = '') =>
  process.stdout.write(`${what.padEnd(56)} ${ours.padStart(12)} ${aim.padStart(18)}\n`)

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/** One mention after another. The median, because the bot occasionally does periodic work. */
async function measureOne({ name, statements, mention, emptyLog }: Subjected): Promise<void> {
  const sent: (Sent & { bytes: number })[] = []
  for (let number = 0; number < mentions; number++) {
    await statements.quiet(quietMs)
    emptyLog()
    statements.take()
    await mention()
    await statements.quiet(quietMs)
    sent.push({ ...statements.take(), bytes: emptyLog() })
  }
  const of = (key: 'transactions' | 'count' | 'bytes') => median(sent.map((one) => one[key]))
  const each = `${name}: a plain mention`
  row(`${each}: writing transactions`, `${of('transactions')}`, `target: ${target.transactions}`)
  row(`${each}: statements`, `${of('count')}`, `target: ${target.statements}`)
  row(`${each}: write-ahead log`, `${(of('bytes') / 1024).toFixed(0)} kB`, `target: ${target.kilobytes} kB`)
  if (!process.argv.includes('--list')) return
  const typical = sent.find(({ count }) => count === of('count'))
  for (const [sql, count] of typical?.statements ?? []) process.stdout.write(`${String(count).padStart(4)}  ${sql}\n`)
}

/** An answer that streams for two seconds. */
async function measureStream({ name, statements, stream }: Subjected): Promise<void> {
  const sent: Sent[] = []
  for (let number = 0; number < streams; number++) {
    await statements.quiet(quietMs)
    statements.take()
    await stream()
    await statements.quiet(quietMs)
    sent.push(statements.take())
  }
  const transactions = median(sent.map((one) => one.transactions))
  row(`${name}: a two-second stream: writing transactions`, `${transactions}`, `target: ${target.streaming}`)
}

async function measureTogether({ name, statements, mention }: Subjected, count: number): Promise<void> {
  await statements.quiet(quietMs)
  statements.take()
  await Promise.all(Array.from({ length: count }, mention))
  await statements.quiet(quietMs)
  const sent = statements.take()
  const each = (value: number) => (value / count).toFixed(1)
  row(`${name}: ${count} at once: commits`, `${sent.commits}`, `target: ${count}`)
  row(`${name}: ${count} at once: transactions of each`, each(sent.transactions))
  row(`${name}: ${count} at once: statements of each`, each(sent.count))
}

for (const startOne of [startConsole, startSlack]) {
  const subject = await startOne()
  await measureOne(subject)
  await measureStream(subject)
  await measureTogether(subject, 20)
  await measureTogether(subject, 50)
  await subject.stop()
}
await model.stop()
await rm(scratch, { recursive: true, force: true })
