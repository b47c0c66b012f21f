import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databasePlace } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { dollarWords, nanosOf } from '../../src/kit/model/cost.ts'
import type { Price } from '../../src/kit/model/model.ts'
import { startBot } from '../../src/main.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { Client, ofType } from '../../tests/support/client.ts'
import { type RequestBody, startModelServer } from '../../tests/support/model-server.ts'
import { rowsIn } from '../../tests/support/rows.ts'
import { isSummary, notesOf, SessionModel } from './model.ts'
import { naiveTokens, type Tokens } from './naive.ts'
import { cachingProvider, partsOf, tokensOf } from './provider.ts'
import { sessionOf } from './session.ts'

// A long session: whether each request stays within the budget, whether what was said long ago is still found, and what
// it costs, compared with a naive prompt. The model server counts with a real tokenizer and caches prefixes as providers
// do. `--seed 3` makes another session, `--tokens 32000` a smaller window.

function option(name: string, otherwise: number): number {
  const place = process.argv.indexOf(name)
  return place === -1 ? otherwise : Number(process.argv[place + 1])
}

const seed = option('--seed', 1)
const context = option('--tokens', 128_000)
/** Of a model that isn't known: its context, less what is reserved for the reply. */
const budget = context - 4_096
/** Words of a summary. */
const summaryWords = 900

/** What a cached token costs, compared with another one, and a token of the reply. */
const prices: Record<string, Price> = {
  'a tenth': { input: 1.25, cached: 0.125, output: 10 },
  'a quarter': { input: 2, cached: 0.5, output: 8 },
}

const least = { found: 0.95, costShare: 0.25 }

async function play() {
  const scratch = await mkdtemp(join(tmpdir(), 'bobbin-context-'))
  const session = sessionOf(seed)
  const model = new SessionModel()
  const count = cachingProvider()
  const total: Tokens = { input: 0, cached: 0, output: 0 }
  const largest = { tokens: 0, over: 0 }
  const seen = { summaries: 0, fixed: 0 }
  const server = await startModelServer((body: RequestBody) => {
    // They would fill the memory.
    server.requests.length = 0
    const counted = count(body)
    const reply = isSummary(body) ? notesOf(body, summaryWords) : model.reply(body)
    const said = [reply.text ?? '', ...(reply.calls ?? []).map((call) => `${call.name} ${call.arguments}`)].join('\n')
    const output = tokensOf(said)
    if (isSummary(body)) seen.summaries++
    else seen.fixed = fixedIn(body)
    largest.tokens = Math.max(largest.tokens, counted.input)
    if (counted.input > budget) largest.over++
    for (const [key, value] of Object.entries({ ...counted, output })) total[key as keyof Tokens] += value
    return { ...reply, usage: { ...counted, output } }
  })
  const environment = {
    MODEL_BASE_BASE_URL: server.url,
    MODEL_BASE_ID: 'bench',
    MODEL_BASE_API_KEY: 'none',
    MODEL_BASE_CONTEXT: `${context}`,
    MODEL_BASE_OUTPUT: '4096',
    MODEL_BASE_PRICE_INPUT: `${prices['a tenth']?.input}`,
    MODEL_BASE_PRICE_CACHED: `${prices['a tenth']?.cached}`,
    MODEL_BASE_PRICE_OUTPUT: `${prices['a tenth']?.output}`,
    BOBBIN_CONFIG_DIR: shippedConfigDir,
    BOBBIN_DATA_DIR: scratch,
    BOBBIN_PORT: '0',
    BOBBIN_LOG_LEVEL: 'silent',
  }
  const loaded = loadConfig(environment, scratch, builtinSections)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  const bot = await startBot(loaded.config)
  const chat = new Client(bot.url)
  let conversation: string | undefined
  let compressions: string[] = []
  for (const [number, turn] of session.turns.entries()) {
    model.begin(turn)
    const files = number === 0 ? { 'data.txt': session.file } : undefined
    const said = await chat.say(turn.says, {
      conversation,
      user: number % 3 === 0 ? 'ben' : 'ana',
      ...(files && { files }),
    })
    conversation = said.conversation
    if (said.text === undefined)
      throw new Error(`turn ${number} was not answered: ${JSON.stringify(said.events.at(-1))}`)
    compressions = [...compressions, ...ofType(said.events, 'context_compressed').map(({ data }) => data.strategy)]
  }
  const { total_usd: recorded } = await chat.get<{ total_usd: number }>('/usage?by=model')
  await bot.stop()
  await server.close()
  const database = databasePlace(loaded.config)
  const naive = naiveTokens(database, seen.fixed, budget)
  const [messages] = rowsIn<{ all: number; results: number }>(
    database,
    `select count(*) as "all", sum(case when role = 'tool' then 1 else 0 end) as results from messages`,
  )
  await rm(scratch, { recursive: true, force: true })
  const { violations } = server
  return { session, found: model.found, total, largest, seen, naive, messages, compressions, recorded, violations }
}

/** Tokens of the tools and the system prompt. */
const fixedIn = ({ tools, messages }: RequestBody): number =>
  partsOf({ tools, messages: messages.slice(0, 1) }).reduce((sum, part) => sum + tokensOf(part), 0)

const print = (line: string) => process.stdout.write(`${line}\n`)
const number = (value: number): string => Math.round(value).toLocaleString('en')
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const nanos = (tokens: Tokens, price: Price) => nanosOf(tokens, price)

const { session, found, total, largest, seen, naive, messages, compressions, recorded, violations } = await play()
const places = [...found.values()]
const count = (where: string) => places.filter((one) => one === where).length
const share = (count('in context') + count('by search')) / session.facts.length
print(
  `messages ${messages?.all}, results ${messages?.results}, compressed ${compressions.length} times (${[...new Set(compressions)].join(', ')}), ${seen.summaries} summaries`,
)
print(
  `largest request ${number(largest.tokens)} of ${number(budget)} tokens; ${largest.over} requests over it; ${violations.length} refused`,
)
print(
  `facts asked for: ${session.facts.length}; in context ${count('in context')}, by search ${count('by search')}, lost ${count('lost')}: ${percent(share)} (target ${percent(least.found)})`,
)
print(
  `tokens: Bobbin ${number(total.input)} in, ${percent(total.cached / total.input)} of them cached, ${number(total.output)} out`,
)
print(
  `        naive  ${number(naive.input)} in, ${percent(naive.cached / naive.input)} of them cached, ${number(naive.output)} out, in ${naive.requests} requests`,
)
let isDear = false
for (const [name, price] of Object.entries(prices)) {
  const compared = nanos(total, price) / nanos(naive, price)
  isDear ||= name === 'a tenth' && compared > least.costShare
  print(
    `where a cached token costs ${name}: ${dollarWords(nanos(total, price))} and naive ${dollarWords(nanos(naive, price))}: ${percent(compared)} (target ${percent(least.costShare)})`,
  )
}
print(`recorded by Bobbin: ${dollarWords(recorded * 1e9)}`)
if (share < least.found || largest.over > 0 || violations.length > 0 || isDear) process.exitCode = 1
for (const [fact, where] of found) if (where === 'lost') print(`lost: ${JSON.stringify(fact)}`)
