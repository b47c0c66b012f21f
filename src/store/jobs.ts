import { sql, type UpdateObject } from 'kysely'
import { type CallId, type JobId, newId, type SessionId } from '../domain/ids.ts'
import type { Json } from '../kit/json.ts'
import type { JobRow } from './job-row.ts'
import { isGone, isReplaced } from './lock.ts'
import type { NextAt } from './next-at.ts'
import type { Tables } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** What the job ends with: a session, one of its calls, another job, or the bot itself. */
export type JobOwner = SessionId | CallId | JobId | 'bot'

export interface NewJob {
  kind: string
  /** While a job of this kind and key is open, starting it again changes only its time. */
  key: string
  owner: JobOwner
  input: Json
  /** Not before, ms. */
  dueAt?: number
}

export interface StoredJob {
  id: JobId
  kind: string
  owner: JobOwner
  input: Json
  checkpoint: Json | undefined
  /** How many jobs are above it, each owning the next. */
  depth: number
  /** Failures since the checkpoint last changed. */
  attempts: number
  epoch: number
}

/** The right to write a job, until it is claimed again or its owner ends. */
export type JobLease = Pick<StoredJob, 'id' | 'epoch'>

const toJob = (row: JobRow): StoredJob => ({
  id: row.id,
  kind: row.kind,
  // The column holds what `startJob` was given.
  owner: row.owner as JobOwner,
  input: JSON.parse(row.input),
  checkpoint: row.checkpoint === null ? undefined : JSON.parse(row.checkpoint),
  depth: row.depth,
  attempts: row.attempts,
  epoch: row.epoch,
})

/**
 * Starts a job after the commit. If it is open already, only the earlier time is taken over; a failed job starts again.
 */
export async function startJob(tx: Tx, { kind, key, owner, input, dueAt = tx.now }: NewJob): Promise<JobId> {
  tx.jobs()
  const known = await tx.db
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
  if (known?.state === 'open') {
    const sooner = tx.db.updateTable('jobs').set({ due_at: dueAt }).where('id', '=', known.id)
    await sooner.where('due_at', '>', dueAt).execute()
    return known.id
  }
  if (known !== undefined) await endJob(tx, known.id)
  const above = await tx.db
    .selectFrom('jobs')
    .select('depth')
    .where('id', '=', owner as JobId)
    .executeTakeFirst()
  const id = newId('job', tx.now)
  await tx.db
    .insertInto('jobs')
    .values({
      id,
      kind,
      key,
      owner,
      input: JSON.stringify(tx.mask(input)),
      state: 'open',
      due_at: dueAt,
      depth: above === undefined ? 0 : above.depth + 1,
      attempts: 0,
      epoch: 0,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
  return id
}

/**
 * Ends an owner's jobs and theirs in turn; for a session, also those of its calls. Running ones can't write any more,
 * and are told after the commit, starting with those that own nothing.
 */
export async function endJobs(tx: Tx, owner: JobOwner): Promise<void> {
  const { numAffectedRows = 0n } = await sql`with recursive ended (id) as (
      select id from jobs where owner = ${owner} or owner in (select id from calls where session_id = ${owner})
      union select jobs.id from jobs join ended on jobs.owner = ended.id)
    delete from jobs where id in (select id from ended)`.execute(tx.db)
  if (numAffectedRows > 0n) tx.jobs()
}

/** Ends an owner's jobs of one kind. False if there were none. */
export async function endJobsOfKind(tx: Tx, owner: JobOwner, kind: string): Promise<boolean> {
  const ids = tx.db.selectFrom('jobs').select('id').where('owner', '=', owner).where('kind', '=', kind)
  const found = await ids.where('state', '=', sql.lit('open')).execute()
  for (const { id } of found) await endJob(tx, id)
  if (found.length > 0) tx.jobs()
  return found.length > 0
}

/** Ends a job, and what it owns. */
export async function endJob(tx: Tx, id: JobId): Promise<void> {
  await endJobs(tx, id)
  await tx.db.deleteFrom('jobs').where('id', '=', id).execute()
}

/** Clocks are corrected by less than this all the time, ms. */
const clockNoiseMs = 5_000

export const nextJob: NextAt = sql`select min(due_at) from jobs where state = 'open' and holder is null`

/** Open jobs that are due and that nobody runs, longest due first. */
export async function dueJobs(db: Db, now: number, kinds: string[]): Promise<{ id: JobId; kind: string }[]> {
  if (kinds.length === 0) return []
  return db
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('state', '=', sql.lit('open'))
    .where('holder', 'is', null)
    .where('due_at', '<=', now)
    .where('kind', 'in', kinds)
    .orderBy('due_at')
    .limit(20)
    .execute()
}

/** Undefined when somebody else was first, the job has ended, or another process runs the engine. */
export async function claimJob(tx: Tx, id: JobId, holder: string): Promise<StoredJob | undefined> {
  if (await isReplaced(tx, holder)) return undefined
  const row = await tx.db
    .updateTable('jobs')
    .set((eb) => ({ epoch: eb('epoch', '+', 1), holder, updated_at: tx.now }))
    .where('id', '=', id)
    .where('state', '=', sql.lit('open'))
    .where('holder', 'is', null)
    .where('due_at', '<=', tx.now)
    .returningAll()
    .executeTakeFirst()
  return row && toJob(row)
}

/**
 * Jobs that were put off while the clock ran ahead would sleep for as long as it did. They show by when they were
 * written.
 */
export async function wakePutOff({ db, now }: Tx): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ due_at: now })
    .where('state', '=', sql.lit('open'))
    .where('holder', 'is', null)
    .where('due_at', '>', now)
    .where('updated_at', '>', now + clockNoiseMs)
    .execute()
}

