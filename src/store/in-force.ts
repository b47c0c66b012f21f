import { sql } from 'kysely'
import type { Db } from './store.ts'
import { listTokens } from './tokens.ts'

/** How many of what people can revoke is in force. */
export interface InForce {
  tokens: number
  grants: number
}

export async function countInForce(db: Db, now: number): Promise<InForce> {
  const { rows } = await sql<{ grants: number | string }>`select count(*) as grants from grants
    where ended_at is null and (until_at is null or until_at > ${now})`.execute(db)
  return { tokens: (await listTokens(db)).length, grants: Number(rows[0]?.grants ?? 0) }
}
