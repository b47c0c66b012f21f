import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureLooks } from './nodes/looks.ts'
import { type Bot, openStage } from './nodes/stage.ts'
import { at, atMost, median, ms, row } from './table.ts'

// Bobbin on PostgreSQL beside Bobbin on SQLite, and several processes beside one, in one run on one machine, with a model
// without latency unless said otherwise. Quote only ratios and differences. `--quick` is for trying the bench itself;
// `turn`, `scale` and `large` run one part.

const quick = process.argv.includes('--quick')
const parts = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isWanted = (part: string) => parts.length === 0 || parts.includes(part)
const turns = quick ? 30 : 300
const seconds = quick ? 4 : 15
const size = { sessions: quick ? 1_000 : 100_000 }
/** With so few turns at a time, their pauses limit a process and not the machine's cores. */
const fewAtOnce = 2
const slowly = 'slow 10'

const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
// PostgreSQL runs as another user, in a folder below.
await chmod(scratch, 0o711)
const stage = await openStage(scratch)
try {
  row('Several processes', 'postgres', 'sqlite', '', 'target')
  if (isWanted('turn')) await measureTurn()
  if (isWanted('scale')) {
    await measureScaling('no latency', 'hello', {}, [])
    await measureScaling('200 ms', slowly, { turnsAtOnce: fewAtOnce }, [1.8, 2.5])
  }
  if (isWanted('large')) await measureLarge()
} finally {
  await stage.stop()
  await rm(scratch, { recursive: true, force: true })
}

/** New threads and a further message in each, by turns at each bot, so that all of them suffer the same. */
async function alternating(bots: Bot[]): Promise<{ first: number[]; next: number[] }[]> {
  for (let warmUp = 0; warmUp < 10; warmUp++) for (const { take } of bots) await take('hello')
  const taken = bots.map(() => ({ first: [] as number[], next: [] as number[] }))
  for (let turn = 0; turn < turns; turn++) {
    for (const [place, { take }] of bots.entries()) {
      const first = await take('hello')
      const next = await take('hello', first.conversation)
      taken[place]?.first.push(first.wholeMs)
      taken[place]?.next.push(next.wholeMs)
    }
  }
  return taken
}

async function measureTurn() {
  const theirs = await stage.start('turn-sqlite')
  const database = await stage.server.database('turn')
  const ours = await stage.start('turn', { database })
  const [b, a] = await alternating([theirs, ours])
  if (a === undefined || b === undefined) return
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
  ] as const) {
    const [mine, other] = [at(a.first, share), at(b.first, share)]
    const target = name === 'median' ? atMost(mine - other, 15, ' ms more') : ''
    row(`a plain mention, ${name} of ${turns}`, ms(mine), ms(other), `${(mine - other).toFixed(1)} ms more`, target)
  }
  await theirs.stop()
  row('transactions a second while nothing happens', (await transactionsOf(database)).toFixed(1))
  await ours.stop()
}

/** Reads too. How many it has is told a second late. */
async function transactionsOf(url: string): Promise<number> {
  const count = async () => {
    const [found] = await stage.server.run<{ count: string }>(
      url,
      'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
    )
    return Number(found?.count)
  }
  await sleep(2_000)
  const before = await count()
  await sleep(seconds * 1_000)
  return ((await count()) - before) / seconds
}

/** Turns a second while there are always more than can run. */
async function throughput(bots: Bot[], clients: number, message: string): Promise<number> {
  let done = 0
  const until = performance.now() + seconds * 1_000
  const client = async ({ take }: Bot) => {
    while (performance.now() < until) {
      await take(message)
      if (performance.now() < until) done++
    }
  }
  await Promise.all(bots.flatMap((bot) => Array.from({ length: clients }, () => client(bot))))
  return done / seconds
}

