import type { AskTool, EndTool, RunTool, Tool } from '../../domain/tool.ts'
import { isOutage, reasonOf } from '../../kit/failure.ts'
import { type Json, parseJson } from '../../kit/json.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import { findRequestOfCall } from '../../store/requests.ts'
import { answerText } from '../port/answer-text.ts'
import type { OpenCall, Settled } from '../port/calls.ts'
import { whyNoJson } from '../port/cut-off.ts'
import { failureText } from '../port/failure-text.ts'
import { mendAndTell } from '../state/mended.ts'
import type { Turn } from '../state/turn.ts'
import { address } from './address.ts'
import { midwayFor } from './ask-midway.ts'
import { askPerson } from './ask-person.ts'
import { beginCall } from './call-journal.ts'
import { clear, unlessCircling } from './clear.ts'
import { end } from './end-settled.ts'
import { judgeAlso } from './permit.ts'
import { mayHaveActed, runCall, unknownOutcome, unknownStart } from './run-call.ts'
import { settleChild } from './settle-child.ts'

/** The result of a call that ends the turn; `finishedBy` looks for it. */
export const endResult = 'The turn ends with this.'

/**
 * The steps of every call: find, validate, decide, begin, run, cut, end. It goes as far as it can; `waiting` means that
 * a person has been asked, or a child session works for it. Whatever the model asked for, it ends with a result the
 * model can read, unless there is an outage and the call can be tried again.
 */
export async function settle(call: OpenCall, turn: Turn): Promise<Settled> {
  try {
    return await settleParsed(call, turn)
  } catch (thrown) {
    if (thrown instanceof LeaseLost || turn.signal.aborted) throw thrown
    const open = await turn.journal.openCalls()
    const begun = open.some(({ id, state }) => id === call.id && state === 'started')
    const tool = turn.findTool(call.name)
    if (isOutage(thrown) && (!begun || tool?.repeatable)) throw thrown
    const isUnknown = begun && (tool === undefined || mayHaveActed(tool))
    return isUnknown
      ? end(call, 'unknown', unknownOutcome(reasonOf(thrown).replace(/\.$/, '')), turn)
      : end(call, 'failed', failureText(thrown), turn)
  }
}

async function settleParsed(call: OpenCall, turn: Turn): Promise<Settled> {
  const parsed = parse(call, turn)
  if ('error' in parsed) {
    if (call.state !== 'started') return unlessCircling(call, turn, 'failed', `Error: ${parsed.error}`)
    // What has begun may have acted, whatever has become of its tool since.
    return end(call, 'unknown', `${unknownStart} Now ${parsed.error}`, turn, { isOurs: true })
  }
  const { tool, input } = parsed
  if (tool.kind === 'ask') return settleQuestion(call, tool, input, turn)
  if (tool.kind === 'end') return end(call, 'done', endResult, turn)
  if (tool.kind === 'child') return settleChild(call, tool, input, turn)
  return settleRun(call, tool, input, turn)
}

type Parsed = { tool: Tool; input: never } | { error: string }

function parse(call: OpenCall, turn: Turn): Parsed {
  const tool = turn.findTool(call.name)
  if (tool === undefined || (call.state !== 'started' && !turn.accepts(tool)))
    return { error: whyNotThere(call.name, turn) }
  let json: unknown
  try {
    json = parseJson(call.arguments || '{}')
  } catch (thrown) {
    return { error: whyNoJson(call.arguments, thrown as SyntaxError) }
  }
  const result = tool.input.safeParse(json)
  if (result.success) return { tool, input: result.data }
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  return { error: `the arguments of ${tool.name} are not valid. ${issues.join('; ')}.` }
}

function whyNotThere(name: string, turn: Turn): string {
  const { toolbox } = turn
  const here = turn.offered.map((tool) => tool.name).join(', ')
  if (turn.findTool(name) !== undefined)
    return `${name} is in this thread, but you don’t have it now. You have: ${here}.`
  const lacks = toolbox.lacks(name)
  if (lacks !== undefined) return `${name} cannot be used here. ${lacks}`
  if (!toolbox.byName.some((tool) => tool.name === name)) return `there is no tool "${name}". There are: ${here}.`
  return `${name} is not in this thread. A person can load it by writing @${name}: ask them to.`
}

