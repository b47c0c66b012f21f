import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { startSlackServer } from '../tests/support/slack/server.ts'
import { startSubject } from './subject.ts'
import { bobbinTurn } from './turn.ts'

// What a plain turn leaves behind: bytes of the database, per turn of a long thread and per new thread, by table and index.
// The model's answer has twenty words (300 characters).

const root = resolve(import.meta.dirname, '..')
const most = 2_500
const turns = process.argv.includes('--quick') ? 40 : 200
/** Whatever an answer leads to is stored by then, ms. */
const quietMs = 1_500

type Sizes = Map<string, number>
type Say = (text: string, thread?: string) => Promise<string>

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
const model = await startSubject([join(root, 'bench/model.ts')], '')

/** Bytes of each table and index, without free space inside their pages. */
function sizesIn(file: string): Sizes {
  const database = new Sqlite(file, { readonly: true })
  try {
    const rows = database.prepare('select name, sum(pgsize - unused) as bytes from dbstat group by name').all()
    return new Map((rows as { name: string; bytes: number }[]).map(({ name, bytes }) => [name, bytes]))
  } finally {
    database.close()
  }
}

const sum = (sizes: Sizes): number => [...sizes.values()].reduce((all, one) => all + one, 0)

async function measured(file: string, work: () => Promise<void>): Promise<Sizes> {
  await sleep(quietMs)
  const before = sizesIn(file)
  await work()
  await sleep(quietMs)
  const after = sizesIn(file)
  return new Map([...after].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / turns]))
}

function print(what: string, left: Sizes): void {
  const total = sum(left)
  const verdict = `at most ${most}: ${total <= most ? 'ok' : 'missed'}`
  process.stdout.write(`${what.padEnd(44)} ${total.toFixed(0).padStart(8)} bytes  ${verdict}\n`)
  for (const [name, bytes] of [...left].toSorted(([, a], [, b]) => b - a))
    if (bytes >= 1) process.stdout.write(`  ${name.padEnd(42)} ${bytes.toFixed(0).padStart(8)}\n`)
}

async function measure(name: string, environment: Record<string, string>, sayAt: (url: string) => Say): Promise<void> {
  const dataDir = join(scratch, name)
  const bot = await startSubject([join(root, 'src/bin.js'), 'start'], '/health', {
    ...environment,
    MODEL_BASE_BASE_URL: model.url,
    MODEL_BASE_ID: 'bench',
    MODEL_BASE_API_KEY: 'none',
    BOBBIN_DATA_DIR: dataDir,
    BOBBIN_PORT: '0',
    BOBBIN_LOG_LEVEL: 'silent',
  })
  const say = sayAt(bot.url)
  const file = join(dataDir, 'bobbin.db')
  const thread = await say('hello')
  const long = await measured(file, async () => {
    for (let turn = 0; turn < turns; turn++) await say(`hello ${turn}`, thread)
  })
  print(`${name}: a turn of a long thread`, long)
  const fresh = await measured(file, async () => {
    for (let turn = 0; turn < turns; turn++) await say(`hello ${turn}`)
  })
  print(`${name}: a new thread with one turn`, fresh)
  await bot.stop()
}

await measure('console', {}, (url) => {
  const take = bobbinTurn(url)
  return async (text, thread) => (await take(text, thread)).conversation
})

const slack = await startSlackServer()
let answered = 0
await measure(
  'slack',
  { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
  () => async (text, thread) => {
    const ts = slack.people.mention('ana', 'general', text, thread === undefined ? undefined : { thread_ts: thread })
    const place = thread ?? ts
    answered = thread === undefined ? 0 : answered
    const before = answered
    await slack.until(() => {
      answered = slack
        .view('general', place)
        .filter((one) => one.user === slack.bot.id && !one.streaming && /(@\d+\s*){20}/.test(one.text)).length
      return answered > before
    }, 60_000)
    return place
  },
)
await slack.close()
await model.stop()
await rm(scratch, { recursive: true, force: true })
