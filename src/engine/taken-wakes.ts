import type { Db } from 'pg-boss'

/** pg-boss doesn't say who has fetched a job, so the statement that fetches some notes it with them. */
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

/** Forgets who had fetched what is done. `jobs`: the table of pg-boss. */
export const forgetDone = (db: Db, jobs: string): Promise<unknown> =>
  db.executeSql(
    `delete from wakes where not exists (select 1 from ${jobs} where id = wakes.job::uuid and state = 'active')`,
  )
