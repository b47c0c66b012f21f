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

/** Ends claims of which nobody knows whose they are. `jobs`: the table of pg-boss. */
export const endUnowned = (db: Db, jobs: string): Promise<unknown> =>
  db.executeSql(
    `delete from ${jobs} as job where state = 'active'
      and not exists (select 1 from wakes where wakes.job::uuid = job.id and wakes.attempt = job.retry_count)`,
  )
