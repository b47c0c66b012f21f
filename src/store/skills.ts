import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { prepared } from './prepared.ts'
import type { SkillRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** Where a team's skill holds: in one channel, or everywhere (`project` is ''). */
export interface SkillScope {
  platform: string
  tenant: string
  project: string
}

/** What a scope has under a name. */
export interface TeamSkill {
  name: string
  project: string
  version: number
  state: SkillRow['state']
  /** Of its files; '' if it only switches on or off what is there anyway. */
  hash: string
  by: Person
  at: number
}

const toSkill = ({ name, project, version, state, hash, person, created_at }: SkillRow): TeamSkill => ({
  name,
  project,
  version,
  state,
  hash,
  by: JSON.parse(person),
  at: created_at,
})

/** What each scope has under each name now: a version takes the place of those before it. */
const latest = (db: Db) =>
  db
    .selectFrom('skills')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('skills as later')
            .select('later.name')
            .whereRef('later.platform', '=', 'skills.platform')
            .whereRef('later.tenant', '=', 'skills.tenant')
            .whereRef('later.project', '=', 'skills.project')
            .whereRef('later.name', '=', 'skills.name')
            .whereRef('later.version', '>', 'skills.version'),
        ),
      ),
    )

const inForce = prepared((db, { platform, tenant, project }: { platform: string; tenant: string; project: string }) =>
  latest(db)
    .selectAll()
    .where('platform', '=', platform)
    .where('tenant', '=', tenant)
    .where((eb) => eb.or([eb('project', '=', ''), eb('project', '=', project)]))
    .orderBy('project')
    .orderBy('name'),
)

/** What the team has in a channel: first what holds everywhere, then what holds only here. */
export async function teamSkills(db: Db, { platform, tenant, project }: SkillScope): Promise<TeamSkill[]> {
  return (await inForce(db, { platform, tenant, project })).map(toSkill).filter(({ state }) => state !== 'removed')
}

/** Each content that is in force somewhere, with the name it was installed under. */
export const installedSkills = (db: Db): Promise<Pick<TeamSkill, 'name' | 'hash'>[]> =>
  latest(db).select(['name', 'hash']).distinct().where('hash', '<>', '').orderBy('name').execute()

/** Everything a scope has ever had under a name, the latest first. */
export async function skillHistory(db: Db, scope: SkillScope, name: string): Promise<TeamSkill[]> {
  const rows = await db
    .selectFrom('skills')
    .selectAll()
    .where('platform', '=', scope.platform)
    .where('tenant', '=', scope.tenant)
    .where('project', '=', scope.project)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(toSkill)
}

/** Until the transaction ends, nobody else changes what a scope has under a name. */
export const aloneWithSkill = (tx: Tx, { platform, tenant, project }: SkillScope, name: string): Promise<void> =>
  tx.alone(`skill ${JSON.stringify([platform, tenant, project, name])}`)

/** Adds a version and returns its number. */
export async function changeSkill(
  tx: Tx,
  scope: SkillScope,
  { name, state, hash, by }: Pick<TeamSkill, 'name' | 'state' | 'hash' | 'by'>,
): Promise<number> {
  await aloneWithSkill(tx, scope, name)
  const [latest] = await skillHistory(tx.db, scope, name)
  const version = (latest?.version ?? 0) + 1
  const { platform, tenant, project } = scope
  const row = { platform, tenant, project, name, version, state, hash, person: JSON.stringify(by), created_at: tx.now }
  await tx.db.insertInto('skills').values(row).execute()
  tx.changed('skills')
  return version
}

const ofSession = prepared((db, { session }: { session: SessionId }) =>
  db.selectFrom('session_skills').select('skill').where('session_id', '=', session).orderBy('place'),
)

/** The skills loaded in a thread, in the order in which they were. */
export async function loadedSkills(db: Db, session: SessionId): Promise<string[]> {
  return (await ofSession(db, { session })).map(({ skill }) => skill)
}

/** Returns the new ones; no more than `most` in all. */
export async function loadSkills(
  tx: Tx,
  session: SessionId,
  names: readonly string[],
  most: number,
): Promise<string[]> {
  const known = await loadedSkills(tx.db, session)
  const added = [...new Set(names)].filter((name) => !known.includes(name)).slice(0, Math.max(0, most - known.length))
  if (added.length === 0) return []
  const rows = added.map((skill, place) => ({ session_id: session, skill, place: known.length + place }))
  await tx.db.insertInto('session_skills').values(rows).execute()
  return added
}

/** None is loaded in the thread any more. */
export async function dropSkills(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.deleteFrom('session_skills').where('session_id', '=', session).execute()
}
