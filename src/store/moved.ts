import { Failure } from '../kit/failure.ts'
import type { Copied } from './move/copy.ts'
import { type MoveProgress, moveNoteName } from './move-note.ts'
import type { Db } from './store.ts'
import { storeWords } from './words.ts'

export interface MoveNote extends MoveProgress {
  /** Once everything is there. */
  copied?: Copied
  /** Where it has put what stood in the target's place: noted in the source, for the case that it is killed. */
  putAway?: string
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
    return new Failure('moved', storeWords.movedAway({ other, day }), storeWords.movedAwayRemedy())
  }
  if (state === 'leaving') {
    return new Failure('moved', storeWords.leavingUnfinished({ other, day }), storeWords.leavingUnfinishedRemedy())
  }
  return new Failure('moved', storeWords.arrivingUnfinished({ other, day }), storeWords.arrivingUnfinishedRemedy())
}