/** Jobs that another process was running when it died or was replaced. */
export async function abandonedJobs(db: Db, holder: string): Promise<StoredJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('holder', 'is not', null)
    .where('holder', '<>', holder)
    .where(isGone('jobs.holder'))
    .execute()
  return rows.map(toJob)
}

/** Jobs that this process holds. */
export async function jobsHeldBy(db: Db, holder: string): Promise<StoredJob[]> {
  const rows = await db.selectFrom('jobs').selectAll().where('holder', '=', holder).execute()
  return rows.map(toJob)
}

/** False when the lease is lost; then nothing is written. */
async function write(tx: Tx, { id, epoch }: JobLease, values: UpdateObject<Tables, 'jobs'>): Promise<boolean> {
  const written = await tx.db
    .updateTable('jobs')
    .set({ ...values, updated_at: tx.now })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('holder', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** Stores where to continue after a crash. Progress clears earlier failures. Undefined: the lease is lost. */
export async function saveJob(tx: Tx, job: StoredJob, checkpoint: Json): Promise<StoredJob | undefined> {
  const saved = { checkpoint: tx.mask(checkpoint), attempts: job.attempts }
  const text = JSON.stringify(saved.checkpoint)
  if (text !== JSON.stringify(job.checkpoint)) saved.attempts = 0
  const isHeld = await write(tx, job, { checkpoint: text, attempts: saved.attempts })
  return isHeld ? { ...job, ...saved } : undefined
}

/** Runs it again at `dueAt`, from its checkpoint. */
export const postponeJob = (tx: Tx, lease: JobLease, dueAt: number): Promise<boolean> =>
  write(tx, lease, { holder: null, due_at: dueAt, attempts: 0, reason: null })

/** The process ends or is drained; another one continues the job. */
export function releaseJob(tx: Tx, lease: JobLease): Promise<boolean> {
  tx.jobs()
  return write(tx, lease, { holder: null })
}

/** Retries at `retryAt`. Without it the job is given up, and what it owns ends. */
export async function failJob(tx: Tx, job: StoredJob, reason: string, retryAt: number | undefined): Promise<boolean> {
  const failed = retryAt === undefined ? { state: 'failed' as const } : { due_at: retryAt }
  const values = { ...failed, holder: null, attempts: job.attempts + 1, reason: tx.mask(reason).slice(0, 1_000) }
  const written = await write(tx, job, values)
  if (written && retryAt === undefined) await endJobs(tx, job.id)
  return written
}

/** The job is done, and what it owns ends with it. */
export async function finishJob(tx: Tx, lease: JobLease): Promise<boolean> {
  const held = await write(tx, lease, {})
  if (held) await endJob(tx, lease.id)
  return held
}

/** Which of these leases still hold. */
export async function heldJobs(db: Db, leases: JobLease[]): Promise<Set<JobId>> {
  if (leases.length === 0) return new Set()
  const ids = leases.map(({ id }) => id)
  const rows = await db.selectFrom('jobs').select(['id', 'epoch']).where('id', 'in', ids).execute()
  const epochs = new Map(rows.map(({ id, epoch }) => [id, epoch]))
  return new Set(leases.filter(({ id, epoch }) => epochs.get(id) === epoch).map(({ id }) => id))
}

/** Drops failed jobs that nobody will ask about any more. */
export async function forgetFailedJobs(tx: Tx, before: number): Promise<void> {
  await tx.db.deleteFrom('jobs').where('state', '=', sql.lit('failed')).where('updated_at', '<', before).execute()
}

export interface JobCount {
  open: number
  failed: number
}

export async function countJobs(db: Db): Promise<JobCount> {
  const rows = await db
    .selectFrom('jobs')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return countOf(rows)
}

export async function countJobsOf(db: Db, sessions: SessionId[]): Promise<Map<string, JobCount>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['owner', 'state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('owner', 'in', sessions)
    .groupBy(['owner', 'state'])
    .execute()
  return new Map([...Map.groupBy(rows, ({ owner }) => owner)].map(([owner, counts]) => [owner, countOf(counts)]))
}

function countOf(rows: { state: JobRow['state']; count: number }[]): JobCount {
  const of = (state: JobRow['state']) => rows.find((row) => row.state === state)?.count ?? 0
  return { open: of('open'), failed: of('failed') }
}

/** The job of a kind and key, as long as it isn't done. */
export async function readJob(
  db: Db,
  kind: string,
  key: string,
): Promise<
  { state: JobRow['state']; checkpoint: Json | undefined; reason: string | null; updatedAt: number } | undefined
> {
  const found = db.selectFrom('jobs').select(['state', 'checkpoint', 'reason', 'updated_at as updatedAt'])
  const row = await found.where('kind', '=', kind).where('key', '=', key).executeTakeFirst()
  return row && { ...row, checkpoint: row.checkpoint === null ? undefined : JSON.parse(row.checkpoint) }
}
