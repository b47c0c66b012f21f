import type { Person } from '../../domain/chat.ts'
import type { ApprovalAnswer, Question } from '../../domain/question.ts'
import type { Request } from '../../domain/request.ts'
import type { Tool } from '../../domain/tool.ts'
import type { RuleRef } from '../../domain/verdict.ts'
import { ofOnePerson } from '../../kit/text/marks.ts'
import { plainName, visible } from '../../kit/text/text.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import { findRequestOfCall } from '../../store/requests.ts'
import type { Judgement } from '../../trust/judgement.ts'
import { judgeCall } from '../../trust/verdict.ts'
import type { OpenCall } from '../port/calls.ts'
import { isCutOff } from '../port/cut-off.ts'
import { turnWords } from '../port/words.ts'
import { stopTurn } from '../state/stop.ts'
import type { Turn } from '../state/turn.ts'
import { askPerson } from './ask-person.ts'
import { repeatedCall } from './repeated-calls.ts'
import { plainInput, withoutPassword } from './shown-input.ts'

export type Clearance =
  | { kind: 'granted'; judgement: Judgement }
  | { kind: 'waiting' }
  | { kind: 'denied'; text: string; rule?: RuleRef }

/**
 * Whether a call may run now: asks the policy, then the person, then checks for loops. An approval holds only for
 * exactly what the person saw. If any of it has changed, they are asked again.
 */
export async function permit(call: OpenCall, tool: Tool, input: never, turn: Turn): Promise<Clearance> {
  const judgement = await judgeInTurn(turn, call, tool, input)
  const { verdict } = judgement
  // A call begun before a restart was cleared then. It runs again only if it is repeatable and no rule forbids it now.
  const runsAgain = tool.repeatable === true
  if (call.state === 'started' && !(runsAgain && verdict.kind === 'deny')) return granted(judgement)
  if (verdict.kind === 'deny') {
    const circling = await circles(call, judgement.hash, turn)
    if (circling.kind !== 'none') return circling
    return { kind: 'denied', text: turnWords.forbidden({ why: verdict.reason }), rule: verdict.rule }
  }
  const clearance =
    verdict.kind === 'allow'
      ? await asDecided(call, judgement, turn)
      : await approval(call, tool, input, judgement, turn)
  if (clearance.kind !== 'granted' || tool.polls === true) return clearance
  const circling = await circles(call, judgement.hash, turn)
  return circling.kind === 'none' ? clearance : circling
}

/** Asks the policy again each time a call is about to run. */
function judgeInTurn(turn: Turn, { id: call }: OpenCall, tool: Tool, input: never): Promise<Judgement> {
  const { store, isMember, sandbox, clock, config } = turn.bot
  const { session, row, workspace, toolbox } = turn
  const { fileBytes } = config.tools
  const about = { rules: turn.rulesFor(tool), store, isMember, sandbox, now: clock.now(), fileBytes }
  return judgeCall(tool, input, { ...about, session, turn: row, call, tools: toolbox.known, workspace }).catch(
    (thrown) => {
      throwOutage(thrown)
      throw thrown
    },
  )
}

/** What the rules say of another call of the tool, compared with this one. */
export async function judgeAlso(call: OpenCall, tool: Tool, own: never, other: never, turn: Turn) {
  // A thread's content only matters to what sends something out.
  const silent = { ...tool, sends: false }
  const { verdict } = await judgeInTurn(turn, call, silent, other)
  if (verdict.kind === 'allow') return 'allowed'
  if (verdict.kind === 'deny') return 'not allowed'
  const { verdict: here } = await judgeInTurn(turn, call, silent, own)
  return here.kind === 'ask' && here.rule.name === verdict.rule.name ? 'like this one' : 'not allowed'
}

/** Ends the turn for this person. Never resolves: it throws what ends the run. */
async function stop(turn: Turn, person: Person): Promise<never> {
  await turn.store.fenced(turn.lease, async (tx) => {
    await stopTurn(tx, turn.session.id, person, turn.bot.liveTexts)
    // Other calls of the step may run. And an alarm may have rung meanwhile.
    tx.wakes(turn.session.id, { interrupts: true })
  })
  throw new LeaseLost(turn.session.id)
}

/**
 * A denial stands, even if a grant or the rules would now let the call run. A call that a person approved runs as
 * approved, even if the policy would now run it unasked in the closed sandbox.
 */
async function asDecided(call: OpenCall, judgement: Judgement, { store }: Turn): Promise<Clearance> {
  const { verdict, callHash } = judgement
  const request = call.state === 'waiting' ? await findRequestOfCall(store.db, call.id, ['approval']) : undefined
  if (request?.kind !== 'approval' || request.answer === undefined) return granted(judgement)
  if (request.answer.decision === 'deny') return { kind: 'denied', text: refusal(request, request.answer) }
  const isSeen = request.payload.call === callHash
  if (!isSeen || verdict.kind !== 'allow') return granted(judgement)
  return granted({ ...judgement, verdict: { ...verdict, closed: false } })
}

const granted = (judgement: Judgement): Clearance => ({ kind: 'granted', judgement })

