import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../src/config/load.ts'
import { shippedConfigDir } from '../src/config/shipped.ts'
import { startBot } from '../src/main.ts'
import { builtinSections } from '../src/wiring/capabilities.ts'
import { Client } from '../tests/support/client.ts'
import { calls, type RequestBody, type ScriptedReply, says, startModelServer } from '../tests/support/model-server.ts'
import { serialised, sharedPrefix } from '../tests/support/prefix.ts'

// Which share of each request is an equal prefix of the one before, so that a provider's cache can serve it. A
// session of 50 turns with uploads, mentions, todos, approvals, alarms and a restart, with results of different sizes.
// Counted in characters of the tools and messages as they are sent; tokens go along with them. `--turns` lists the turns.

const turns = 50
const targets = new Map([
  [200, 0.95],
  [2_000, 0.95],
  [20_000, 0.93],
])
const hourMs = 3_600_000

const isSummary = ({ tools = [] }: RequestBody): boolean => tools.length === 0

/** What the model does in a turn. Every turn reads; some do more. */
function work(turn: number, size: number): ScriptedReply[] {
  const read = calls('read_file', { path: 'uploads/data.txt', offset: turn * linesOf(size) + 1, limit: linesOf(size) })
  const answer = says(`That is in part ${turn} of the data: sales were as expected.`)
  if (turn % 10 === 3) {
    const todos = [{ content: `Look at part ${turn}`, status: 'in_progress' }]
    return [calls('todo_write', { todos }), read, answer]
  }
  if (turn % 10 === 5)
    return [read, calls('write_file', { path: 'uploads/data-note.md', content: `Turn ${turn}` }), answer]
  if (turn % 10 === 7)
    return [calls('alarm_set', { at: 'in 1 hour', message: `Look again at part ${turn}.` }), read, answer]
  return [read, answer]
}

const line = 'Sales in this week were as expected, the harbour was open every day and two ships came in late.'.padEnd(
  99,
)
const linesOf = (size: number): number => Math.max(1, Math.round(size / (line.length + 1)))

const words = (turn: number): string => {
  if (turn % 10 === 2) return `What does #data.txt say in part ${turn}?`
  if (turn === 20) return `Use @run_command if you need it: what is in part ${turn}?`
  return `What does part ${turn} of the data say, and since when?`
}

async function session(size: number) {
  const scratch = await mkdtemp(join(tmpdir(), 'bobbin-prefix-'))
  const ahead = { ms: 0 }
  const clock = { now: () => Date.now() + ahead.ms }
  let script: ScriptedReply[] = []
  const model = await startModelServer((body) => (isSummary(body) ? says('Notes.'.repeat(200)) : script.shift()))
  const loaded = loadConfig(
    {
      MODEL_BASE_BASE_URL: model.url,
      MODEL_BASE_ID: 'bench',
      MODEL_BASE_API_KEY: 'none',
      BOBBIN_CONFIG_DIR: shippedConfigDir,
      BOBBIN_DATA_DIR: scratch,
      BOBBIN_PORT: '0',
      BOBBIN_LOG_LEVEL: 'silent',
    },
    scratch,
    builtinSections,
  )
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  let bot = await startBot(loaded.config, { clock })
  const chat = new Client(bot.url)
  let conversation: string | undefined
  const ends: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    script = work(turn, size)
    const files = filesAt(turn, size)
    const said = await chat.say(words(turn), {
      conversation,
      user: turn % 3 === 0 ? 'ben' : 'ana',
      ...(files && { files }),
    })
    conversation = said.conversation
    for (const request of await chat.requests()) {
      const after = said.events.findLast(({ event_id }) => event_id !== undefined)?.event_id
      await chat.answer(request.id, { decision: 'approve' })
      await chat.untilType(conversation, 'complete', after)
    }
    if (turn % 10 === 8) {
      const last = (await chat.events(conversation)).at(-1)?.event_id
      script = work(0, size)
      ahead.ms += hourMs + 60_000
      await chat.untilType(conversation, 'complete', last)
    }
    if (turn === 25) {
      await bot.stop()
      bot = await startBot(loaded.config, { clock })
      chat.url = bot.url
    }
    ends.push(model.requests.length)
  }
  const compressions = (await chat.events(conversation ?? '')).filter(
    ({ type }) => type === 'context_compressed',
  ).length
  await bot.stop()
  await model.close()
  await rm(scratch, { recursive: true, force: true })
  return {
    requests: model.requests.filter((body) => !isSummary(body)),
    compressions,
    ends,
    violations: model.violations,
  }
}

function filesAt(turn: number, size: number): Record<string, string> | undefined {
  if (turn === 0) return { 'data.txt': Array.from({ length: linesOf(size) * (turns + 1) }, () => line).join('\n') }
  if (turn % 10 === 4) return { [`note-${turn}.md`]: `A small note of turn ${turn}.\n`.repeat(20) }
  return undefined
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

for (const [size, target] of targets) {
  const { requests, compressions, violations } = await session(size)
  const texts = requests.map(serialised)
  const shared = texts.map((text, place) => (place === 0 ? 0 : sharedPrefix(texts[place - 1] ?? '', text)))
  const sum = (values: number[]) => values.reduce((one, other) => one + other, 0)
  const share = sum(shared.slice(1)) / sum(texts.slice(1).map(({ length }) => length))
  const largest = Math.max(...texts.map(({ length }) => length))
  const facts = `${requests.length} requests, the largest of ${(largest / 1000).toFixed(0)} kB, compressed ${compressions} times`
  const wrong = violations.length === 0 ? '' : `, ${violations.length} refused`
  process.stdout.write(
    `results of ${String(size).padStart(6)} characters: ${percent(share).padStart(7)} (target ${percent(target)}); ${facts}${wrong}\n`,
  )
  if (!process.argv.includes('--turns')) continue
  for (const [place, text] of texts.entries())
    process.stdout.write(
      `${String(place).padStart(5)} ${String(text.length).padStart(8)} ${percent((shared[place] ?? 0) / text.length)}\n`,
    )
}
