import { nodeName } from './lock-names.ts'
import { dropNote, readNote, writeNote } from './notes.ts'
import type { Store, Tx } from './store.ts'

// A duty is what only one of several processes does at a time. It is a row in `locks`, so it is free when its process
// is gone.

/** A duty as it stands. */
export interface DutyRow {
  holder: string
  /** The node that has it. */
  node: string
  /** Whoever has it has caught up with everything. */
  isSettled: boolean
  /** What it hasn't caught up with nevertheless. */
  except: string[]
}

const lockOf = (duty: string): string => `duty ${duty}`

/**
 * Takes a duty that nobody has; resolves with who has it then. Undefined for a process that may not have any, because
 * it was replaced or is about to end.
 */
export async function takeDuty(store: Store, duty: string, holder: string): Promise<DutyRow | undefined> {
  const now = await look(store.db, duty, holder)
  if (!now.mayTake || now.row !== undefined) return now.mayTake ? now.row : undefined
  return store.transaction(async (tx) => {
    await tx.alone(holder)
    await tx.alone(lockOf(duty))
    const { mayTake, row } = await look(tx.db, duty, holder)
    if (!mayTake || row !== undefined) return mayTake ? row : undefined
    await tx.db.deleteFrom('locks').where('name', '=', lockOf(duty)).execute()
    await tx.db
      .insertInto('locks')
      .columns(['name', 'holder', 'host', 'pid', 'beat_at', 'leaving', 'started_at', 'version'])
      .expression((eb) =>
        eb
          .selectFrom('locks')
          .select((own) => own.val(lockOf(duty)).as('name'))
          .select(['holder', 'host', 'pid', 'beat_at', 'leaving', 'started_at', 'version'])
          .where('holder', '=', holder)
          .where('name', 'like', nodeName('%')),
      )
      .execute()
    return (await look(tx.db, duty, holder)).row
  })
}

async function look(db: Tx['db'] | Store['db'], duty: string, holder: string) {
  const rows = await db
    .selectFrom('locks')
    .select(['name', 'holder', 'leaving', 'state'])
    .where((eb) => eb.or([eb('name', 'like', nodeName('%')), eb('name', '=', lockOf(duty))]))
    .execute()
  const held = rows.find(({ name }) => name === lockOf(duty))
  const nodeOf = (holder: string) => rows.find((row) => row.holder === holder && row !== held)
  const mayTake = nodeOf(holder)?.leaving === 0
  const at = held && nodeOf(held.holder)
  // Whoever was drained may not have got around to giving it up.
  if (held === undefined || at === undefined || at.state === 'drained') return { mayTake, row: undefined }
  const node = at.name.slice(nodeName('').length)
  const [settled, ...except] = (await readNote(db, lockOf(duty)))?.split(' ') ?? []
  const isSettled = settled === held.holder
  return { mayTake, row: { holder: held.holder, node, isSettled, except: isSettled ? except : [] } }
}

export function dropDuty(store: Store, duty: string, holder: string): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.db.deleteFrom('locks').where('name', '=', lockOf(duty)).where('holder', '=', holder).execute()
  })
}

/**
 * Says what isn't caught up with: nothing but this, or, if undefined, anything. Nothing happens if the duty is another
 * one's.
 */
export const settleDuty = (store: Store, duty: string, holder: string, except: string[] | undefined): Promise<void> =>
  asHolder(store, duty, holder, (tx) =>
    except === undefined ? dropNote(tx, lockOf(duty)) : writeNote(tx, lockOf(duty), [holder, ...except].join(' ')),
  )

/** Notes that only whoever has the duty writes: what others have to say is older than what it knows. */
export const notesOfDuty = (store: Store, duty: string, holder: string) => ({
  get: (name: string): Promise<string | undefined> => readNote(store.db, name),
  set: (name: string, value: string): Promise<void> =>
    asHolder(store, duty, holder, (tx) => writeNote(tx, name, value)),
})

function asHolder(store: Store, duty: string, holder: string, write: (tx: Tx) => Promise<void>): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.alone(lockOf(duty))
    const held = await tx.db
      .selectFrom('locks')
      .select('name')
      .where('name', '=', lockOf(duty))
      .where('holder', '=', holder)
      .executeTakeFirst()
    if (held !== undefined) await write(tx)
  })
}
