import type { Journal, OpenCall } from '../agent/journal.ts'
import { asks } from '../agent/window.ts'
import type { NewEvent } from '../domain/events.ts'
import { type Json, parseJson } from '../domain/json.ts'
import type { Message } from '../domain/messages.ts'
import { insertCalls, markEnded, markStarted, markWaiting, openCalls, readCall } from '../store/calls.ts'
import { appendEvents } from '../store/events.ts'
import { pendingInbox, takeInbox } from '../store/inbox.ts'
import { appendMessage, latestAsking, readMessages, roundsSincePerson } from '../store/messages.ts'
import { findRequestOfCall, insertRequest, pendingRequests } from '../store/requests.ts'
import type { TurnPhase } from '../store/schema.ts'
import type { Lease, Store, Tx } from '../store/store.ts'
import { countStep, setTurnPhase, setTurnState, type Turn } from '../store/turns.ts'
import { asked } from './asked-event.ts'
import { endTurn, post } from './end-turn.ts'
import type { NewOutput } from './outputs.ts'
import type { TextStream } from './text-stream.ts'

export interface JournalDeps {
  store: Store
  lease: Lease
  turn: Turn
  texts: TextStream
  /** What has arrived, as history: imports uploads, and may take a while. */
  readInbox(): Promise<void>
  /** What lies new in outputs/. */
  newOutputs(): Promise<NewOutput[]>
  /** Something stands in the outbox. */
  posted(): void
}

/** The rows of one turn. Every write is one fenced transaction. */
export function createJournal({ store, lease, turn, texts, readInbox, newOutputs, posted }: JournalDeps): Journal {
  const { session } = lease
  let steps = turn.steps
  let phase = turn.phase

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => store.fenced(lease, work)
  const emit = (tx: Tx, events: NewEvent[]) => appendEvents(tx, session, events)

  async function enter(tx: Tx, next: TurnPhase) {
    await setTurnPhase(tx, turn.id, next)
    phase = next
  }

  async function appendReply(
    tx: Tx,
    text: string,
    calls: OpenCall['id'][],
    message: Parameters<typeof appendMessage>[2],
  ) {
    steps = await countStep(tx, turn.id)
    await appendMessage(tx, session, message)
    await emit(tx, texts.end(lease, { text }))
    await enter(tx, calls.length > 0 ? 'acting' : 'thinking')
  }

  /** Ends the turn, or posts the text and goes on when something has arrived that it does not answer. */
  async function answer(tx: Tx, text: string, outputs: NewOutput[], always: boolean): Promise<'open' | 'ended'> {
    if (!always && (await pendingInbox(tx.db, session)).length > 0) {
      await post(tx, turn, { text, files: [] })
      return 'open'
    }
    await endTurn(tx, turn, { state: 'done', text, outputs, steps })
    return 'ended'
  }

  return {
    steps: () => steps,
    readInbox,
    openCalls: async () => (await openCalls(store.db, turn.id)) as OpenCall[],
    requestOf: (call) => findRequestOfCall(store.db, call),

    async history(count): Promise<Message[]> {
      const latest = await readMessages(store.db, session, count)
      if (latest.some(asks)) return latest
      const asked = await latestAsking(store.db, session)
      return asked === undefined ? latest : [asked, ...latest]
    },

    async reply({ text, calls }) {
      const outputs = calls.length > 0 ? [] : await newOutputs()
      const outcome = await write(async (tx) => {
        const ids = calls.map(({ id }) => id)
        await appendReply(tx, text, ids, { role: 'assistant', turn: turn.id, text, calls })
        await insertCalls(tx, session, turn.id, lease.epoch, calls)
        return calls.length > 0 ? 'open' : answer(tx, text, outputs, false)
      })
      if (calls.length === 0) posted()
      return outcome
    },

    replyAgain: (text, plugin, again) =>
      write(async (tx) => {
        await appendReply(tx, text, [], { role: 'assistant', turn: turn.id, text, calls: [] })
        const origin = `plugin:${plugin}` as const
        await appendMessage(tx, session, { role: 'user', turn: turn.id, text: again, origin, files: [] })
      }),

    async finish(text, when) {
      const outputs = await newOutputs()
      const outcome = await write(async (tx) => {
        await appendReply(tx, text, [], { role: 'assistant', turn: turn.id, text, calls: [] })
        return answer(tx, text, outputs, when === 'whatever')
      })
      posted()
      return outcome
    },

    begin: (call, { repeatable }) =>
      write(async (tx) => {
        const row = await readCall(tx.db, call.id)
        // `started` under an older epoch, or in this life before an abort: nobody knows what became of it.
        if (row.state === 'started' && !repeatable) return { do: 'unknown' }
        const attempt = await markStarted(tx, call.id, lease.epoch)
        await emit(tx, [actEvent(call, attempt)])
        return { do: 'run', key: call.id, attempt }
      }),

    end: (call, status, result) =>
      write(async (tx) => {
        const { attempt, startedAt } = await readCall(tx.db, call.id)
        if (!(await markEnded(tx, call.id, status, result))) return
        await appendMessage(tx, session, { role: 'tool', turn: turn.id, text: result, call: call.id })
        const duration_ms = startedAt === undefined ? undefined : tx.now - startedAt
        // Every call that was not denied has an act, also one that ended before anything of it ran.
        const events: NewEvent[] = attempt === 0 && status !== 'denied' ? [actEvent(call, 1)] : []
        const data = { turn_id: turn.id, call_id: call.id, tool_name: call.name, status, result, duration_ms }
        await emit(tx, [...events, { type: 'observe', data }])
        await enter(tx, 'observing')
      }),

    ask: (call, what) =>
      write(async (tx) => {
        const request = await insertRequest(tx, { session, turn: turn.id, call: call.id, hash: call.hash, ...what })
        await markWaiting(tx, call.id)
        await emit(tx, [asked(request)])
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
        const request_ids = (await pendingRequests(tx.db, session)).map(({ id }) => id)
        await emit(tx, [{ type: 'waiting', data: { turn_id: turn.id, request_ids } }])
        return true
      }),

    warn: async (code, message) => {
      await write((tx) => emit(tx, [{ type: 'warning', data: { turn_id: turn.id, code, message } }]))
    },
    retrying: () => write((tx) => enter(tx, 'retrying')),
    async thinking() {
      if (phase !== 'thinking') await write((tx) => enter(tx, 'thinking'))
    },
    thought: async (text) => {
      await write((tx) => emit(tx, [{ type: 'thought', data: { turn_id: turn.id, text } }]))
    },
    textDelta: (delta) => texts.push(lease, turn.id, delta),
    textDiscarded: async () => {
      await write((tx) => emit(tx, texts.end(lease, { text: '', discarded: true })))
    },
  }

  function actEvent(call: OpenCall, attempt: number): NewEvent {
    const data = { turn_id: turn.id, call_id: call.id, tool_name: call.name, tool_input: inputOf(call), attempt }
    return { type: 'act', data }
  }
}

/** The arguments as a value, or as the model's own text where it is no JSON. */
function inputOf(call: OpenCall): Json {
  try {
    return parseJson(call.arguments || '{}')
  } catch {
    return call.arguments
  }
}
