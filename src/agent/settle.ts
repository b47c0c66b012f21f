import { LeaseLost } from '../domain/errors.ts'
import { type Json, parseJson } from '../domain/json.ts'
import { inputOf } from '../domain/messages.ts'
import type { ApprovalAnswer, QuestionAnswer } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import { plainName } from '../domain/text.ts'
import type { AskTool, EndTool, RunTool, Tool, ToolContext } from '../domain/tool.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { CallStatus, Journal, OpenCall } from './journal.ts'
import { type CallResult, failureText, mayHaveActed, runCall } from './run-call.ts'

export interface SettleDeps {
  journal: Journal
  findTool(name: string): Tool | undefined
  toolNames: string[]
  /** The one spelling of a workspace path. */
  spelled(path: string): string
  /** The policy, asked anew each time a call is about to run. */
  decide(tool: Tool, input: never): Promise<Verdict>
  /** May throw, to refuse the call. */
  beforeCall(tool: string, input: unknown): Promise<void>
  /** Returns the text that is kept. */
  callDone(tool: string, input: unknown, result: CallResult): Promise<string>
  /** Cuts a result to what a model is shown, and keeps the rest where it can be read. */
  cut(call: OpenCall, text: string): Promise<string>
  context(call: OpenCall): Omit<ToolContext, 'signal' | 'key' | 'attempt' | 'now'>
  now(): number
  signal: AbortSignal
  timeoutMs: number
}

/** What a call that ends the turn leaves as its result: `finishedBy` looks for it. */
export const endResult = 'The turn ends with this.'

/** How a call ended, or that it needs a person. */
export type Settled = CallStatus | 'waiting'

/**
 * The one way of every call: find, validate, decide, begin, run, cut, end. It goes as far as it can; `waiting` means
 * that a person's answer is needed and asked for. Whatever the model asked for, it ends in a result that it can read.
 */
export async function settle(call: OpenCall, deps: SettleDeps): Promise<Settled> {
  try {
    return await settleParsed(call, deps)
  } catch (thrown) {
    if (thrown instanceof LeaseLost || deps.signal.aborted) throw thrown
    const open = await deps.journal.openCalls()
    const begun = open.some(({ id, state }) => id === call.id && state === 'started')
    const tool = deps.findTool(call.name)
    const isUnknown = begun && tool !== undefined && mayHaveActed(tool)
    return end(call, isUnknown ? 'unknown' : 'failed', failureText(thrown), deps)
  }
}

async function settleParsed(call: OpenCall, deps: SettleDeps): Promise<Settled> {
  const parsed = parse(call, deps)
  if ('error' in parsed) return end(call, 'failed', parsed.error, deps)
  const { tool, input } = parsed
  if (tool.kind === 'ask') return settleQuestion(call, tool, input, deps)
  if (tool.kind === 'end') return end(call, 'done', endResult, deps)
  return settleRun(call, tool, input, deps)
}

type Parsed = { tool: Tool; input: never } | { error: string }

function parse(call: OpenCall, deps: SettleDeps): Parsed {
  const tool = deps.findTool(call.name)
  if (tool === undefined) {
    return { error: `Error: there is no tool "${call.name}". There are: ${deps.toolNames.join(', ')}.` }
  }
  let json: unknown
  try {
    json = parseJson(call.arguments || '{}')
  } catch (thrown) {
    return { error: `Error: the arguments are not JSON (${(thrown as SyntaxError).message}). Send one JSON object.` }
  }
  const result = tool.input.safeParse(json)
  if (result.success) return { tool, input: result.data }
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  return { error: `Error: the arguments of ${tool.name} are not valid. ${issues.join('; ')}.` }
}

async function settleQuestion(call: OpenCall, tool: AskTool<never>, input: never, deps: SettleDeps): Promise<Settled> {
  const request = await deps.journal.requestOf(call.id)
  if (request === undefined) {
    const question = tool.question(input)
    await deps.journal.askPerson(call, {
      kind: question.decision === undefined ? 'question' : 'decision',
      payload: question,
    })
    return 'waiting'
  }
  if (request.state === 'pending' || request.kind === 'approval') return 'waiting'
  return end(call, 'done', answerText(request), deps)
}

