import { createHash } from 'node:crypto'
import { dropNote, readNote, writeNote } from '../../../store/notes.ts'
import type { Store } from '../../../store/store.ts'
import { isSame } from './callback.ts'

/** A login that somebody has begun, as all processes see it. */
export interface Begun {
  id: string
  /** Who asked for it. */
  person: string
  /** Of the number that their browser shows. */
  hash: string
  tries: number
  until: number
  /** `confirmed`: whoever waits for the browser keeps it now. */
  state: 'open' | 'confirmed' | 'kept' | 'failed'
  why: string
}

/** What came of a number that somebody said. */
export type Confirmed = { kind: 'confirmed'; id: string } | { kind: 'none' } | { kind: 'wrong' }

const mostTries = 3

const noteOf = (server: string): string => `mcp.login.${server}`

export const hashOf = (id: string, code: string): string => createHash('sha256').update(`${id} ${code}`).digest('hex')

export async function begunAt({ db }: Pick<Store, 'db'>, server: string): Promise<Begun | undefined> {
  const note = await readNote(db, noteOf(server))
  return note === undefined ? undefined : (JSON.parse(note) as Begun)
}

/** Replaces what was begun; with `only`, no other one than that. */
export async function writeBegun(
  store: Pick<Store, 'transaction'>,
  server: string,
  begun: Begun | undefined,
  only?: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.alone(noteOf(server))
    if (only !== undefined && (await begunAt(tx, server))?.id !== only) return
    if (begun === undefined) await dropNote(tx, noteOf(server))
    else await writeNote(tx, noteOf(server), JSON.stringify(begun))
    tx.changed('mcp')
  })
}

/** A person says the number: counted once, wherever it is said. */
export function confirmBegun(
  store: Pick<Store, 'transaction'>,
  server: string,
  person: string,
  code: string,
): Promise<Confirmed> {
  return store.transaction(async (tx): Promise<Confirmed> => {
    await tx.alone(noteOf(server))
    const begun = await begunAt(tx, server)
    if (begun === undefined || begun.person !== person || begun.until < tx.now) return { kind: 'none' }
    const isRight = isSame(hashOf(begun.id, code), begun.hash)
    // After an outage, what was said before it may be delivered again.
    if (begun.state !== 'open') return isRight ? { kind: 'confirmed', id: begun.id } : { kind: 'none' }
    const tries = begun.tries + 1
    if (!isRight && tries >= mostTries) await dropNote(tx, noteOf(server))
    else
      await writeNote(
        tx,
        noteOf(server),
        JSON.stringify({ ...begun, tries, ...(isRight && { state: 'confirmed' as const }) }),
      )
    tx.changed('mcp')
    return isRight ? { kind: 'confirmed', id: begun.id } : { kind: 'wrong' }
  })
}
