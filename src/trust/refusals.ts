import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { appendAudit } from '../store/audit.ts'
import { dropNote, notesFrom, readNote, writeNote } from '../store/notes.ts'
import type { Store, Tx } from '../store/store.ts'

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

/** By person. `session`: where they tried last. */
type Counts = Record<string, { at: number; more: number; session?: SessionId }>

/**
 * Logs a refusal. A person's first refusal gets its own entry; later ones are counted and logged once an hour and at
 * the end, so that repeated clicks can't fill the log.
 */
export async function noteRefusal(tx: Tx, { session, about }: Tried, person: Person, reason: string): Promise<void> {
  await tx.hold(session)
  const name = nameOf(about)
  await tx.alone(name)
  const counts = await read(tx, name)
  const isKnown = Object.hasOwn(counts, person.id)
  const by = isKnown || Object.keys(counts).length < mostPeople ? person.id : others
  const before = Object.hasOwn(counts, by) ? counts[by] : undefined
  const times = (before?.more ?? 0) + 1
  const isTold = before === undefined || tx.now - before.at >= togetherMs
  if (isTold) {
    const data = { ...about, by, reason, ...(before !== undefined && { times }) }
    await appendAudit(tx, { kind: 'refused', session, data })
  }
  const counted = isTold ? { at: tx.now, more: 0, session } : { at: before.at, more: times, session }
  await writeNote(tx, name, JSON.stringify({ ...counts, [by]: counted }))
}

/** When the request or grant has ended: logs the refusals that were only counted so far. */
export async function tellRefusals(tx: Tx, { session, about }: Tried): Promise<void> {
  const name = nameOf(about)
  for (const [by, { more }] of Object.entries(await read(tx, name))) {
    if (more > 0) await appendAudit(tx, { kind: 'refused', session, data: { ...about, by, times: more } })
  }
  await dropNote(tx, name)
}

/** The same for what has no end, or whose end nobody told: after an hour in which nothing was logged. */
export async function tellOldRefusals(store: Store): Promise<void> {
  for (const [name] of await notesFrom(store.db, prefix)) {
    const about = aboutIn(name)
    if ('request' in about) continue
    await store.transaction(async (tx) => {
      await tx.alone(name)
      const all = Object.entries(await read(tx, name))
      const isOld = ({ at }: Counts[string]) => tx.now - at >= togetherMs
      for (const [by, { more, session }] of all.filter(([, one]) => isOld(one) && one.more > 0))
        await appendAudit(tx, { kind: 'refused', session, data: { ...about, by, times: more } })
      const left = all.filter(([, one]) => !isOld(one))
      if (left.length === 0) await dropNote(tx, name)
      else await writeNote(tx, name, JSON.stringify(Object.fromEntries(left)))
    })
  }
}

const prefix = 'refused:'

/** Ids say what they are of, and names don't. */
function nameOf(about: Tried['about']): string {
  const [[kind, name] = ['', '']] = Object.entries(about)
  return kind === 'request' || kind === 'grant' ? `${prefix}${name}` : `${prefix}${kind} ${name}`
}

function aboutIn(note: string): Record<string, string> {
  const about = note.slice(prefix.length)
  if (about.startsWith('req_')) return { request: about }
  if (about.startsWith('grant_')) return { grant: about }
  const [kind = '', name] = about.split(' ')
  return name === undefined ? {} : { [kind]: name }
}

async function read(tx: Tx, name: string): Promise<Counts> {
  const note = await readNote(tx.db, name)
  // Only this file writes the note.
  return note === undefined ? {} : (JSON.parse(note) as Counts)
}