/** The most connections of a database that were open at the same time. */
function watchConnections(url: string): () => Promise<number> {
  let most = 0
  const look = async () => {
    const count = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
    const [found] = await stage.server.run<{ count: number }>(url, count)
    most = Math.max(most, found?.count ?? 0)
  }
  let last = look()
  const timer = setInterval(() => {
    last = last.then(look)
  }, 200)
  return async () => {
    clearInterval(timer)
    await last
    return most
  }
}

async function measureScaling(what: string, message: string, options: { turnsAtOnce?: number }, targets: number[]) {
  const name = `scale_${options.turnsAtOnce ?? 'all'}`
  const database = await stage.server.database(name)
  const sqlite = await stage.start(`${name}-sqlite`, options)
  const clients = (options.turnsAtOnce ?? 8) * 3
  for (let warmUp = 0; warmUp < 10; warmUp++) await sqlite.take('hello')
  const theirs = await throughput([sqlite], clients, message)
  await sqlite.stop()
  const bots: Bot[] = []
  const each: number[] = []
  for (const node of ['one', 'two', 'three']) {
    bots.push(await stage.start(name, { ...options, database, node }))
    for (let warmUp = 0; warmUp < 10; warmUp++) for (const { take } of bots) await take('hello')
    const connections = watchConnections(database)
    each.push(await throughput(bots, clients, message))
    const count = bots.length
    const times = (each.at(-1) ?? 0) / (each[0] ?? Number.NaN)
    const target = targets[count - 2]
    row(
      `${what}: turns a second, ${count} process${count === 1 ? '' : 'es'}`,
      each.at(-1)?.toFixed(1),
      count === 1 ? theirs.toFixed(1) : '',
      `${times.toFixed(2)} times`,
      count === 1 || target === undefined ? '' : `at least ${target}: ${times >= target ? 'ok' : 'missed'}`,
    )
    const most = await connections()
    row(`${what}: connections at most`, `${most}`, '', '', atMost(most, 10 * count))
  }
  await Promise.all(bots.map((bot) => bot.stop()))
}

async function measureLarge() {
  const [large, empty] = [await stage.server.database('large'), await stage.server.database('empty')]
  await stage.fillPostgres(large, size)
  await stage.fillSqlite('large-sqlite', size)
  const bots = [
    await stage.start('large', { database: large }),
    await stage.start('empty', { database: empty }),
    await stage.start('large-sqlite'),
    await stage.start('empty-sqlite'),
  ]
  const before = await readWhole(large)
  const [a, b, c, d] = await alternating(bots)
  if (a === undefined || b === undefined || c === undefined || d === undefined) return
  for (const kind of ['first', 'next'] as const) {
    const what = `${size.sessions} sessions: a turn in ${kind === 'first' ? 'a new' : 'the same'} thread`
    const [ours, theirs] = [median(a[kind]) / median(b[kind]), median(c[kind]) / median(d[kind])]
    row(what, ms(median(a[kind])), ms(median(c[kind])))
    const target = [ours, theirs].map((ratio) => (ratio <= 1.1 ? 'ok' : 'missed')).join(', ')
    row('  beside an empty database', ours.toFixed(2), theirs.toFixed(2), '', `at most 1.1: ${target}`)
  }
  const after = await readWhole(large)
  await Promise.all(bots.map((bot) => bot.stop()))
  await measureLooks(large, join(scratch, 'large-sqlite', 'bobbin.db'))
  for (const [table, rows] of after) {
    const each = (rows - (before.get(table) ?? 0)) / (turns * 2)
    if (each >= 1_000) row(`  rows of ${table} read without an index`, each.toFixed(0), '', 'each turn')
  }
}

/** Rows that were read by going through whole tables. */
async function readWhole(url: string): Promise<Map<string, number>> {
  const rows = await stage.server.run<{ relname: string; seq_tup_read: string }>(
    url,
    "select relname, seq_tup_read from pg_stat_user_tables where schemaname = 'public'",
  )
  return new Map(rows.map(({ relname, seq_tup_read }) => [relname, Number(seq_tup_read)]))
}
