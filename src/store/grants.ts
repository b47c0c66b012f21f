import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Person, ThreadRef } from '../domain/chat.ts'
import { callBinding, closedBinding, type Grant } from '../domain/grant.ts'
import { type GrantId, newId, type SessionId } from '../domain/ids.ts'
import type { NextAt } from './next-at.ts'
import { prepared } from './prepared.ts'
import type { Tables } from './schema.ts'
import type { Db, Tx } from './store.ts'
import type { GrantRow } from './trust-rows.ts'

const toGrant = (row: GrantRow): Grant => ({
  id: row.id,
  tool: row.tool,
  patterns: JSON.parse(row.patterns),
  binding: row.binding,
  scope: row.scope,
  session: row.session_id,
  platform: row.platform,
  tenant: row.tenant,
  project: row.project,
  untrusted: row.untrusted === 1,
  until: row.until_at ?? undefined,
  request: row.request_id,
  by: JSON.parse(row.person),
  at: row.created_at,
  endedAt: row.ended_at ?? undefined,
  endedBy: row.ended_by ? JSON.parse(row.ended_by) : undefined,
  uses: row.uses,
})

export type NewGrant = Omit<Grant, 'id' | 'at' | 'endedAt' | 'endedBy' | 'uses'>

export async function insertGrant(tx: Tx, grant: NewGrant): Promise<GrantId> {
  const id = newId('grant', tx.now)
  await tx.db
    .insertInto('grants')
    .values({
      id,
      tool: grant.tool,
      patterns: JSON.stringify(grant.patterns),
      binding: grant.binding,
      scope: grant.scope,
      session_id: grant.session,
      platform: grant.platform,
      tenant: grant.tenant,
      project: grant.project,
      untrusted: grant.untrusted ? 1 : 0,
      until_at: grant.until ?? null,
      request_id: grant.request,
      person: JSON.stringify(grant.by),
      created_at: tx.now,
      ended_at: null,
      ended_by: null,
      uses: 0,
    })
    .execute()
  return id
}

const holding = prepared(
  (db, values: { session: SessionId; now: number } & Pick<ThreadRef, 'platform' | 'tenant' | 'project'>) =>
    db
      .selectFrom('grants')
      .selectAll()
      .where('ended_at', 'is', null)
      .where('platform', '=', values.platform)
      .where('tenant', '=', values.tenant)
      .where((eb) => eb.or([eb('until_at', 'is', null), eb('until_at', '>', values.now)]))
      .where((eb) =>
        eb.or([
          eb('scope', '=', 'tenant'),
          eb.and([eb('scope', '=', 'channel'), eb('project', '=', values.project)]),
          eb.and([eb('scope', '=', 'thread'), eb('session_id', '=', values.session)]),
        ]),
      )
      .orderBy('created_at')
      .orderBy('id'),
)

/** The grants that hold in a thread, of all tools or of one. Those for the closed sandbox are always included. */
export async function grantsFor(
  db: Db,
  { session, thread: { platform, tenant, project } }: { session: SessionId; thread: ThreadRef },
  now: number,
  tool?: string,
): Promise<Grant[]> {
  const all = await holding(db, { session, platform, tenant, project, now })
  const rows = tool === undefined ? all : all.filter((row) => row.tool === tool || row.binding === closedBinding)
  return rows.map(toGrant)
}

/** All grants: those in force, and then those that have ended or run out, each newest first. */
export async function listGrants(db: Db, limit: number, now: number): Promise<Grant[]> {
  const rows = await db
    .selectFrom('grants')
    .selectAll()
    .orderBy(sql`case when ended_at is null and (until_at is null or until_at > ${now}) then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toGrant)
}

export async function findGrant(db: Db, id: string): Promise<Grant | undefined> {
  const row = await db
    .selectFrom('grants')
    .selectAll()
    .where('id', '=', id as GrantId)
    .executeTakeFirst()
  return row && toGrant(row)
}

/** A call starts under these grants. False, and none is counted, when one has ended. */
export async function countUses(tx: Tx, grants: readonly GrantId[]): Promise<boolean> {
  const ids = [...new Set(grants)]
  if (ids.length === 0) return true
  const { numUpdatedRows } = await tx.db
    .updateTable('grants')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('grants as other')
            .select('other.id')
            .where('other.id', 'in', ids)
            .where('other.ended_at', 'is not', null),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === BigInt(ids.length)
}

/** False when it had already ended. */
export async function endGrant(tx: Tx, id: GrantId, person: Person | undefined): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('grants')
    .set({ ended_at: tx.now, ended_by: person ? JSON.stringify(person) : null })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Patterns for these tools from before commands ran in the closed sandbox. They no longer allow anything. */
const unused = sql<boolean>`(tool in ('run_command', 'run_script') and binding <> ${closedBinding}
  and binding not like ${`${callBinding('')}%`})`

/** Unused ones are due at once. */
export const nextGrantEnd: NextAt = sql`
  select min(case when ${unused} then 0 else until_at end) from grants where ended_at is null`

/** Expired grants. They are ended in the table, so that a clock that is set back can't revive them. */
export async function expiredGrants(db: Db, now: number): Promise<Grant[]> {
  return grantsWhere(db, (eb) => eb('until_at', '<=', now))
}

export async function unusedGrants(db: Db): Promise<Grant[]> {
  return grantsWhere(db, () => unused)
}

async function grantsWhere(
  db: Db,
  which: (eb: ExpressionBuilder<Tables, 'grants'>) => Expression<SqlBool>,
): Promise<Grant[]> {
  const rows = await db.selectFrom('grants').selectAll().where('ended_at', 'is', null).where(which).execute()
  return rows.map(toGrant)
}
