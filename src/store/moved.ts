import { Failure } from '../kit/failure.ts'
import type { Copied } from './move/copy.ts'
import { type MoveProgress, moveNoteName } from './move-note.ts'
import type { Db } from './store.ts'

export interface MoveNote extends MoveProgress {
  /** Once everything is there. */
  copied?: Copied
}

export async function readMove(db: Db): Promise<MoveNote | undefined> {
  const row = await db.selectFrom('notes').select('value').where('name', '=', moveNoteName).executeTakeFirst()
  return row && JSON.parse(row.value)
}

export async function writeMove(db: Db, note: MoveNote): Promise<void> {
  const row = { value: JSON.stringify(note), updated_at: note.at }
  await db
    .insertInto('notes')
    .values({ name: moveNoteName, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** The database can be started again. `holder` is the process that moves. */
export async function dropMove(db: Db, holder: string): Promise<void> {
  await db.deleteFrom('notes').where('name', '=', moveNoteName).execute()
  await db.deleteFrom('locks').where('holder', '=', holder).execute()
}

/** Throws `moved` when the database has been moved elsewhere, or a move of it hasn't been finished. */
export async function refuseMoved(db: Db): Promise<void> {
  const note = await readMove(db)
  if (note !== undefined) throw moved(note)
}

export function moved({ state, other, at }: MoveProgress): Failure {
  const day = new Date(at).toISOString().slice(0, 10)
  if (state === 'left') {
    return new Failure(
      'moved',
      `This bot was moved to ${other} on ${day}, so it doesn't start here any more.`,
      'Start it there, or bring it back from there with `bobbin move --to …`. `bobbin move --undo` would let it start here again, without anything that happened since.',
    )
  }
  if (state === 'leaving') {
    return new Failure(
      'moved',
      `A move of this bot to ${other} was begun on ${day} and isn't finished.`,
      'Run the same `bobbin move` again to finish it, or `bobbin move --undo` to stay here.',
    )
  }
  return new Failure(
    'moved',
    `A move from ${other} into this database was begun on ${day} and isn't finished.`,
    'Run the same `bobbin move` again to finish it, or use another database.',
  )
}
