import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Subject, startSubject } from './subject.ts'
import { atMost, mb, median, ms, row } from './table.ts'
import { bobbinTurn, type TakeTurn } from './turn.ts'

// What five subagents at once cost beside a plain turn and beside a turn with one subagent, in one run on one machine,
// with a model without latency; and what threads cost whose subagent waits for a person. Quote only ratios and
// differences.

const root = resolve(import.meta.dirname, '..')
const quick = process.argv.includes('--quick')
const rounds = quick ? 10 : 60
const waiting = quick ? 20 : 200

const model = await startSubject([join(root, 'bench/model.ts')], '')
const scratch = await mkdtemp(join(tmpdir(), 'bobbin-bench-'))
const bobbin = await startSubject([join(root, 'src/bin.js'), 'start'], '/health', {
  MODEL_BASE_BASE_URL: model.url,
  MODEL_BASE_ID: 'bench',
  MODEL_BASE_API_KEY: 'none',
  BOBBIN_PORT: '0',
  BOBBIN_LOG_LEVEL: 'silent',
  BOBBIN_DATA_DIR: join(scratch, 'data'),
})
try {
  const take = bobbinTurn(bobbin.url)
  row('Delegation', 'five', 'beside', '', 'target')
  await measureTime(take)
  await measureCpu(take, bobbin)
  await measureMemory(take, bobbin)
  await measureWaiting(bobbin)
} finally {
  for (const subject of [bobbin, model]) await subject.stop()
  await rm(scratch, { recursive: true, force: true })
}

/** Beside a plain turn, which asks the model once where these ask seven times, and beside a turn with one subagent. */
async function measureTime(take: TakeTurn) {
  const taken = { five: [] as number[], one: [] as number[], none: [] as number[] }
  for (let round = -10; round < rounds; round++) {
    const five = await take('delegate 5: hello')
    const one = await take('delegate 1: hello')
    const none = await take('hello')
    if (round < 0) continue
    taken.five.push(five.wholeMs)
    taken.one.push(one.wholeMs)
    taken.none.push(none.wholeMs)
  }
  const five = median(taken.five)
  for (const [beside, value] of [
    ['beside a plain turn', median(taken.none)],
    ['beside a turn with one subagent', median(taken.one)],
  ] as const) {
    const times = five / value
    row(`five subagents ${beside}`, ms(five), ms(value), `${times.toFixed(2)} times`, atMost(times, 3))
  }
}

/** The same in the bot's own processor time, which says more on a busy machine. */
async function measureCpu(take: TakeTurn, subject: Subject) {
  const perTurn = async (message: string, turns: number) => {
    const before = subject.cpuMs()
    for (let turn = 0; turn < turns; turn++) await take(message)
    return (subject.cpuMs() - before) / turns
  }
  const taken = { five: [] as number[], none: [] as number[] }
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    taken.five.push(await perTurn('delegate 5: hello', 20))
    taken.none.push(await perTurn('hello', 60))
  }
  const [five, none] = [median(taken.five), median(taken.none)]
  row('the same by processor time', ms(five), ms(none), `${(five / none).toFixed(2)} times`, atMost(five / none, 3))
}

/** The most resident memory of the bot while something runs, MB. */
async function peakDuring(subject: Subject, work: Promise<unknown>): Promise<number> {
  let most = subject.memory()
  let over = false
  const sampled = (async () => {
    while (!over) {
      most = Math.max(most, subject.memory())
      await sleep(20)
    }
  })()
  await work
  over = true
  await sampled
  return most
}

async function measureMemory(take: TakeTurn, subject: Subject) {
  const added: { five: number[]; none: number[] } = { five: [], none: [] }
  for (let round = 0; round < (quick ? 3 : 9); round++)
    for (const [which, message] of [
      ['none', 'slow 50'],
      ['five', 'delegate 5: slow 50'],
    ] as const) {
      const before = subject.memory()
      added[which].push((await peakDuring(subject, take(message))) - before)
    }
  const [five, none] = [median(added.five), median(added.none)]
  row(
    'memory added while it runs',
    mb(five),
    mb(none),
    `${(five - none).toFixed(1)} MB more`,
    atMost(five - none, 30, ' MB'),
  )
}

/** Parents that wait are rows: after them, and some turns that give memory back, the bot is as large as before. */
async function measureWaiting(subject: Subject) {
  const ask = async () => {
    const response = await fetch(`${subject.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'delegate 1: ask-people' }),
    })
    await response.text()
  }
  for (let warmUp = 0; warmUp < 10; warmUp++) await ask()
  await sleep(2_000)
  const before = subject.memory()
  for (let thread = 0; thread < waiting; thread++) await ask()
  const { requests } = (await (await fetch(`${subject.url}/api/v1/requests?status=pending&limit=1000`)).json()) as {
    requests: unknown[]
  }
  if (requests.length !== waiting + 10) throw new Error(`${requests.length} wait`)
  await sleep(2_000)
  const each = ((subject.memory() - before) / waiting) * 1024
  row(`memory for each of ${waiting} parents that wait`, `${each.toFixed(0)} KB`, '', '', atMost(each, 100, ' KB'))
}
