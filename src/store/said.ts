import type { TurnId } from '../domain/ids.ts'
import type { EventRow } from './schema.ts'

// A long answer is repeated by three events and the outbox. SQLite stores it once, in the history; what repeats it has the
// message's number in `said` instead, and what follows from that message isn't stored with it either. On PostgreSQL the version
// before may still run beside this one, so there each has its own.

/** A message of the history that was just stored. */
export interface Said {
  seq: number
  text: string
  turn: TurnId | undefined
}

/** What is read of it along with a row that refers to it. */
export interface SaidRow {
  saidText: string | null
  saidTurn: TurnId | null
}

/** A shorter text takes no more room than a reference to it. */
const shortest = 32

export const isWorthwhile = ({ text }: Said): boolean => text.length >= shortest

/** Which part of an event may repeat what was said. */
const fields: Partial<Record<string, 'text' | 'content' | undefined>> = {
  text_start: undefined,
  text_end: 'text',
  message: 'text',
  complete: 'content',
}

const mayHaveFiles = (type: string): boolean => type === 'message' || type === 'complete'

/** The row as it is stored. */
export function withoutSaid(row: EventRow, { seq, text, turn }: Said): EventRow {
  if (!(row.type in fields)) return row
  const { turn_id, files, message_id, ...data } = JSON.parse(row.data)
  const field = fields[row.type] ?? ''
  if (turn_id !== turn || (field !== '' && data[field] !== text)) return row
  const { [field]: _, ...rest } = data
  const hasFiles = files !== undefined && files.length > 0
  const isNamed = message_id !== undefined && message_id !== row.key
  const stored = { ...rest, ...(hasFiles && { files }), ...(isNamed && { message_id }) }
  return { ...row, data: JSON.stringify(stored), said: seq }
}

/** What the event tells. */
export function wholeData(
  { type, data, key, said }: Pick<EventRow, 'type' | 'data' | 'key' | 'said'>,
  { saidText, saidTurn }: SaidRow,
) {
  const field = fields[type]
  if (said === null) return JSON.parse(data)
  return {
    turn_id: saidTurn,
    ...(type === 'message' && { message_id: key }),
    ...(field !== undefined && { [field]: saidText ?? '' }),
    ...(mayHaveFiles(type) && { files: [] }),
    ...JSON.parse(data),
  }
}

/** A payload of the outbox as it is stored. */
export function payloadWithoutSaid({ text: _, files, ...rest }: { text?: string; files?: unknown[] }): string {
  return JSON.stringify({ ...rest, ...(files !== undefined && files.length > 0 && { files }) })
}

export const wholePayload = (payload: string, said: number | null, text: string | null) =>
  said === null ? JSON.parse(payload) : { text: text ?? '', files: [], ...JSON.parse(payload), said }
