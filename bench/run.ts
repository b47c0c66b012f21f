import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Subject, startSubject } from './subject.ts'
import { at, atMost, mb, measureDatabase, median, ms, row } from './table.ts'
import { baselineTurn, bobbinTurn, type TakeTurn, type Turn } from './turn.ts'

// Compares Bobbin with ten lines of HTTP and the model's client without storage, in one run on one machine, with a model
// without latency. Quote only ratios and differences, because absolute times vary with the machine, and under load even
// the differences do.

const root = resolve(import.meta.dirname, '..')
const quick = process.argv.includes('--quick')
const rounds = quick ? 3 : 9
const turns = quick ? 20 : 100

const model = await startSubject([join(root, 'bench/model.ts')], '')
const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
const environment = (data: string) => ({
  MODEL_BASE_BASE_URL: model.url,
  MODEL_BASE_ID: 'bench',
  MODEL_BASE_API_KEY: 'none',
  BOBBIN_PORT: '0',
  BOBBIN_LOG_LEVEL: 'silent',
  BOBBIN_DATA_DIR: join(scratch, data),
})
const startBobbin = (data: string) => startSubject([join(root, 'src/bin.js'), 'start'], '/health', environment(data))
const startBaseline = () => startSubject([join(root, 'bench/baseline.ts')], '/', environment('none'))

row('Console', 'bobbin', 'baseline', '', 'target')
await measureReady()
const ours = await startBobbin('main')
const theirs = await startBaseline()
await measureIdle(ours, theirs)
const takeOurs = bobbinTurn(ours.url)
const takeTheirs = baselineTurn(theirs.url)
await measureTurns(takeOurs, takeTheirs)
await measureCalls(takeOurs, takeTheirs)
await measureTen(takeOurs, takeTheirs, ours, theirs)
await measureTwoHundred(takeOurs, takeTheirs)
await measureSessions(takeOurs, ours)
await measureLongSession(takeOurs, ours)
for (const subject of [ours, theirs, model]) await subject.stop()
await rm(scratch, { recursive: true, force: true })
await measureDatabase()

async function measureReady() {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    const bobbin = await startBobbin(`ready-${round}`)
    await bobbin.stop()
    const baseline = await startBaseline()
    await baseline.stop()
    times.ours.push(bobbin.readyMs)
    times.theirs.push(baseline.readyMs)
  }
  const [a, b] = [median(times.ours), median(times.theirs)]
  row(`ready, median of ${rounds} (fresh data)`, ms(a), ms(b), `${(a / b).toFixed(2)} times`, atMost(a / b, 2.5))
}

async function measureIdle(bobbin: Subject, baseline: Subject) {
  await sleep(quick ? 1_000 : 5_000)
  const [a, b] = [bobbin.memory(), baseline.memory()]
  row('idle memory', mb(a), mb(b), `${(a / b).toFixed(2)} times`, atMost(a / b, 1.5))
}

async function alternating(
  ours: TakeTurn,
  theirs: TakeTurn,
  message: string,
): Promise<{ ours: Turn[]; theirs: Turn[] }> {
  const taken: { ours: Turn[]; theirs: Turn[] } = { ours: [], theirs: [] }
  for (let warmUp = 0; warmUp < 10; warmUp++) await Promise.all([ours(message), theirs(message)])
  for (let turn = 0; turn < turns; turn++) {
    taken.ours.push(await ours(message))
    taken.theirs.push(await theirs(message))
  }
  return taken
}

async function measureTurns(ours: TakeTurn, theirs: TakeTurn) {
  const taken = await alternating(ours, theirs, 'hello')
  for (const [what, key] of [
    ['first words', 'firstMs'],
    ['whole answer', 'wholeMs'],
  ] as const) {
    for (const [name, share] of [
      ['median', 0.5],
      ['p95', 0.95],
    ] as const) {
      const [a, b] = [
        at(
          taken.ours.map((turn) => turn[key]),
          share,
        ),
        at(
          taken.theirs.map((turn) => turn[key]),
          share,
        ),
      ]
      const isAimedAt = key === 'firstMs' && share === 0.5
      const target = isAimedAt ? atMost(a - b, 10, ' ms more') : ''
      row(`${what}, ${name} of ${turns} turns`, ms(a), ms(b), `${(a - b).toFixed(1)} ms more`, target)
    }
  }
}

async function measureCalls(ours: TakeTurn, theirs: TakeTurn) {
  const calls = 10
  const without = await alternating(ours, theirs, 'hello')
  const having = await alternating(ours, theirs, `tools ${calls}`)
  const each = (which: 'ours' | 'theirs') =>
    (median(having[which].map(({ wholeMs }) => wholeMs)) - median(without[which].map(({ wholeMs }) => wholeMs))) / calls
  const [a, b] = [each('ours'), each('theirs')]
  row('a tool call and the model call after it', ms(a), ms(b), `${(a - b).toFixed(1)} ms more`)
}

async function measureTen(ours: TakeTurn, theirs: TakeTurn, bobbin: Subject, baseline: Subject) {
  const many = async (take: TakeTurn, subject: Subject) => {
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, subject.memory())
    }, 20)
    const taken = await Promise.all(Array.from({ length: 10 }, () => take('slow 40')))
    clearInterval(timer)
    return { peak, delays: taken.flatMap(({ delaysMs }) => delaysMs) }
  }
  const [a, b] = [await many(ours, bobbin), await many(theirs, baseline)]
  row('10 turns at once: memory at most', mb(a.peak), mb(b.peak), '', atMost(a.peak, 512, ' MB'))
  for (const [name, share] of [
    ['median', 0.5],
    ['most', 1],
  ] as const) {
    const [mine, other] = [at(a.delays, share), at(b.delays, share)]
    const target = name === 'most' ? atMost(mine, 500, ' ms') : ''
    row(`10 turns at once: model to screen, ${name}`, ms(mine), ms(other), '', target)
  }
}

async function measureTwoHundred(ours: TakeTurn, theirs: TakeTurn) {
  const all = async (take: TakeTurn) => {
    const started = performance.now()
    await Promise.all(Array.from({ length: 200 }, () => take('hello')))
    return performance.now() - started
  }
  const [a, b] = [await all(ours), await all(theirs)]
  row('200 turns at once: until the last is answered', ms(a), ms(b), `${(a / b).toFixed(1)} times`)
}

async function measureSessions(ours: TakeTurn, bobbin: Subject) {
  const count = quick ? 100 : 1_000
  const before = bobbin.memory()
  for (let batch = 0; batch < count / 20; batch++) await Promise.all(Array.from({ length: 20 }, () => ours('hello')))
  row(`memory per session, over ${count} new ones`, `${(((bobbin.memory() - before) * 1024) / count).toFixed(1)} kB`)
}

async function measureLongSession(ours: TakeTurn, bobbin: Subject) {
  const pairs = quick ? 50 : 500
  const times: number[] = []
  let conversation: string | undefined
  for (let turn = 0; turn < pairs; turn++) {
    const taken = await ours('hello', conversation)
    conversation = taken.conversation
    times.push(taken.wholeMs)
  }
  const early = median(times.slice(5, 45))
  const late = median(times.slice(-40))
  row(
    `a session of ${pairs * 2} messages: early, late answer`,
    ms(early),
    ms(late),
    `${(late / early).toFixed(2)} times`,
  )
  row('memory in the end', mb(bobbin.memory()))
}
