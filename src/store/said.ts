import { isDeepStrictEqual } from 'node:util'
import type { TurnId } from '../domain/ids.ts'
import type { EventRow } from './schema.ts'

// A long answer is repeated by three events and the outbox, and a call's result by an event. SQLite stores it once, in
// the history; what repeats it has the message's number in `said` instead, and what follows from that message isn't
// stored with it either. On PostgreSQL the version before may still run beside this one, so there each has its own.

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

/** Which part of an event may repeat what was said, or what a call returned. */
const fields: Partial<Record<string, 'text' | 'content' | 'result' | undefined>> = {
  text_start: undefined,
  text_end: 'text',
  message: 'text',
  complete: 'content',
  observe: 'result',
}

/** The row as it is stored after messages of its session were. */
export function withoutSaid(row: EventRow, all: readonly Said[]): EventRow {
  if (row.type === 'start' || !(row.type in fields)) return withoutDefaults(row)
  const { turn_id, ...data } = JSON.parse(row.data)
  const field = fields[row.type] ?? ''
  const said = all.findLast(({ text, turn }) => turn_id === turn && (field === '' || data[field] === text))
  if (said === undefined || (row.type === 'message' && data.role !== 'assistant')) return withoutDefaults(row)
  const { [field]: _, message_id, role: __, ...rest } = data
  const isNamed = message_id !== undefined && message_id !== row.key
  const kept = { ...rest, ...(isNamed && { message_id }) }
  return withoutDefaults({ ...row, data: JSON.stringify(kept), said: said.seq })
}

/** What most events of a type have isn't stored. */
const defaults: Partial<Record<string, Record<string, unknown>>> = {
  start: { reason: 'message' },
  message: { role: 'user', files: [] },
  text_start: { text_id: 'text_1_1' },
  text_end: { text_id: 'text_1_1' },
  complete: { files: [], steps: 1 },
}

function withoutDefaults(row: EventRow): EventRow {
  const usual = defaults[row.type]
  if (usual === undefined) return row
  const kept = Object.entries(JSON.parse(row.data)).filter(([name, value]) => !isDeepStrictEqual(usual[name], value))
  return { ...row, data: JSON.stringify(Object.fromEntries(kept)) }
}

/** What the event tells. */
export function wholeData(
  { type, data, key, said }: Pick<EventRow, 'type' | 'data' | 'key' | 'said'>,
  { saidText, saidTurn }: SaidRow,
) {
  const field = fields[type]
  if (said === null) return { ...defaults[type], ...JSON.parse(data) }
  return {
    turn_id: saidTurn,
    ...defaults[type],
    ...(type === 'message' && { message_id: key, role: 'assistant' }),
    ...(field !== undefined && { [field]: saidText ?? '' }),
    ...JSON.parse(data),
  }
}

/** A payload of the outbox as it is stored. */
export function payloadWithoutSaid({ text: _, files, ...rest }: { text?: string; files?: unknown[] }): string {
  return JSON.stringify({ ...rest, ...(files !== undefined && files.length > 0 && { files }) })
}

export const wholePayload = (payload: string, said: number | null, text: string | null) =>
  said === null ? JSON.parse(payload) : { text: text ?? '', files: [], ...JSON.parse(payload), said }
