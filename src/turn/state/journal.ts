import type { WorkspaceFile } from '../../domain/chat.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Along, Message, RequestSize, ToolCall } from '../../domain/messages.ts'
import type { Usage } from '../../kit/model/model.ts'
import { silenceKept } from '../../kit/model/silence.ts'
import type { TextStream } from '../../outbound/text-stream.ts'
import { insertCalls, openCalls } from '../../store/calls.ts'
import { appendEvents } from '../../store/events.ts'
import { isAmongPeople, pendingInbox, takeInbox } from '../../store/inbox.ts'
import type { InboxEvent } from '../../store/inbox-event.ts'
import type { Expected } from '../../store/ledger.ts'
import { pendingRequests } from '../../store/list-requests.ts'
import { appendMessage, roundsSincePerson } from '../../store/messages.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db, Lease, Store, Tx } from '../../store/store.ts'
import { advanceTurn, type StoredTurn, setTurnState } from '../../store/turns.ts'
import { recordSpent, type Spent } from '../../store/usage.ts'
import type { OpenCall, Rounds } from '../port/calls.ts'
import { latestMessages } from '../port/latest-messages.ts'
import { tellAlarm } from '../port/tell-alarm.ts'
import { answer, type Ended, endWithoutWords, type When } from './answer.ts'
import { closeMessage, type NewOutput, type Step } from './end-turn.ts'
import { costEvent, type Paid, spenderIn } from './paid.ts'

interface JournalOptions {
  store: Store
  lease: Lease
  turn: StoredTurn
  session: Session
  /** What woke the turn, if that can't change any more. */
  opening: InboxEvent | undefined
  textStream: TextStream
  /** The turn has got beyond the step at which an earlier process died. */
  pastCrash(): void
  isPosted: boolean
  /** The model reads messages from this number on. */
  historyFrom: number
  /** An answer to something older than this says that it is late, ms. */
  lateMs: number
  underway(db: Db): Promise<{ maySayNothing: boolean } | undefined>
}

