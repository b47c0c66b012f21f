import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'
import type { TurnId } from '../../domain/ids.ts'
import type { AskedModel, Moment, MomentPlace } from '../../turn/port/moments.ts'
import { traceIdOf } from './trace-id.ts'

/** Random ids, except that a span without a parent belongs to the trace of its turn. */
export class TurnIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  turn: TurnId | undefined

  generateTraceId(): string {
    return this.turn === undefined ? this.#random.generateTraceId() : traceIdOf(this.turn)
  }

  generateSpanId(): string {
    return this.#random.generateSpanId()
  }
}

/** The open spans of a turn that this process runs. */
interface OpenTurn {
  whole: Span
  step: Span | undefined
  calls: Map<string, Span>
}

interface OpenModel {
  span: Span
  at: number
  heard: boolean
}

/** Turns what happens into spans: each turn, its steps, and in each step its model calls and tool calls. */
export class Spans {
  readonly #tracer: Tracer
  readonly #ids: TurnIds
  readonly #turns = new Map<TurnId, OpenTurn>()
  readonly #models = new WeakMap<AskedModel, OpenModel>()

  constructor(tracer: Tracer, ids: TurnIds) {
    this.#tracer = tracer
    this.#ids = ids
  }

  see(moment: Moment, place: MomentPlace): void {
    if ('model' in moment) this.#seeModel(moment, place)
    else if (place.turn !== undefined) this.#seeTurn(moment, place, place.turn)
  }

  #seeTurn(moment: Exclude<Moment, { model: AskedModel }>, { session }: MomentPlace, turn: TurnId): void {
    if (moment.kind === 'taken') {
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'bobbin',
        'gen_ai.conversation.id': session,
        'bobbin.turn.id': turn,
        'bobbin.platform': moment.platform,
        'bobbin.turn.steps_before': moment.steps,
      }
      this.#turns.set(turn, {
        whole: this.#root('invoke_agent bobbin', attributes, turn),
        step: undefined,
        calls: new Map(),
      })
    }
    const open = this.#turns.get(turn)
    if (open === undefined) return
    if (moment.kind === 'step') {
      open.step?.end()
      open.step = this.#below(open.whole, `step ${moment.number}`, { 'bobbin.step': moment.number })
    }
    if (moment.kind === 'call started') open.calls.set(moment.call, this.#call(open, moment.call, moment.tool))
    if (moment.kind === 'call ended') {
      const { call, tool = 'unknown', status } = moment
      const span = open.calls.get(call) ?? this.#call(open, call, tool)
      open.calls.delete(call)
      finish(span, { 'bobbin.tool.status': status }, status === 'done' ? undefined : status)
    }
    if (moment.kind === 'left') {
      this.#turns.delete(turn)
      // Open calls continue elsewhere, or nobody will ever know how they ended.
      for (const span of open.calls.values()) finish(span, {}, 'interrupted')
      open.step?.end()
      const failed = moment.how === 'failed' ? (moment.code ?? 'failed') : undefined
      finish(open.whole, { 'bobbin.turn.outcome': moment.how }, failed)
    }
  }

  #seeModel(moment: Extract<Moment, { model: AskedModel }>, place: MomentPlace): void {
    const { model } = moment
    if (moment.kind === 'asked') {
      this.#models.set(model, { span: this.#chat(model, place), at: performance.now(), heard: false })
    }
    const open = this.#models.get(model)
    if (open === undefined) return
    const { span } = open
    if (moment.kind === 'first piece' && !open.heard) {
      open.heard = true
      span.setAttribute('gen_ai.response.time_to_first_chunk', (performance.now() - open.at) / 1000)
    }
    if (moment.kind === 'retry') {
      span.addEvent('retry', { 'error.type': moment.code, 'bobbin.retry.wait_seconds': moment.waitMs / 1000 })
    }
    if (moment.kind === 'not replied') finish(span, {}, moment.code)
    if (moment.kind === 'replied') finish(span, repliedWith(moment))
  }

  #chat({ name, slot }: AskedModel, { session, turn }: MomentPlace): Span {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': name,
      'gen_ai.request.stream': true,
      'gen_ai.conversation.id': session,
      'bobbin.model.slot': slot,
    }
    const open = turn === undefined ? undefined : this.#turns.get(turn)
    if (open === undefined) return this.#root(`chat ${name}`, attributes, undefined, SpanKind.CLIENT)
    return this.#below(open.step ?? open.whole, `chat ${name}`, attributes, SpanKind.CLIENT)
  }

  #call(open: OpenTurn, call: string, tool: string): Span {
    return this.#below(open.step ?? open.whole, `execute_tool ${tool}`, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': call,
    })
  }

  #root(name: string, attributes: Attributes, turn: TurnId | undefined, kind = SpanKind.INTERNAL): Span {
    this.#ids.turn = turn
    return this.#tracer.startSpan(name, { attributes, kind }, ROOT_CONTEXT)
  }

  #below(parent: Span, name: string, attributes: Attributes, kind = SpanKind.INTERNAL): Span {
    const within: Context = trace.setSpan(ROOT_CONTEXT, parent)
    return this.#tracer.startSpan(name, { attributes, kind }, within)
  }
}

/** The text of an error isn't sent, because it may name files and addresses. */
function finish(span: Span, attributes: Attributes, error?: string): void {
  span.setAttributes(attributes)
  if (error !== undefined) {
    span.setAttribute('error.type', error)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

function repliedWith({ usage, nanos, finish }: Extract<Moment, { kind: 'replied' }>): Attributes {
  return {
    'gen_ai.response.finish_reasons': [finish],
    ...(nanos !== undefined && { 'bobbin.cost.usd': nanos / 1e9 }),
    ...(usage && {
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cached,
      ...(usage.written !== undefined && { 'gen_ai.usage.cache_creation.input_tokens': usage.written }),
      ...(usage.reasoning !== undefined && { 'gen_ai.usage.reasoning.output_tokens': usage.reasoning }),
    }),
  }
}
