import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { AlarmId, RequestId, TurnId } from '../domain/ids.ts'
import type { InboxRow } from './schema.ts'

/** How a child session ended. */
export interface ChildEnd {
  state: 'done' | 'failed' | 'stopped'
  text: string
  steps: number
  /** It was given up because it took too long. */
  isLate?: true
  /** A person stopped it. */
  isCalledOff?: true
  /** It has made all the model calls it may make, and its text is what it had by then. */
  isOutOfSteps?: true
}

/** A person's answer. `latest`: the digest of the message that it was, once that was edited, and when it was. */
export interface AnswerPayload {
  person?: Person
  request: RequestId
  latest?: string
  editedAt?: number
  quotesOthers?: true | undefined
}

/** What can wake a session, by kind. */
export interface InboxPayload {
  message: {
    person: Person
    text: string
    /** What plug-ins made of `text`, if there are any and a turn has read it. */
    words?: string | undefined
    files: WorkspaceFile[]
    /** Unless it is the session's. */
    timeZone?: string
    /** Said before the bot was mentioned, and by whom. */
    earlier?: 'person' | 'bot' | 'self'
    /** Addressed to the bot before the first message it heard, and found afterwards. */
    missed?: boolean
    /** When it was said, by the platform's clock. Messages are read in this order. */
    at?: number
    /** What the program says about an earlier message, instead of the person's own words. */
    note?: string
    /** What a call of its parent has a child session do, instead of a person's own words. */
    task?: string
    /** The message's id on the platform. */
    message?: string
    /** Said in the bot's own thread without mentioning it: people may be talking to each other. */
    unnamed?: boolean
    /** Its file with the whole text, which was too long for a message. */
    whole?: string
    /** The digest of the latest version of the text, unless that is `text` itself. */
    latest?: string
    /** When it was last edited, by the platform's clock. */
    editedAt?: number
    /** Not all of its text is its author's. */
    quotesOthers?: true | undefined
    /** The question that it answers; its files are read with the answer. */
    answered?: RequestId
  }
  /** `turn`: the one in which a call set it; undefined if a person did. */
  alarm: { person: Person; alarm: AlarmId; message: string; dueAt: number; timeZone: string; turn?: TurnId | undefined }
  /** What a call has waited for: a person's answer, or the end of the child session that it opened. */
  answer: AnswerPayload | { person?: Person; child: ChildEnd }
  /** `again`: answer anew what was already answered. `turn`: the one to continue, or to answer anew. */
  resume: { person: Person; again?: boolean; turn?: TurnId }
  command: { person: Person; name: string; argument: string }
}

/** Stands in place of the digest of a deleted message, so that it can't come back. */
export const deleted = 'deleted'

export type InboxKind = keyof InboxPayload

export type InboxEvent = {
  [Kind in InboxKind]: {
    kind: Kind
    seq: number
    at: number
    held: boolean
    payload: InboxPayload[Kind]
    /** The number of the event that reported it. */
    eventId: number
    /** The payload as stored, to compare whether it has changed. */
    stored: string
  }
}[InboxKind]

/** A message without files is stored without a list of them. */
export const wholePayload = ({ kind, payload }: Pick<InboxRow, 'kind' | 'payload'>): unknown =>
  kind === 'message' ? { files: [], ...JSON.parse(payload) } : JSON.parse(payload)

export const toInboxEvent = (row: InboxRow): InboxEvent =>
  // The column holds what insertInbox was given for this kind.
  ({
    kind: row.kind,
    seq: row.seq,
    at: row.created_at,
    held: row.state === 'held',
    payload: wholePayload(row),
    eventId: row.event_id,
    stored: row.payload,
  }) as InboxEvent

export const isUnnamed = (event: InboxEvent): boolean => event.kind === 'message' && event.payload.unnamed === true

/** When the message that opened a turn was said; undefined when no message did, or the platform doesn't say. */
export const openingSaidAt = (event: InboxEvent): number | undefined =>
  event.kind === 'message' && event.payload.earlier === undefined ? event.payload.at : undefined