/**
 * A turn's rows, except those of its calls. Every write is a transaction that fails with LeaseLost when another process
 * runs the session, so a write either succeeds as a whole or changes nothing.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #store: Store
  readonly #session: SessionId
  readonly #turn: StoredTurn
  #steps: number
  #leftNothing = false

  constructor(options: JournalOptions) {
    this.#options = options
    this.#store = options.store
    this.#session = options.lease.session
    this.#turn = options.turn
    this.#steps = options.turn.steps
  }

  /** Model calls answered so far in this turn. */
  get steps(): number {
    return this.#steps
  }

  /** It has ended the turn, and the inbox was empty then. */
  get leftNothing(): boolean {
    return this.#leftNothing
  }

  /** In the order the model asked for them. */
  async openCalls(): Promise<OpenCall[]> {
    return (await openCalls(this.#store.db, this.#turn.id)) as OpenCall[]
  }

  /** The latest messages: at least `count`, if there are that many, and a person's among them. */
  history(count: number): Promise<Message[]> {
    return latestMessages(this.#store.db, this.#session, { from: this.#options.historyFrom, count })
  }

  /** Appends a reply and its calls. A reply without calls ends the turn, unless something has arrived. */
  reply({
    text,
    thought,
    calls,
    paid,
  }: {
    text: string
    thought?: string | undefined
    calls: ToolCall[]
    paid?: Paid
  }): Promise<'open' | 'ended'> {
    if (calls.length === 0) return this.finish(text, 'nothing-arrived', [], paid)
    return this.#writeReply({ text, thought, paid, calls }, { next_message: 1 }, async (tx, step): Promise<'open'> => {
      await advanceTurn(tx, this.#turn.id, step)
      await insertCalls(tx, this.#session, this.#turn.id, this.#options.lease.epoch, calls)
      return 'open'
    })
  }

  /** What of the turn goes on by itself although the model has replied without calls. */
  underway(): Promise<{ maySayNothing: boolean } | undefined> {
    return this.#options.underway(this.#store.db)
  }

  /** Whether people may only be talking to each other, because no message of the turn mentioned the bot. */
  isAmongPeople(): Promise<boolean> {
    return isAmongPeople(this.#store.db, this.#session, this.#turn.id)
  }

  /** The turn ends silently, unless something has arrived. `reason`: why what people said stays unanswered. */
  sayNothing(outputs: NewOutput[], reason: string, paid?: Paid): Promise<'open' | 'ended'> {
    const expected = { next_message: 1, next_event: 1, next_outbox: 1 }
    return this.#ending(
      this.#writeReply({ text: silenceKept, paid }, expected, (tx, step) =>
        endWithoutWords(tx, this.#options, { outputs, reason }, step),
      ),
    )
  }

  /** Everything was answered, so the turn ends without a reply, unless something has arrived. */
  endAnswered(outputs: NewOutput[]): Promise<'open' | 'ended'> {
    return this.#ending(this.#write((tx) => endWithoutWords(tx, this.#options, { outputs })))
  }

  /** Appends a reply after which a capability wants another round. */
  replyAgain(
    text: string,
    { capability, again, rounds }: { capability: string; again: string; rounds?: number },
    paid?: Paid,
  ): Promise<void> {
    return this.#writeReply({ text, paid }, { next_message: 2 }, async (tx, step) => {
      await advanceTurn(tx, this.#turn.id, step)
      const origin = `plugin:${capability}` as const
      const asked = { role: 'user', turn: this.#turn.id, text: again, origin, files: [], rounds } as const
      await appendMessage(tx, this.#session, { ...asked, files: [] })
    })
  }

  /** How many rounds capabilities have had since a person's latest message. */
  async rounds(): Promise<Rounds> {
    // At the first reply of all, nobody can have had one.
    if (this.#turn.inboxSeq === 1 && this.#steps === 0) return { of: () => 0, withCalls: false }
    return roundsSincePerson(this.#store.db, this.#session)
  }

  /** Appends an answer and ends the turn with it. */
  finish(text: string, when: When, outputs: NewOutput[], paid?: Paid): Promise<'open' | 'ended'> {
    const expected = { next_message: 1, next_event: 1, next_outbox: 1 }
    return this.#ending(
      this.#writeReply({ text, paid }, expected, (tx, step) =>
        answer(tx, this.#options, { text, outputs, when }, step),
      ),
    )
  }

  /** Lets the turn wait for people and child sessions; false when an answer has already come. */
  rest(): Promise<boolean> {
    return this.#write(async (tx) => {
      const unread = await pendingInbox(tx.db, this.#session)
      const answers = unread.filter(({ kind }) => kind === 'answer')
      if (answers.length > 0) {
        const taken = answers.map(({ seq }) => seq)
        await takeInbox(tx, this.#session, taken, this.#turn.id)
        return false
      }
      await setTurnState(tx, this.#turn.id, 'waiting')
      const request_ids = (await pendingRequests(tx.db, this.#session)).map(({ id }) => id)
      // While only child sessions work for it, its message goes on.
      if (request_ids.length === 0) return true
      if (this.#options.session.parent === undefined) await closeMessage(tx, this.#turn)
      await this.#emit(tx, [{ type: 'waiting', data: { turn_id: this.#turn.id, request_ids } }])
      if (this.#options.isPosted)
        for (const { kind, payload } of unread) if (kind === 'alarm') await tellAlarm(tx, this.#session, payload)
      return true
    })
  }

  /** `words`: what the thread is told when `message` is for the operator. */
  async warn(code: string, message: string, words?: string): Promise<void> {
    const data = { turn_id: this.#turn.id, code, message, ...(words !== undefined && { words }) }
    await this.#write((tx) => this.#emit(tx, [{ type: 'warning', data }]))
  }

  /** Appends a description of images, and what it cost. */
  seen(text: string, files: WorkspaceFile[], { usage, spent }: Paid): Promise<Message> {
    return this.#write(async (tx) => {
      if (spent !== undefined) await this.#pay(tx, spent)
      await advanceTurn(tx, this.#turn.id, { usage })
      return appendMessage(tx, this.#session, { role: 'user', turn: this.#turn.id, text, origin: 'seen', files })
    })
  }

  /** Records what a request that brought no reply cost. */
  async paidInVain(spent: Spent): Promise<void> {
    await this.#write((tx) => this.#pay(tx, spent))
  }

  async thought(text: string): Promise<void> {
    await this.#write((tx) => this.#emit(tx, [{ type: 'thought', data: { turn_id: this.#turn.id, text } }]))
  }

  /** Shown soon. Progress may be lost, the reply may not. */
  textDelta(delta: string): void {
    this.#options.textStream.push(this.#options.lease, this.#turn.id, delta)
  }

  /** What was shown of this reply doesn't count. */
  async textDiscarded(): Promise<void> {
    const ended = this.#options.textStream.end(this.#options.lease, { text: '', discarded: true })
    await this.#write((tx) => this.#emit(tx, ended))
  }

  async #ending(written: Promise<Ended>): Promise<'open' | 'ended'> {
    const ended = await written
    this.#leftNothing = ended === 'ended with nothing left'
    return ended === 'open' ? 'open' : 'ended'
  }

  #write<T>(work: (tx: Tx) => Promise<T>, expected?: Expected): Promise<T> {
    return this.#store.fenced(this.#options.lease, work, expected)
  }

  async #pay(tx: Tx, spent: Spent): Promise<void> {
    await recordSpent(tx, spenderIn(this.#options), spent)
    await this.#emit(tx, [costEvent(this.#turn, spent)])
  }

  #emit(tx: Tx, events: NewEvent[]) {
    return appendEvents(tx, this.#session, events)
  }

  /**
   * Writes the reply together with `more`, which counts the step. The stream ends once, however often the write is
   * retried.
   */
  #writeReply<T>(
    {
      text,
      thought,
      paid,
      calls = [],
    }: Pick<Along, 'thought'> & { text: string; paid: Paid | undefined; calls?: ToolCall[] },
    expected: Expected,
    more: (tx: Tx, step: Step) => Promise<T>,
  ): Promise<T> {
    const { textStream, lease, pastCrash } = this.#options
    const ended = textStream.end(lease, { text: text === silenceKept ? '' : text })
    const { usage, spent, model } = paid ?? {}
    const told = spent === undefined ? ended : [...ended, costEvent(this.#turn, spent)]
    const events = told.length + (expected.next_event ?? 0)
    const written = this.#write(
      async (tx) => {
        const request = usage?.estimate === undefined ? {} : { request: sizeOf(usage.estimate, usage) }
        const along = { thought, model }
        await appendMessage(tx, this.#session, {
          role: 'assistant',
          turn: this.#turn.id,
          text,
          calls,
          ...along,
          ...request,
        })
        if (spent !== undefined) await recordSpent(tx, spenderIn(this.#options), spent)
        await this.#emit(tx, told)
        return more(tx, { step: true, usage, model })
      },
      { ...expected, next_event: events },
    )
    return written.then((result) => {
      this.#steps++
      pastCrash()
      return result
    })
  }
}

const sizeOf = (estimate: number, { input }: Usage): RequestSize => ({ estimate, ...(input > 0 && { tokens: input }) })
