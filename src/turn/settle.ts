import { inputOf } from '../domain/messages.ts'
import type { AskTool, EndTool, RunTool, Tool } from '../domain/tool.ts'
import type { RuleRef } from '../domain/verdict.ts'
import { parseJson } from '../kit/json.ts'
import { LeaseLost } from '../store/lease-lost.ts'
import { answerText } from './answer-text.ts'
import { fewest } from './hooks.ts'
import type { CallStatus, OpenCall } from './journal-port.ts'
import { type Circling, circles, permit } from './permit.ts'
import { failureText, mayHaveActed, runCall } from './run-call.ts'
import type { SettleDeps } from './settle-deps.ts'

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
  if ('error' in parsed) {
    const circling: Circling = await circles(call, call.hash, deps)
    if (circling.kind === 'waiting') return 'waiting'
    return circling.kind === 'denied'
      ? end(call, 'denied', circling.text, deps)
      : end(call, 'failed', parsed.error, deps)
  }
  const { tool, input } = parsed
  if (tool.kind === 'ask') return settleQuestion(call, tool, input, deps)
  if (tool.kind === 'end') return end(call, 'done', endResult, deps)
  return settleRun(call, tool, input, deps)
}

type Parsed = { tool: Tool; input: never } | { error: string }

function parse(call: OpenCall, deps: SettleDeps): Parsed {
  const tool = deps.findTool(call.name)
  if (tool === undefined) {
    return { error: `Error: ${whyNotThere(call.name, deps)}` }
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

function whyNotThere(name: string, deps: SettleDeps): string {
  const lacks = deps.lacks(name)
  if (lacks !== undefined) return `${name} cannot be used here. ${lacks}`
  if (!deps.isLoadable(name)) return `there is no tool "${name}". There are: ${deps.toolNames().join(', ')}.`
  return `${name} is not in this thread. A person brings it in by writing @${name}: ask them to.`
}

async function settleQuestion(call: OpenCall, tool: AskTool<never>, input: never, deps: SettleDeps): Promise<Settled> {
  const request = await deps.journal.requestOf(call.id, ['question', 'decision'])
  if (request === undefined) {
    const question = await deps.address(tool.question(input))
    const kind = question.decision === undefined ? 'question' : 'decision'
    await deps.journal.askPerson(call, call.hash, { kind, payload: question })
    return 'waiting'
  }
  if (request.state === 'pending' || request.kind === 'approval') return 'waiting'
  return end(call, 'done', answerText(request), deps)
}

async function settleRun(call: OpenCall, tool: RunTool<never>, input: never, deps: SettleDeps): Promise<Settled> {
  // Nobody is asked for what could not be done anyway.
  if (tool.effect !== 'read') for (const path of tool.paths?.(input) ?? []) deps.checkPath(path)
  const permission = await permit(call, tool, input, deps)
  if (permission.kind === 'waiting') return 'waiting'
  if (permission.kind === 'denied') return end(call, 'denied', permission.text, deps, permission.rule)

  try {
    if (call.state !== 'started') await deps.beforeCall(tool.name, input)
  } catch (thrown) {
    return end(call, 'denied', failureText(thrown), deps)
  }
  // A call that was still queued when the turn was stopped does not start any more.
  deps.signal.throwIfAborted()
  const { verdict, hash, pinned } = permission.judgement
  const grants = verdict.kind === 'allow' ? verdict.grants : []
  const begin = await deps.journal.begin(call, {
    repeatable: tool.repeatable === true,
    hash,
    rule: verdict.rule,
    grants,
  })
  if (begin.do === 'unknown') {
    const text =
      'Unknown outcome: this was started, and then the process ended before it said how it went. It may or may not have taken effect. Look at how things are before you try it again.'
    return end(call, 'unknown', text, deps)
  }
  const closed = verdict.kind === 'allow' && verdict.closed
  const granted = { hosts: verdict.kind === 'deny' || closed ? [] : verdict.hosts, pinned, closed }
  const context = { ...deps.context(call), key: begin.key, attempt: begin.attempt, now: deps.now(), granted }
  const result = await runCall(tool, input, context, deps.signal, tool.timeoutMs ?? deps.timeoutMs)
  const mended = await deps.mended()
  // First, so that it is not cut away with too much output.
  return end(call, result.status, mended === '' ? result.text : `[${mended}]\n${result.text}`, deps)
}

async function end(
  call: OpenCall,
  status: CallStatus,
  text: string,
  deps: SettleDeps,
  rule?: RuleRef,
): Promise<Settled> {
  const tool = deps.findTool(call.name)
  const done = await deps.callDone(call.name, inputOf(call), { status, text })
  const result = tool?.pages ? done.text : await deps.cut(call, done.text)
  await deps.journal.end(call, status, result, { rule, rounds: fewest(tool?.rounds, done.rounds) })
  return status
}

/** A call that would end the turn, beside one that went wrong: the model has not seen that yet. */
export const refuseToEnd = (call: OpenCall, deps: SettleDeps): Promise<Settled> =>
  end(call, 'failed', 'Error: another call of this step went wrong. Look at its result before you end the turn.', deps)

/** The answer of an end tool's call. */
export function endAnswer(tool: EndTool<never>, args: string): string {
  return tool.answer(tool.input.parse(parseJson(args)) as never)
}
