import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { newId } from '../domain/ids.ts'
import { refuseBeside } from '../engine/process-lock.ts'
import { type Standing, standStill } from '../engine/stand-still.ts'
import { systemClock } from '../kit/clock.ts'
import { Failure } from '../kit/failure.ts'
import { countInForce, type InForce } from '../store/in-force.ts'
import { aboutDatabase } from '../store/inspect.ts'
import { Mark } from '../store/mark.ts'
import { type Copied, copyAll, isEmpty } from '../store/move/copy.ts'
import { transferOf } from '../store/move/transfer-of.ts'
import { dropMove, type MoveNote, moved, readMove, writeMove } from '../store/moved.ts'
import { hasDatabase, isServer } from '../store/place.ts'
import { type Db, Store } from '../store/store.ts'
import { refuseHalfRestored } from './backup/staging.ts'
import { wiringWords } from './words.ts'

export interface MoveOptions {
  /** Databases: a file, or the address of a server. */
  from: string
  to: string
  /** A process that has been silent for this long isn't running any more. */
  silentMs: number
  /** Ends the move, as long as the target isn't complete. */
  signal: AbortSignal
}

export interface Moved {
  here: string
  there: string
  copied: Copied
  /** What stood in the target's place from an earlier move, and where it is now. */
  putAway: string | undefined
}

type Own = Pick<Standing, 'holder' | 'silentMs'>

/** A database on which nobody else works. */
interface Side {
  place: string
  store: Store
  note: MoveNote
  stop(): void
}

/**
 * Takes everything that is stored to another database. Wherever it ends, at most one of the two can be started, and the
 * same move can be run again. Throws `no_database`, `same_place`, `restore_unfinished`, `already_running`, `moved`,
 * `not_empty`, `move_failed`, Unavailable.
 */
export async function moveBot({ from, to, silentMs, signal }: MoveOptions): Promise<Moved> {
  const [here, there] = [aboutDatabase(from).name, aboutDatabase(to).name]
  if (here === there) throw new Failure('same_place', wiringWords.samePlace({ here }), wiringWords.samePlaceRemedy())
  for (const place of [from, to]) if (!isServer(place)) refuseHalfRestored(dirname(place))
  const standing = { holder: newId('node'), silentMs }
  const source = await leave(await openSource(from, here, standing), from, there, standing)
  const transfer = await transferOf(to)
  // What an earlier process has put away that was killed.
  let { putAway } = source.note
  let target: Side | undefined
  let isUndone = false
  try {
    putAway = (await transfer.makeRoom(to)) ?? putAway
    if (putAway !== undefined) {
      source.note = { ...source.note, putAway }
      await source.store.transaction(({ db }) => writeMove(db, source.note))
    }
    target = await arrive(await open(to, standing), to, source, standing)
    const copied = target.note.copied ?? (await copy(source, target, signal))
    await finish(source, target, standing.holder)
    return { here, there, copied, putAway }
  } catch (thrown) {
    isUndone = await giveUp(source, target, standing.holder)
    throw thrown
  } finally {
    for (const side of [source, target]) {
      side?.stop()
      await side?.store.close()
    }
    // Without a target, somebody else may have that file by now.
    if (isUndone && putAway !== undefined && target !== undefined) await transfer.putBack(to, putAway)
  }
}

const open = (place: string, { holder, silentMs }: Own): Promise<Store> => {
  const beforeMigrating = (db: Db) => refuseBeside(db, silentMs)
  return Store.open(place, systemClock, undefined, { holder, beforeMigrating })
}

async function openSource(place: string, name: string, own: Own): Promise<Store> {
  if (hasDatabase(place)) return open(place, own)
  const remedy = wiringWords.dataDirOfMoveRemedy()
  throw new Failure('no_database', wiringWords.noDatabaseToMove({ name }), remedy)
}

const hasLeft = ({ state }: MoveNote): boolean => state === 'leaving' || state === 'left'

