import type { NewEvent } from '../domain/events.ts'
import type { CallId } from '../domain/ids.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { ApprovalRequest } from '../domain/request.ts'
import type { Usage } from '../kit/model/model.ts'
import { silenceKept } from '../kit/model/silence.ts'
import { oneLine } from '../kit/text/text.ts'
import type { TextStream } from '../outbound/text-stream.ts'
import { type AuditKind, appendAudit, type NewAuditEntry } from '../store/audit.ts'
import { insertCalls, markEnded, markStarted, markWaiting, openCalls, readCall } from '../store/calls.ts'
import { appendEvents } from '../store/events.ts'
import { countUse } from '../store/grants.ts'
import { isAside, openingSaidAt, pendingInbox, takeInbox } from '../store/inbox.ts'
import { appendMessage, latestAsking, readMessages, roundsSincePerson } from '../store/messages.ts'
import { hasAnswered } from '../store/outbox.ts'
import { findRequestOfCall, insertRequest, pendingRequests } from '../store/requests.ts'
import type { Lease, Store, Tx } from '../store/store.ts'
import { countStep, countTokens, forgetDeaths, setTurnState, type Turn } from '../store/turns.ts'
import { showCard } from '../trust/cards.ts'
import { pingDeciders, timedApproval, timedQuestion } from '../trust/remind.ts'
import type { Rules } from '../trust/rules.ts'
import { showWhole } from '../trust/show-whole.ts'
import { askedEvent } from './asked-event.ts'
import { withdraw } from './close-open.ts'
import { closeMessage, endSilently, endTurn, post } from './end-turn.ts'
import type { AskPerson, Journal, OpenCall } from './journal-port.ts'
import { lateWords } from './late.ts'
import type { NewOutput } from './outputs.ts'
import { shownInput } from './shown-input.ts'
import { asks } from './window.ts'

export interface JournalDeps {
  store: Store
  lease: Lease
  turn: Turn
  texts: TextStream
  /** The turn has got further than where a former process died. */
  cleared(): void
  rules: Rules
  /** Cards are posted, and do not hold everything. */
  cardsAreShort: boolean
  /** The model reads messages from this number on. */
  historyFrom: number
  /** Of what was said longer ago the answer says so, ms. */
  lateMs: number
  /** What has arrived, as history: imports uploads, and may take a while. */
  readInbox(): Promise<void>
  /** What lies new in outputs/. */
  newOutputs(): Promise<NewOutput[]>
}

/** How often a repeatable call is started. */
const mostAttempts = 5

