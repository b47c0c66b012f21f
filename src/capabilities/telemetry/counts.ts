import type { AskedModel, Moment, MomentPlace } from '../../turn/port/moments.ts'
import { Counter, Histogram, type Labels } from './tally.ts'

// The bounds that the conventions for generative AI recommend.
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
const longSeconds = [...seconds, 163.84, 327.68, 655.36, 1310.72]

const timed = (name: string, description: string, bounds: readonly number[]): Histogram =>
  new Histogram({ name, description, unit: 's' }, bounds)

const counted = (name: string, description: string, unit: string): Counter => new Counter({ name, description, unit })

/** All our requests use OpenAI's interface, whoever answers there. */
const chatOf = ({ name }: AskedModel): Labels => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': name,
})

/** When a running turn and its calls started. */
interface Running {
  at: number
  platform: string
  calls: Map<string, number>
}

/** What is counted since the start of the process. Nothing in it names a thread, a person or a file. */
export class Counts {
  readonly since = Date.now()
  readonly #now: () => number
  readonly #asked = new WeakMap<AskedModel, { at: number; heard: boolean }>()
  readonly #turns = new Map<string, Running>()

  readonly tokens = new Histogram(
    { name: 'gen_ai.client.token.usage', description: 'Tokens of a model call', unit: '{token}' },
    tokens,
  )
  readonly duration = timed(
    'gen_ai.client.operation.duration',
    'How long a model call took, including its retries',
    seconds,
  )
  readonly firstChunk = timed(
    'gen_ai.client.operation.time_to_first_chunk',
    'How long it took until the first piece of a reply',
    seconds,
  )
  readonly cached = counted('bobbin.model.cached_tokens', 'Input tokens read from a provider’s cache', '{token}')
  readonly reasoning = counted('bobbin.model.reasoning_tokens', 'Output tokens spent on reasoning', '{token}')
  readonly cost = counted('bobbin.model.cost', 'What model calls have cost, where the price is known', 'USD')
  readonly retries = counted(
    'bobbin.model.retries',
    'Attempts at a model call that failed and were retried',
    '{attempt}',
  )
  readonly turns = timed('bobbin.turn.duration', 'How long turns ran, not counting waits for people', longSeconds)
  readonly toolSeconds = timed('bobbin.tool.duration', 'How long tool calls ran', longSeconds)
  readonly calls = counted('bobbin.tool.calls', 'Tool calls by how they ended, including refused ones', '{call}')

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get counters(): readonly Counter[] {
    return [this.cached, this.reasoning, this.cost, this.retries, this.calls]
  }

  get histograms(): readonly Histogram[] {
    return [this.tokens, this.duration, this.firstChunk, this.turns, this.toolSeconds]
  }

  /** How many turns are running. */
  get running(): number {
    return this.#turns.size
  }

  see(moment: Moment, { turn }: MomentPlace): void {
    if ('model' in moment) this.#seeModel(moment)
    else if (turn !== undefined) this.#seeTurn(moment, turn)
  }

  #seeTurn(moment: Exclude<Moment, { model: AskedModel }>, turn: string): void {
    const now = this.#now()
    if (moment.kind === 'taken') this.#turns.set(turn, { at: now, platform: moment.platform, calls: new Map() })
    const running = this.#turns.get(turn)
    if (running === undefined) return
    if (moment.kind === 'call started') running.calls.set(moment.call, now)
    if (moment.kind === 'call ended') {
      const { call, tool = 'unknown', status } = moment
      const labels = { 'gen_ai.tool.name': tool, status }
      const startedAt = running.calls.get(call)
      this.calls.add(1, labels)
      if (startedAt !== undefined) this.toolSeconds.record((now - startedAt) / 1000, labels)
    }
    if (moment.kind !== 'left') return
    this.#turns.delete(turn)
    const { at, platform } = running
    this.turns.record((now - at) / 1000, { platform, outcome: moment.how, ...errorIn(moment) })
  }

  #seeModel(moment: Extract<Moment, { model: AskedModel }>): void {
    const { model } = moment
    const labels = chatOf(model)
    const now = this.#now()
    if (moment.kind === 'asked') this.#asked.set(model, { at: now, heard: false })
    const asked = this.#asked.get(model)
    if (asked === undefined) return
    const tookSeconds = (now - asked.at) / 1000
    if (moment.kind === 'first piece') {
      if (!asked.heard) this.firstChunk.record(tookSeconds, labels)
      asked.heard = true
    }
    if (moment.kind === 'retry') this.retries.add(1, { ...labels, ...errorIn(moment) })
    if (moment.kind === 'not replied') this.duration.record(tookSeconds, { ...labels, ...errorIn(moment) })
    if (moment.kind !== 'replied') return
    this.duration.record(tookSeconds, labels)
    this.cost.add((moment.nanos ?? 0) / 1e9, labels)
    const { usage } = moment
    if (usage === undefined) return
    this.tokens.record(usage.input, { ...labels, 'gen_ai.token.type': 'input' })
    this.tokens.record(usage.output, { ...labels, 'gen_ai.token.type': 'output' })
    this.cached.add(usage.cached, labels)
    this.reasoning.add(usage.reasoning ?? 0, labels)
  }
}

const errorIn = ({ code }: { code?: string | undefined }): Labels => (code === undefined ? {} : { 'error.type': code })
