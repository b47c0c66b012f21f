import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Subject, startSubject } from './subject.ts'
import { atMost, mb, median, ms, row } from './table.ts'
import { bobbinTurn, type TakeTurn } from './turn.ts'

// What five subagents at once cost beside other turns, in one run on one machine, with a model without latency; and what
// threads cost whose subagent waits for a person. Quote only ratios and differences. What five subagents add is told beside
// the same turn with a tool in their place. It asks the model twice, and with them seven times: beside a turn that asks seven
// times by itself, what is left is the subagents' own cost.

const root = resolve(import.meta.dirname, '..')
const quick = process.argv.includes('--quick')
const rounds = quick ? 10 : 60
const waiting = quick ? 20 : 200

/** The first beside each of the others. `inRow`: one after another between two looks at the processor time. */
const turns = [
  { what: 'five subagents', says: 'delegate 5: hello', inRow: 20 },
  { what: 'a plain turn', says: 'hello', inRow: 60 },
  { what: 'a turn with one tool', says: 'tools 1', inRow: 40 },
  { what: 'a turn with one subagent', says: 'delegate 1: hello', inRow: 30 },
  { what: 'a turn that asks as often', says: 'tools 6', inRow: 20 },
]

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

async function measureTime(take: TakeTurn) {
  const taken = new Map<string, number[]>()
  for (let round = -10; round < rounds; round++)
    for (const { says } of turns) {
      const { wholeMs } = await take(says)
      if (round >= 0) taken.set(says, [...(taken.get(says) ?? []), wholeMs])
    }
  compare('time', taken, (times) => atMost(times, 3))
}

/** The same in the bot's own processor time, which says more on a busy machine. */
async function measureCpu(take: TakeTurn, subject: Subject) {
  const taken = new Map<string, number[]>()
  for (let round = 0; round < (quick ? 3 : 9); round++)
    for (const { says, inRow } of turns) {
      const before = subject.cpuMs()
      for (let turn = 0; turn < inRow; turn++) await take(says)
      taken.set(says, [...(taken.get(says) ?? []), (subject.cpuMs() - before) / inRow])
    }
  compare('processor time', taken)
}

function compare(what: string, taken: Map<string, number[]>, target?: (times: number) => string): void {
  const [five = 0, ...others] = turns.map(({ says }) => median(taken.get(says) ?? []))
  for (const [index, value] of others.entries())
    row(`${what} beside ${turns[index + 1]?.what}`, ms(five), ms(value), `${(five / value).toFixed(2)} times`)
  const [plain = 0, oneTool = 0] = others
  const added = five - oneTool
  const times = added / plain
  row(`${what} that five add, in plain turns`, ms(added), ms(plain), `${times.toFixed(2)} times`, target?.(times))
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
