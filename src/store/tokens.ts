import { createHash } from 'node:crypto'
import { newId } from '../domain/ids.ts'
import type { Db, Tx } from './store.ts'
import type { TokenRow } from './trust-rows.ts'

/** A token of the console, without the token. */
export interface Token {
  id: string
  name: string
  createdAt: number
  /** To the hour. */
  usedAt: number | undefined
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

/** Returns its id. */
export async function addToken(tx: Tx, { name, value }: { name: string; value: string }): Promise<string> {
  const id = newId('token', tx.now)
  const row = { id, name: tx.mask(name), hash: hashOf(value), created_at: tx.now, used_at: null, ended_at: null }
  await tx.db.insertInto('tokens').values(row).execute()
  return id
}

/** Makes this the first token; false if there is one already. */
export async function addFirstToken(tx: Tx, token: { name: string; value: string }): Promise<boolean> {
  await tx.alone('tokens')
  if ((await listTokens(tx.db)).length > 0) return false
  await addToken(tx, token)
  return true
}

/** Those in force, the oldest first. */
export async function listTokens(db: Db): Promise<Token[]> {
  const rows = await db.selectFrom('tokens').selectAll().where('ended_at', 'is', null).orderBy('created_at').execute()
  return rows.map(toToken)
}

export async function findToken(db: Db, value: string): Promise<Token | undefined> {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('hash', '=', hashOf(value))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row && toToken(row)
}

const toToken = ({ id, name, created_at, used_at }: TokenRow): Token => ({
  id,
  name,
  createdAt: created_at,
  usedAt: used_at ?? undefined,
})

/** False if there is none of this id in force. */
export async function revokeToken(tx: Tx, id: string): Promise<boolean> {
  const ended = await tx.db
    .updateTable('tokens')
    .set({ ended_at: tx.now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return ended.length > 0
}

export async function noteTokenUse(tx: Tx, id: string): Promise<void> {
  await tx.db.updateTable('tokens').set({ used_at: tx.now }).where('id', '=', id).execute()
}
