import type { EventType, SessionEvent } from '../../src/domain/events.ts'

/** A message as its sender knows it. Times are in milliseconds on this process's clock. */
export interface Sent {
  token: string
  user: string
  text: string
  uploads: { name: string; content: string }[]
  sentAt: number
  acknowledgedAt: number | undefined
  conversation: string | undefined
}

/** A person's answer and the API's response, undefined until there is one. */
export interface Given {
  request: string
  token: string
  user: string
  answer: string
  status: number | undefined
}

/** What the outside world knows; the check compares the bot's rows with it. */
export class Ledger {
  readonly sent = new Map<string, Sent>()
  readonly given: Given[] = []
  /** Conversations in which somebody pressed Stop, with how often the bot said that it stopped a turn. */
  readonly stops = new Map<string, number>()
  /** Events shown on screens: conversation, number, type. */
  readonly shown = new Map<string, Map<number, EventType>>()
  /** The database is a server, which may be away; then messages are refused. */
  hasServer = false
  /** The last time at which it was, or processes may still have thought so, ms. */
  awayAt = Number.NEGATIVE_INFINITY
  /** Faults that are noticed right away. */
  readonly faults: { rule: string; fact: string }[] = []

  fault(rule: string, fact: string): void {
    this.faults.push({ rule, fact })
  }

  saw({ conversation_id, event_id, type }: SessionEvent): void {
    const events = this.shown.get(conversation_id) ?? new Map<number, EventType>()
    this.shown.set(conversation_id, events)
    const before = events.get(event_id)
    if (before !== undefined && before !== type) {
      this.fault('shown', `${conversation_id} event ${event_id} was ${before} and then ${type}`)
    }
    events.set(event_id, type)
  }

  acknowledge(sent: Sent, first: SessionEvent): void {
    if (sent.conversation !== undefined && sent.conversation !== first.conversation_id) {
      this.fault('doubled', `${sent.token} is in ${sent.conversation} and in ${first.conversation_id}`)
    }
    sent.conversation ??= first.conversation_id
    sent.acknowledgedAt ??= performance.now()
    const said = JSON.stringify(first.data)
    if (first.type !== 'message' || !said.includes(sent.token)) {
      this.fault('stream', `the stream of ${sent.token} begins with ${first.type} ${said.slice(0, 200)}`)
    }
  }
}