function answerText({ answer, answeredBy }: Request & { answer: QuestionAnswer | undefined }): string {
  if (answer === undefined) return 'The question was withdrawn.'
  if (answer.by === 'deadline' && answer.declined) return 'Nobody answered in time. Go on without the answer.'
  if (answer.by === 'deadline') return `Nobody answered in time, so the default was taken: ${answer.text}`
  const who = plainName(answeredBy?.name ?? 'a person')
  return answer.declined ? `${who} declined to answer.` : `${who} answered: ${answer.text}`
}

async function settleRun(call: OpenCall, tool: RunTool<never>, input: never, deps: SettleDeps): Promise<Settled> {
  const permission = await permit(call, tool, input, deps)
  if (permission.kind === 'waiting') return 'waiting'
  if (permission.kind === 'denied') return end(call, 'denied', permission.text, deps)

  try {
    if (call.state !== 'started') await deps.beforeCall(tool.name, input)
  } catch (thrown) {
    return end(call, 'denied', failureText(thrown), deps)
  }
  // A call that was still queued when the turn was stopped does not start any more.
  deps.signal.throwIfAborted()
  const begin = await deps.journal.begin(call, { repeatable: tool.repeatable === true })
  if (begin.do === 'unknown') {
    const text =
      'Unknown outcome: this was started, and then the process ended before it said how it went. It may or may not have taken effect. Look at how things are before you try it again.'
    return end(call, 'unknown', text, deps)
  }
  const context = { ...deps.context(call), key: begin.key, attempt: begin.attempt, now: deps.now() }
  const result = await runCall(tool, input, context, deps.signal, tool.timeoutMs ?? deps.timeoutMs)
  return end(call, result.status, result.text, deps)
}

type Permission = { kind: 'granted' } | { kind: 'waiting' } | { kind: 'denied'; text: string }

async function permit(call: OpenCall, tool: Tool, input: never, deps: SettleDeps): Promise<Permission> {
  if (call.state === 'started') return { kind: 'granted' }
  const verdict = await deps.decide(tool, input)
  if (verdict.kind === 'allow') return { kind: 'granted' }
  if (verdict.kind === 'deny') return { kind: 'denied', text: `Forbidden by rule: ${verdict.reason}` }

  const request = await deps.journal.requestOf(call.id)
  if (request === undefined) {
    const payload = { tool: tool.name, input: input as Json, reason: verdict.reason, risk: verdict.risk }
    await deps.journal.askPerson(call, { kind: 'approval', payload })
    return { kind: 'waiting' }
  }
  if (request.state === 'pending') return { kind: 'waiting' }
  return outcome(call, request)
}

/** An approval holds for exactly the call that the person saw. */
function outcome(call: OpenCall, request: Request): Permission {
  const answer = request.answer as ApprovalAnswer | undefined
  if (request.kind === 'approval' && answer?.decision === 'approve' && request.hash === call.hash) {
    return { kind: 'granted' }
  }
  const who = plainName(request.answeredBy?.name ?? 'a person')
  return { kind: 'denied', text: `Cancelled: ${who} denied this${answer?.reason ? `: ${answer.reason}` : '.'}` }
}

async function end(call: OpenCall, status: CallStatus, text: string, deps: SettleDeps): Promise<Settled> {
  const tool = deps.findTool(call.name)
  const done = await deps.callDone(call.name, inputOf(call), { status, text })
  await deps.journal.end(call, status, tool?.pages ? done : await deps.cut(call, done))
  return status
}

/** A call that would end the turn, beside one that went wrong: the model has not seen that yet. */
export const refuseToEnd = (call: OpenCall, deps: SettleDeps): Promise<Settled> =>
  end(call, 'failed', 'Error: another call of this step went wrong. Look at its result before you end the turn.', deps)

/** The answer of an end tool's call. */
export function endAnswer(tool: EndTool<never>, args: string): string {
  return tool.answer(tool.input.parse(parseJson(args)) as never)
}
