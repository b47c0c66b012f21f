import type { EventData, SessionEvent } from '../domain/events.ts'
import type { CallId, TurnId } from '../domain/ids.ts'
import type { PlanStatus } from '../domain/plan.ts'
import type { Todo } from '../domain/session.ts'
import type { PlannedPoint, TurnPart, TurnView } from '../domain/turn-view.ts'
import type { Json } from '../kit/json.ts'
import { oneLine } from '../kit/text/text.ts'
import type { LiveText } from './live-texts.ts'

/** People see the end of what a running call prints. */
const outputCharacters = 600

type CallPart = Extract<TurnPart, { kind: 'call' }>

/** Warnings about files, and about who answers, which stay while the turn continues. */
const noticed = new Set(['upload_failed', 'upload_notice', 'workspace_mended', 'model_changed'])

/** What the messages of a turn show, the current one last, made from the session's events since the turn began. */
export class TurnFold {
  readonly segments: TurnView[]
  #text: { id: string; part: TurnPart & { kind: 'text' } } | undefined

  constructor(turn: TurnId, startedAt: number) {
    this.segments = [{ turn, segment: 0, state: 'running', parts: [], plan: [], notices: [], startedAt }]
  }

  get current(): TurnView {
    return this.segments.at(-1) as TurnView
  }

  add(event: SessionEvent): void {
    const { current } = this
    if (!('turn_id' in event.data) || event.data.turn_id !== current.turn) return
    if (current.state === 'waiting' && event.type !== 'waiting' && event.type !== 'message')
      // The answer it waited for has arrived.
      Object.assign(current, { state: 'running', startedAt: Date.parse(event.timestamp) })
    if (event.type !== 'warning') current.warning = undefined
    if (event.type === 'text_start') this.#begin(event.data.text_id)
    else if (event.type === 'text_end') this.#end(event.data)
    else if (event.type === 'work_plan') current.plan = event.data.steps.map(pointOf)
    else if (event.type === 'act') this.#act(event.data)
    else if (event.type === 'observe') this.#observe(event.data)
    else if (event.type === 'output') this.#output(event.data)
    else if (event.type === 'warning' && noticed.has(event.data.code)) current.notices.push(event.data.message)
    else if (event.type === 'warning') current.warning = event.data.message
    else if (event.type === 'waiting' && event.data.queued !== true) this.#next('waiting', event.timestamp)
    else if (event.type === 'said') this.#next('done', event.timestamp)
    else if (event.type === 'complete') current.state = 'done'
    else if (event.type === 'error') current.state = 'failed'
    else if (event.type === 'stopped') Object.assign(current, { state: 'stopped', stoppedBy: event.data.person })
  }

  /** Shows what is being said right now. */
  hear({ turn, text, shown }: LiveText): void {
    if (turn !== this.current.turn || this.current.state !== 'running') return
    const part = this.#begin(text)
    if (part.text === shown) return
    part.text = shown
    this.current.warning = undefined
  }

  #begin(id: string): TurnPart & { kind: 'text' } {
    if (this.#text?.id === id) return this.#text.part
    // Nothing has ended it, so it was never said.
    if (this.#text !== undefined) this.#drop(this.#text.part)
    this.#text = { id, part: { kind: 'text', text: '' } }
    this.current.parts.push(this.#text.part)
    return this.#text.part
  }

  #drop(part: TurnPart): void {
    const { parts } = this.current
    parts.splice(parts.indexOf(part), 1)
  }

  #end({ text_id, text, discarded }: EventData['text_end']): void {
    const { parts } = this.current
    if (this.#text?.id !== text_id) {
      // Its beginning wasn't read.
      if (discarded !== true && text.trim() !== '') parts.push({ kind: 'text', text })
      return
    }
    if (discarded === true || text.trim() === '') this.#drop(this.#text.part)
    else this.#text.part.text = text
    this.#text = undefined
  }

  #act({ call_id, tool_name, tool_input, title }: EventData['act']): void {
    const { current } = this
    if (tool_name === 'todo_write') current.plan = planOf(tool_input) ?? current.plan
    const known = this.#call(call_id)
    if (known !== undefined) known.status = 'running'
    else current.parts.push({ ...callPart(call_id, tool_name, tool_input), ...(title !== undefined && { title }) })
  }

  #output({ call_id, text }: EventData['output']): void {
    const known = this.#call(call_id)
    if (known?.status === 'running') known.output = `${known.output ?? ''}${text}`.slice(-outputCharacters)
  }

  #observe({ call_id, tool_name, status, sources }: EventData['observe']): void {
    const known = this.#call(call_id)
    if (known !== undefined) {
      known.status = status
      if (sources !== undefined) known.sources = sources
      delete known.output
    } else this.current.parts.push({ ...callPart(call_id, tool_name, null), status })
  }

  #call(id: CallId): CallPart | undefined {
    return this.current.parts.find((part): part is CallPart => part.kind === 'call' && part.call === id)
  }

  #next(ended: 'waiting' | 'done', at: string): void {
    const { current } = this
    current.state = ended
    this.#text = undefined
    const { turn, segment, plan } = current
    const next = { turn, segment: segment + 1, plan, notices: [], startedAt: Date.parse(at) }
    this.segments.push({ ...next, state: ended === 'waiting' ? 'waiting' : 'running', parts: [] })
  }
}

const callPart = (call: CallId, tool: string, input: Json): CallPart => ({
  kind: 'call',
  call,
  tool,
  about: aboutCall(input),
  status: 'running',
})

const pointStates: Record<PlanStatus, PlannedPoint['status']> = {
  planning: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  fallback: 'completed',
  failed: 'failed',
  timeout: 'failed',
}

const pointOf = ({ step, what, status }: EventData['work_plan']['steps'][number]): PlannedPoint => ({
  content: `${step}. ${oneLine(what, 200)}`,
  status: pointStates[status],
})

/** The argument that says most about a call, chosen by name; otherwise the first text. */
const telling = ['path', 'command', 'question', 'pattern', 'query', 'url', 'message', 'name', 'content']

export function aboutCall(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  const named = telling.map((name) => input[name]).find((value) => typeof value === 'string')
  const text = named ?? Object.values(input).find((value) => typeof value === 'string') ?? ''
  return oneLine(String(text), 80)
}

function planOf(input: Json): Todo[] | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || !Array.isArray(input.todos)) return
  return input.todos.flatMap((todo) => (isTodo(todo) ? [todo] : []))
}

const isTodo = (todo: unknown): todo is Todo =>
  typeof todo === 'object' && todo !== null && 'content' in todo && typeof todo.content === 'string' && 'status' in todo
