import type { EventData, EventType, SessionEvent } from '../domain/events.ts'
import type { CallId, TurnId } from '../domain/ids.ts'
import type { PlanStatus } from '../domain/plan.ts'
import type { Todo } from '../domain/session.ts'
import type { PlannedStep, PlanView, TurnPart, TurnView } from '../domain/turn-view.ts'
import type { Json } from '../kit/json.ts'
import { oneLine } from '../kit/text/text.ts'
import type { LiveText } from './live-texts.ts'

/** People see the end of what a running call prints. */
const outputCharacters = 600

type CallPart = Extract<TurnPart, { kind: 'call' }>

/** Warnings about files, who answers, and a missing plan, which stay while the turn continues. */
const noticed = new Set(['upload_failed', 'upload_notice', 'workspace_mended', 'model_changed', 'no_plan'])

/** Events that leave a turn that waits for people waiting. */
const asides = new Set<EventType>(['waiting', 'message', 'permission_moved', 'permission_voted', 'warning'])

/** What the messages of a turn show, the current one last, made from the session's events since the turn began. */
export class TurnFold {
  readonly segments: TurnView[]
  #text: { id: string; part: TurnPart & { kind: 'text' } } | undefined
  /** Calls that a plan's steps show. */
  readonly #ofSteps = new Set<CallId>()

  constructor(turn: TurnId, startedAt: number) {
    this.segments = [{ turn, segment: 0, state: 'running', parts: [], todos: [], notices: [], startedAt }]
  }

  get current(): TurnView {
    return this.segments.at(-1) as TurnView
  }

  add(event: SessionEvent): void {
    const { current } = this
    if (!('turn_id' in event.data) || event.data.turn_id !== current.turn) return
    if (current.state === 'waiting' && !asides.has(event.type))
      // The answer it waited for has arrived.
      Object.assign(current, { state: 'running', startedAt: Date.parse(event.timestamp) })
    if (event.type !== 'warning') current.warning = undefined
    if (event.type === 'text_start') this.#begin(event.data.text_id)
    else if (event.type === 'text_end') this.#end(event.data)
    else if (event.type === 'work_plan') this.#plan(event.data)
    else if (event.type === 'act') this.#act(event.data)
    else if (event.type === 'observe') this.#observe(event.data)
    else if (event.type === 'output') this.#output(event.data)
    else if (event.type === 'warning') this.#warn(event.data)
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

  #warn({ code, message, words = message }: EventData['warning']): void {
    if (noticed.has(code)) this.current.notices.push(words)
    else this.current.warning = words
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

  #plan({ plan_id, title, status, steps }: EventData['work_plan']): void {
    for (const { call_id } of steps) if (call_id !== undefined) this.#ofSteps.add(call_id)
    const { current } = this
    // People are asked about it first, by a card that shows it.
    if (status !== 'in_progress' && current.plan?.id !== plan_id) return
    const before = new Map(current.plan?.steps.map((step) => [step.call, step.output]))
    current.plan = { id: plan_id, title, steps: steps.map((step) => stepOf(step, before.get(step.call_id))) }
  }

  #act({ call_id, tool_name, tool_input, title }: EventData['act']): void {
    if (this.#ofSteps.has(call_id)) return
    const { current } = this
    if (tool_name === 'todo_write') current.todos = todosIn(tool_input) ?? current.todos
    const known = this.#call(call_id)
    if (known !== undefined) known.status = 'running'
    else current.parts.push({ ...callPart(call_id, tool_name, tool_input), ...(title !== undefined && { title }) })
  }

  #output({ call_id, text }: EventData['output']): void {
    const step = this.current.plan?.steps.find(({ call }) => call === call_id)
    const known = step?.status === 'in_progress' ? step : this.#runningCall(call_id)
    if (known !== undefined) known.output = `${known.output ?? ''}${text}`.slice(-outputCharacters)
  }

  #observe({ call_id, tool_name, status, sources }: EventData['observe']): void {
    if (this.#ofSteps.has(call_id)) return
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

  #runningCall(id: CallId): CallPart | undefined {
    const call = this.#call(id)
    return call?.status === 'running' ? call : undefined
  }

  #next(ended: 'waiting' | 'done', at: string): void {
    const { current } = this
    current.state = ended
    this.#text = undefined
    const { turn, segment, plan, todos } = current
    const next = { turn, segment: segment + 1, todos, notices: [], startedAt: Date.parse(at), parts: [] }
    const state = ended === 'waiting' ? 'waiting' : 'running'
    this.segments.push({ ...next, state, ...(plan !== undefined && goesOn(plan) && { plan: copyOf(plan) }) })
  }
}

const callPart = (call: CallId, tool: string, input: Json): CallPart => ({
  kind: 'call',
  call,
  tool,
  about: aboutCall(input),
  status: 'running',
})

const stepStates: Record<PlanStatus, PlannedStep['status']> = {
  planning: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  fallback: 'completed',
  failed: 'failed',
  timeout: 'failed',
}

const stepEnds: Partial<Record<PlanStatus, string>> = { fallback: 'in another way', timeout: 'took too long' }

function stepOf(
  { step, what, status, attempt, call_id }: EventData['work_plan']['steps'][number],
  output: string | undefined,
): PlannedStep {
  const tries = attempt > 1 ? `attempt ${attempt}` : attempt === 0 && status === 'failed' ? 'not run' : undefined
  const facts = [tries, stepEnds[status]].filter((fact) => fact !== undefined)
  const about = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  return {
    content: `${step}. ${oneLine(what, 200)}${about}`,
    status: stepStates[status],
    ...(call_id !== undefined && { call: call_id }),
    ...(output !== undefined && status === 'in_progress' && { output }),
  }
}

const goesOn = ({ steps }: PlanView): boolean =>
  steps.some(({ status }) => status === 'pending' || status === 'in_progress')

/** What the next message shows must not change this one. */
const copyOf = (plan: PlanView): PlanView => ({ ...plan, steps: plan.steps.map((step) => ({ ...step })) })

/** The argument that says most about a call, chosen by name; otherwise the first text. */
const telling = ['path', 'command', 'question', 'pattern', 'query', 'url', 'message', 'name', 'content']

export function aboutCall(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  const named = telling.map((name) => input[name]).find((value) => typeof value === 'string')
  const text = named ?? Object.values(input).find((value) => typeof value === 'string') ?? ''
  return oneLine(String(text), 80)
}

function todosIn(input: Json): Todo[] | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || !Array.isArray(input.todos)) return
  return input.todos.flatMap((todo) => (isTodo(todo) ? [todo] : []))
}

const isTodo = (todo: unknown): todo is Todo =>
  typeof todo === 'object' && todo !== null && 'content' in todo && typeof todo.content === 'string' && 'status' in todo
