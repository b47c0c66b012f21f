import type { Db } from 'pg-boss'

/** pg-boss doesn't record who has fetched a job, so the statement that fetches jobs does. */
export const notingWho = (db: Db, holder: string): Db => ({
  executeSql: (fetch, values = []) =>
    db.executeSql(
      `with fetched as (${fetch}), noted as (
        insert into wakes (job, attempt, holder) select id, "retryCount", $${values.length + 1} from fetched
        on conflict (job) do update set attempt = excluded.attempt, holder = excluded.holder
      ) select * from fetched`,
      [...values, holder],
    ),
})

/** Forgets who fetched the jobs that are done. `jobs`: the table of pg-boss. */
export const forgetDone = (db: Db, jobs: string): Promise<unknown> =>
  db.executeSql(
    `delete from wakes where not exists (select 1 from ${jobs} where id = wakes.job::uuid and state = 'active')`,
  )

/**
 * Keeps the claims of processes that hold a lock. While the server is away nobody can touch their own, and whoever
 * looks first when it is back would end those of all others. `jobs`: the table of pg-boss.
 */
export const keepHeld = (db: Db, jobs: string): Promise<unknown> =>
  db.executeSql(
    `update ${jobs} set heartbeat_on = now() where id in (
      select job.id from ${jobs} as job
        join wakes on wakes.job::uuid = job.id and wakes.attempt = job.retry_count
        join locks on locks.holder = wakes.holder and locks.state <> 'drained'
      where job.state = 'active' and job.heartbeat_on + job.heartbeat_seconds * interval '0.5 s' < now()
      for update of job skip locked)`,
  )