/** From here on the source can't be started. */
async function leave(store: Store, place: string, there: string, standing: Own): Promise<Side> {
  let note: MoveNote = { id: randomUUID(), state: 'leaving', other: there, at: systemClock.now() }
  const name = aboutDatabase(place).name
  const stop = await standStill(store, { ...standing, name }, async ({ db }) => {
    const begun = await readMove(db)
    if (begun !== undefined && !(begun.other === there && hasLeft(begun))) throw moved(begun)
    note = begun ?? note
    await writeMove(db, note)
  }).catch((thrown) => closeAfter(store, thrown))
  return { place, store, note, stop }
}

/** Nor the target, until it is complete. */
async function arrive(store: Store, place: string, source: Side, standing: Own): Promise<Side> {
  const name = aboutDatabase(place).name
  let note: MoveNote = { ...source.note, state: 'filling', other: aboutDatabase(source.place).name }
  const stop = await standStill(store, { ...standing, name }, async ({ db }) => {
    const found = await readMove(db)
    const isFilled = found?.state === 'filled' && found.id === note.id
    if (!isFilled && source.note.state === 'left') throw moved(source.note)
    if (!isFilled && !((found ?? note).state === 'filling' && (await isEmpty({ place, db })))) {
      const remedy = wiringWords.targetFilledRemedy()
      throw new Failure('not_empty', wiringWords.targetFilled({ name }), remedy)
    }
    note = isFilled ? found : note
    await writeMove(db, note)
  }).catch((thrown) => closeAfter(store, thrown))
  return { place, store, note, stop }
}

async function closeAfter(store: Store, thrown: unknown): Promise<never> {
  await store.close()
  throw thrown
}

const copy = (source: Side, target: Side, signal: AbortSignal): Promise<Copied> =>
  target.store.transaction(async ({ db }) => {
    const copied = await copyAll({ place: source.place, db: source.store.db }, { place: target.place, db }, signal)
    await writeMove(db, { ...target.note, state: 'filled', copied })
    return copied
  })

async function finish(source: Side, { store }: Side, holder: string): Promise<void> {
  await source.store.transaction(({ db }) => writeMove(db, { ...source.note, state: 'left' }))
  if (store.keeper !== undefined) await new Mark(store, store.keeper, holder).set()
  await store.transaction(({ db }) => dropMove(db, holder))
}

/**
 * Leaves both as they were, unless the target may be complete: then the same move has to be run again. Returns whether
 * it did.
 */
async function giveUp(source: Side, target: Side | undefined, holder: string): Promise<boolean> {
  try {
    const isFilled = await target?.store.transaction(async ({ db }) => {
      if ((await readMove(db))?.state === 'filled') return true
      await dropMove(db, holder)
      return false
    })
    if (isFilled || source.note.state === 'left') return false
    await source.store.transaction(({ db }) => dropMove(db, holder))
    return true
  } catch {
    // Whoever starts the bot is told that the move isn't finished.
    return false
  }
}

export interface Undone {
  /** Where it was moved to, and when. */
  other: string
  at: number
  inForce: InForce
}

/**
 * Lets a database that was moved elsewhere start again, as it was then. Throws `no_database`, `already_running`,
 * `not_moved`.
 */
export async function undoMove(place: string, silentMs: number): Promise<Undone> {
  const { name } = aboutDatabase(place)
  const own = { holder: newId('node'), silentMs }
  const store = await openSource(place, name, own)
  try {
    let [other, at] = ['', 0]
    const stop = await standStill(store, { ...own, name }, async ({ db }) => {
      const note = await readMove(db)
      if (note === undefined || !hasLeft(note))
        throw new Failure('not_moved', `${name} wasn’t moved anywhere.`, wiringWords.noMoveToUndo())
      ;({ other, at } = note)
    })
    stop()
    const inForce = await countInForce(store.db, systemClock.now())
    await store.transaction(({ db }) => dropMove(db, own.holder))
    return { other, at, inForce }
  } finally {
    await store.close()
  }
}