async function approval(
  call: OpenCall,
  tool: Tool,
  input: never,
  judgement: Judgement,
  turn: Turn,
): Promise<Clearance> {
  const { verdict, hash, callHash, binding, inspection } = judgement
  if (verdict.kind !== 'ask') return granted(judgement)
  const request = await findRequestOfCall(turn.store.db, call.id, ['approval'])
  if (request?.state === 'pending' && request.hash === hash) return { kind: 'waiting' }
  const answer = request?.answer as ApprovalAnswer | undefined
  const changed = request !== undefined && request.hash !== hash && answer?.decision !== 'deny'
  if (request === undefined || changed) {
    const { risk, hosts, decider, grants } = verdict
    const isSame = request?.kind === 'approval' && request.payload.call === callHash
    const news = changed ? [isSame ? turnWords.rulesChanged() : turnWords.contentChanged()] : []
    const reason = [...news, verdict.reason, ...(inspection.notes ?? [])].join(' ')
    const about = {
      unclear: [...inspection.unclear, ...(inspection.unseen ?? [])],
      runs: inspection.runs ?? [],
      writes: judgement.writes,
      hosts,
      binding,
      call: callHash,
    }
    const scripts = await scriptsOf(tool, call, input, judgement.pinned, turn)
    // Only a tool for files takes a document's password. Of all others, whoever decides sees the whole input.
    const seen = tool.paths === undefined ? input : withoutPassword(input)
    const payload = {
      tool: tool.name,
      input: turn.store.mask(plainInput(seen)),
      reason,
      risk,
      ...about,
      scripts,
      grants,
    }
    await askPerson(turn, call, hash, { kind: 'approval', payload, decider })
    return { kind: 'waiting' }
  }
  if (answer?.decision === 'approve') return granted(judgement)
  return { kind: 'denied', text: refusal(request, answer) }
}

/** The files that a call runs, as people see them. */
async function scriptsOf(
  tool: Tool,
  { id }: OpenCall,
  input: never,
  pinned: Judgement['pinned'],
  turn: Turn,
): Promise<{ path: string; text: string }[]> {
  const showFile = tool.kind === 'run' ? tool.showFile : undefined
  const own = () => turn.contextOf(tool, id) as never
  const shown = await Promise.all(pinned.map((file) => showFile?.(file, input, own()) ?? [file]))
  return shown.flat().map(({ path, bytes }) => ({ path, text: scriptText(bytes, turn.store) }))
}

/** Longest part of a script that is shown. A person who can't see its end should deny it. */
const shownOfScript = 20_000

/** Masked before it is cut, because nobody would recognize a part of a secret. */
function scriptText(bytes: Uint8Array, store: Turn['store']): string {
  const text = store.mask(visible(Buffer.from(bytes.subarray(0, shownOfScript * 4)).toString()))
  return text.length <= shownOfScript ? text : `${text.slice(0, shownOfScript)}\n… (${bytes.length} bytes in all)`
}

/** How a person said no: cancelled, or corrected. Only the policy says “forbidden by rule”. */
function refusal({ answeredBy }: Request, answer: ApprovalAnswer | undefined): string {
  if (answer?.by === 'deadline') return turnWords.nobodyDecided()
  const who = plainName(answeredBy?.name ?? turnWords.aPerson())
  const why = answer?.reason ? ofOnePerson(answer.reason) : undefined
  if (answer?.instead) {
    const instead = ofOnePerson(answer.instead)
    return why === undefined ? turnWords.corrected({ who, instead }) : turnWords.correctedBecause({ who, why, instead })
  }
  return why === undefined ? turnWords.denied({ who }) : turnWords.deniedBecause({ who, why })
}

export type Circling = { kind: 'none' } | Exclude<Clearance, { kind: 'granted' }>

/** Whether a call repeats itself, and what the person who was asked about it decided. `hash` covers what would run. */
export async function circles(call: OpenCall, hash: string, turn: Turn): Promise<Circling> {
  const loop = await repeatedCall(turn.store.db, turn.session.id, call.id)
  if (loop.kind === 'none') return loop
  const request = await findRequestOfCall(turn.store.db, loop.of, ['loop'])
  if (request === undefined) {
    await askPerson(turn, call, hash, { kind: 'loop', payload: loopQuestion(call, loop.times) })
    return { kind: 'waiting' }
  }
  if (request.kind !== 'loop' || request.state === 'pending') return { kind: 'waiting' }
  const { answer, answeredBy } = request
  const who = plainName(answeredBy?.name ?? 'a person')
  const [way] = answer?.option_ids ?? []
  if (way === 'continue') return { kind: 'none' }
  if (way === 'stop' && answeredBy !== undefined) return stop(turn, answeredBy)
  if (answer === undefined || answer.declined || way === 'skip') {
    return { kind: 'denied', text: `Cancelled: ${who} skipped this repeated call. Continue without it.` }
  }
  return { kind: 'denied', text: `Corrected: ${who} says: ${ofOnePerson(answer.text)}` }
}

function loopQuestion(call: OpenCall, times: number): Question {
  const isCut = isCutOff(call)
  return {
    question: (isCut ? turnWords.cutAgain : turnWords.repeatedCall)({ name: call.name, times }),
    context: turnWords.refusedRemedy(),
    options: [
      { id: 'stop', label: turnWords.stop() },
      { id: 'continue', label: isCut ? turnWords.tryAgain() : turnWords.runAgain() },
      { id: 'skip', label: turnWords.skipIt() },
    ],
    multiple: false,
    required: true,
    decision: 'custom',
    loop: { tool: call.name, times },
  }
}