/** The rows of one turn. Every write is one fenced transaction. */
export function createJournal({
  store,
  lease,
  turn,
  texts,
  cleared,
  rules,
  cardsAreShort,
  historyFrom,
  lateMs,
  readInbox,
  newOutputs,
}: JournalDeps): Journal {
  const { session } = lease
  let steps = turn.steps

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => store.fenced(lease, work)
  const emit = (tx: Tx, events: NewEvent[]) => appendEvents(tx, session, events)
  const audit = (tx: Tx, kind: AuditKind, data: NewAuditEntry['data']) => appendAudit(tx, { kind, session, data })
  const timed = (what: AskPerson, now: number) =>
    what.kind === 'approval' ? timedApproval(what, rules, now) : timedQuestion(what, rules, now)

  /** The reply and what goes with it. Its stream ends once, however often the write is tried. */
  function writeReply<T>(
    { text, usage, calls = [] }: { text: string; usage: Usage | undefined; calls?: ToolCall[] },
    more: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const ended = texts.end(lease, { text: text === silenceKept ? '' : text })
    const written = write(async (tx) => {
      steps = await countStep(tx, turn.id)
      if (usage !== undefined) await countTokens(tx, turn.id, usage)
      await appendMessage(tx, session, { role: 'assistant', turn: turn.id, text, calls })
      await emit(tx, ended)
      return more(tx)
    })
    // What becomes of it is the caller's.
    written.then(cleared, () => {})
    return written
  }

  const hasArrived = async (tx: Tx): Promise<boolean> =>
    (await pendingInbox(tx.db, session)).some(({ kind }) => kind !== 'answer')

  /** Ends the turn, or posts the text and goes on when something has arrived that it does not answer. */
  async function answer(tx: Tx, text: string, outputs: NewOutput[], always: boolean): Promise<'open' | 'ended'> {
    const arrived = await hasArrived(tx)
    const words = await dated(tx, text)
    if (!always && arrived) {
      const message_id = await post(tx, turn, { text: words, files: [] })
      await emit(tx, [{ type: 'said', data: { turn_id: turn.id, message_id } }])
      return 'open'
    }
    await endTurn(tx, turn, { state: 'done', text: words, outputs, steps })
    return 'ended'
  }

  /** Ends the turn, unless something has arrived. Files are posted all the same. */
  async function endWithoutWords(tx: Tx, outputs: NewOutput[]): Promise<'open' | 'ended'> {
    if (outputs.length > 0) return answer(tx, '', outputs, true)
    if (await hasArrived(tx)) return 'open'
    await endSilently(tx, turn, steps)
    return 'ended'
  }

  /** What answers something old says so, the first time. */
  async function dated(tx: Tx, text: string): Promise<string> {
    const at = await openingSaidAt(tx.db, turn)
    if (at === undefined || turn.startedAt - at < lateMs || (await hasAnswered(tx.db, turn.id))) return text
    return `${lateWords(at, turn)}\n\n${text}`
  }

  return {
    steps: () => steps,
    readInbox,
    openCalls: async () => (await openCalls(store.db, turn.id)) as OpenCall[],
    requestOf: (call, kinds) => findRequestOfCall(store.db, call, kinds),

    async history(count): Promise<Message[]> {
      const latest = await readMessages(store.db, session, { limit: count, from: historyFrom })
      if (latest.some(asks)) return latest
      const asked = await latestAsking(store.db, session, historyFrom)
      return asked === undefined ? latest : [asked, ...latest]
    },

    async reply({ text, calls, usage }) {
      const outputs = calls.length > 0 ? [] : await newOutputs()
      return writeReply({ text, usage, calls }, async (tx) => {
        await insertCalls(tx, session, turn.id, lease.epoch, calls)
        return calls.length > 0 ? 'open' : answer(tx, text, outputs, false)
      })
    },

    isAside: () => isAside(store.db, session, turn.id),

    async sayNothing(usage) {
      const outputs = await newOutputs()
      return writeReply({ text: silenceKept, usage }, (tx) => endWithoutWords(tx, outputs))
    },

    async endAnswered() {
      const outputs = await newOutputs()
      return write((tx) => endWithoutWords(tx, outputs))
    },

    replyAgain: (text, { plugin, again, rounds }, usage) =>
      writeReply({ text, usage }, async (tx) => {
        const origin = `plugin:${plugin}` as const
        await appendMessage(tx, session, { role: 'user', turn: turn.id, text: again, origin, files: [], rounds })
      }),

    async finish(text, when, usage) {
      const outputs = await newOutputs()
      return writeReply({ text, usage }, (tx) => answer(tx, text, outputs, when === 'whatever'))
    },

    begin: (call, { repeatable, hash, rule, grants }) =>
      write(async (tx) => {
        const row = await readCall(tx.db, call.id)
        // `started` under an older epoch, or in this life before an abort: nobody knows what became of it. One that may be
        // repeated is, but not for ever: it may be what ends the process.
        if (row.state === 'started' && (!repeatable || row.attempt >= mostAttempts)) return { do: 'unknown' }
        const attempt = await markStarted(tx, call.id, lease.epoch)
        await emit(tx, [actEvent(call, attempt)])
        for (const grant of grants) await countUse(tx, grant)
        const by = { input: oneLine(call.arguments, 500), layer: rule.layer, rule: rule.name, grants }
        await audit(tx, 'started', { call: call.id, tool: call.name, hash, attempt, ...by })
        return { do: 'run', key: call.id, attempt }
      }),

    end: (call, status, result, { rule, rounds } = {}) =>
      write(async (tx) => {
        const { attempt, startedAt } = await readCall(tx.db, call.id)
        // Every call that was not denied has a start and an act, also one that ended before anything of it ran.
        const unstarted = attempt === 0 && status !== 'denied'
        if (unstarted) await markStarted(tx, call.id, lease.epoch)
        if (!(await markEnded(tx, call.id, status, result))) return
        const by = rule && { layer: rule.layer, rule: rule.name, why: oneLine(result, 300) }
        await audit(tx, rule ? 'refused' : 'ended', { call: call.id, tool: call.name, status, ...by })
        if (call.state === 'waiting') await withdrawRequest(tx, call.id)
        await appendMessage(tx, session, {
          role: 'tool',
          turn: turn.id,
          text: result,
          call: call.id,
          program: status === 'denied' || status === 'unknown',
          rounds,
        })
        const duration_ms = startedAt === undefined ? undefined : tx.now - startedAt
        const events: NewEvent[] = unstarted ? [actEvent(call, 1)] : []
        const data = { turn_id: turn.id, call_id: call.id, tool_name: call.name, status, result, duration_ms }
        await emit(tx, [...events, { type: 'observe', data }])
        // That nobody knows how it ended is no step forward.
        if (turn.deaths > 0 && status !== 'unknown') await forgetDeaths(tx, turn.id)
      }).then(() => void (status !== 'unknown' && cleared())),

    askPerson: (call, hash, what) =>
      write(async (tx) => {
        await withdrawRequest(tx, call.id)
        const row = { session, turn: turn.id, call: call.id, hash }
        const request = await insertRequest(tx, { ...row, ...timed(what, tx.now) })
        await markWaiting(tx, call.id)
        if (request.kind === 'approval' && cardsAreShort) await showWhole(tx, request)
        await showCard(tx, request)
        if (cardsAreShort) await pingDeciders(tx, request, rules)
        const about = request.kind === 'approval' ? askedOf(request) : {}
        const data = { request: request.id, call: call.id, tool: call.name, kind: request.kind, hash, ...about }
        await audit(tx, 'asked', data)
        await emit(tx, [askedEvent(request)])
      }),

    rounds: () => roundsSincePerson(store.db, session),

    rest: () =>
      write(async (tx) => {
        const answers = (await pendingInbox(tx.db, session)).filter(({ kind }) => kind === 'answer')
        if (answers.length > 0) {
          await takeInbox(
            tx,
            session,
            answers.map(({ seq }) => seq),
            turn.id,
          )
          return false
        }
        await setTurnState(tx, turn.id, 'waiting')
        await closeMessage(tx, turn)
        const request_ids = (await pendingRequests(tx.db, session)).map(({ id }) => id)
        await emit(tx, [{ type: 'waiting', data: { turn_id: turn.id, request_ids } }])
        return true
      }),

    warn: async (code, message) => {
      await write((tx) => emit(tx, [{ type: 'warning', data: { turn_id: turn.id, code, message } }]))
    },
    thought: async (text) => {
      await write((tx) => emit(tx, [{ type: 'thought', data: { turn_id: turn.id, text } }]))
    },
    textDelta: (delta) => texts.push(lease, turn.id, delta),
    textDiscarded: async () => {
      const ended = texts.end(lease, { text: '', discarded: true })
      await write((tx) => emit(tx, ended))
    },
  }

  function actEvent(call: OpenCall, attempt: number): NewEvent {
    const data = { turn_id: turn.id, call_id: call.id, tool_name: call.name, tool_input: shownInput(call), attempt }
    return { type: 'act', data }
  }
}

/** For the log: what the person saw. */
function askedOf({ payload: { reason, risk, hosts, runs, input }, decided }: ApprovalRequest) {
  return { reason, risk, hosts, runs, input: oneLine(JSON.stringify(input), 2_000), who: decided.who }
}

/** A call that ended without its answer, because its tool or its rule has changed meanwhile, takes its card along. */
async function withdrawRequest(tx: Tx, call: CallId): Promise<void> {
  const request = await findRequestOfCall(tx.db, call, ['approval', 'question', 'decision', 'loop'])
  if (request?.state === 'pending') await withdraw(tx, request)
}