async function settleQuestion(call: OpenCall, tool: AskTool<never>, input: never, turn: Turn): Promise<Settled> {
  const request = await findRequestOfCall(turn.store.db, call.id, ['question', 'decision'])
  if (request === undefined) {
    const question = await address(turn.store.db, turn.session, tool.question(input))
    const kind = question.decision === undefined ? 'question' : 'decision'
    await askPerson(turn, call, call.hash, { kind, payload: question })
    return 'waiting'
  }
  if (request.state === 'pending' || request.kind === 'approval') return 'waiting'
  return end(call, 'done', answerText(request), turn)
}

async function settleRun(call: OpenCall, tool: RunTool<never>, input: never, turn: Turn): Promise<Settled> {
  // Don't ask a person to approve something that can't be done anyway.
  if (tool.effect !== 'read') for (const path of tool.paths?.(input) ?? []) turn.workspace.normalize(path)
  if (call.state !== 'started') await tool.check?.(input, checkContext(call, tool, turn))
  const cleared = await clear(call, tool, input, turn)
  if ('settled' in cleared) return cleared.settled
  const { verdict, hash, pinned } = cleared.judgement
  const grants = verdict.kind === 'allow' ? verdict.grants : []
  const begin = await beginCall(turn, call, { repeatable: tool.repeatable === true, hash, rule: verdict.rule, grants })
  if (begin.do === 'wait') return 'waiting'
  if (begin.do === 'judge') return settleRun(call, tool, input, turn)
  if (begin.do === 'unknown') return end(call, 'unknown', unknownStart, turn, { isOurs: true })
  turn.bot.capabilities.see({ kind: 'call started', call: call.id, tool: tool.name }, turn.place)
  const closed = verdict.kind === 'allow' && verdict.closed
  const granted = { hosts: verdict.kind === 'deny' ? [] : verdict.hosts, pinned, closed }
  const context = { ...contextFor(call, tool, input, turn), key: begin.key, attempt: begin.attempt, granted }
  const result = await runCall(tool, input, context, turn.signal, tool.timeoutMs ?? turn.bot.config.tools.timeoutMs)
  const mended = await mendAndTell(turn)
  // First, so that it isn't cut off when there is too much output.
  const text = mended === '' ? result.text : `[${mended}]\n${result.text}`
  return end(call, result.status, text, turn, { isOurs: result.isOurs })
}

const checkContext = (call: OpenCall, tool: Tool, turn: Turn) => ({
  ...turn.contextOf(tool, call.id),
  workspace: turn.workspace,
})

function contextFor(call: OpenCall, tool: Tool, input: never, turn: Turn) {
  const { bot, session, row, lease } = turn
  return {
    ...turn.contextOf(tool, call.id),
    call: call.id,
    session: session.id,
    turn: row.id,
    person: row.person,
    byAlarm: turn.byAlarm,
    timeZone: row.timeZone,
    now: bot.clock.now(),
    workspace: turn.workspace,
    judgeAlso: (other: Json) => judgeAlso(call, tool, input, other as never, turn),
    ask: midwayFor(turn, call),
    tell: (event: string, data: Json) => turn.tell(tool, event, data),
    output: (text: string) => bot.outputStream.push(lease, row.id, call.id, text),
  }
}

/** The call would end the turn, but another call of the step failed and the model hasn't seen that yet. */
export const refuseToEnd = (call: OpenCall, turn: Turn): Promise<Settled> =>
  end(call, 'failed', 'Error: another call of this step failed. Look at its result before you end the turn.', turn)

/** The answer of an end tool's call. */
export function endAnswer(tool: EndTool<never>, args: string): string {
  return tool.answer(tool.input.parse(parseJson(args)) as never)
}
