import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { appendAudit } from '../store/audit.ts'
import { dropNote, readNote, writeNote } from '../store/notes.ts'
import type { Tx } from '../store/store.ts'

/** What somebody tried to decide or end. */
export interface Tried {
  session: SessionId
  about: { request: string } | { grant: string } | { skill: string } | { server: string }
}

/** A person's further refusals are counted and logged together, at most this often, ms. */
const togetherMs = 3_600_000
/** This many people are counted separately; all others are counted as one. */
const mostPeople = 20
const others = 'others'

type Counts = Record<string, { at: number; more: number }>

/**
 * Logs a refusal. A person's first refusal gets its own entry; later ones are counted and logged once an hour and at
 * the end, so that repeated clicks can't fill the log.
 */
export async function noteRefusal(tx: Tx, { session, about }: Tried, person: Person, reason: string): Promise<void> {
  await tx.hold(session)
  const counts = await read(tx, about)
  const isKnown = Object.hasOwn(counts, person.id)
  const by = isKnown || Object.keys(counts).length < mostPeople ? person.id : others
  const before = Object.hasOwn(counts, by) ? counts[by] : undefined
  const times = (before?.more ?? 0) + 1
  const isTold = before === undefined || tx.now - before.at >= togetherMs
  if (isTold) {
    const data = { ...about, by, reason, ...(before !== undefined && { times }) }
    await appendAudit(tx, { kind: 'refused', session, data })
  }
  const counted = isTold ? { at: tx.now, more: 0 } : { at: before.at, more: times }
  await writeNote(tx, nameOf(about), JSON.stringify({ ...counts, [by]: counted }))
}

/** When the request has ended: logs the refusals that were only counted so far. */
export async function tellRefusals(tx: Tx, { session, about }: Tried): Promise<void> {
  for (const [by, { more }] of Object.entries(await read(tx, about))) {
    if (more > 0) await appendAudit(tx, { kind: 'refused', session, data: { ...about, by, times: more } })
  }
  await dropNote(tx, nameOf(about))
}

const nameOf = (about: Tried['about']): string => `refused:${Object.values(about).join('')}`

async function read(tx: Tx, about: Tried['about']): Promise<Counts> {
  const note = await readNote(tx.db, nameOf(about))
  // Only this file writes the note.
  return note === undefined ? {} : (JSON.parse(note) as Counts)
}
