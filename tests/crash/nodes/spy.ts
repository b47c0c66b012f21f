import type { NodesDatabase } from './database.ts'

/**
 * The spy's triggers for PostgreSQL. Whether a process may acquire a session is asked as of the statement's beginning, as its
 * own condition is; so the question is a stable function.
 */
const statements = `
  create table if not exists crash_spy (what text not null, about text not null, who text, holder text);
  create or replace function crash_replaced(holder text) returns boolean stable language sql as $$
    select exists (select 1 from locks) and not exists (select 1 from locks where locks.holder = $1) $$;
  create or replace function crash_note() returns trigger language plpgsql as $$
    begin
      insert into crash_spy values (tg_argv[0], new.id, to_jsonb(new) ->> tg_argv[1], to_jsonb(old) ->> tg_argv[1]);
      return null;
    end $$;
  create or replace function crash_call() returns trigger language plpgsql as $$
    begin
      if new.epoch <> (select epoch from sessions where id = new.session_id) then
        insert into crash_spy values ('fenced write', new.id, new.epoch::text, null);
      end if;
      return null;
    end $$;
  create or replace trigger spy_call after insert or update of epoch on calls for each row execute function crash_call();
  create or replace trigger spy_acquire after update of holder on sessions for each row
    when (new.holder is not null and new.holder is distinct from old.holder and crash_replaced(new.holder))
    execute function crash_note('acquired', 'holder');
  create or replace trigger spy_ended after update of state on turns for each row
    when (old.state in ('done', 'failed', 'stopped')) execute function crash_note('ended turn changed', 'state');
`

export const layNodesSpy = (database: NodesDatabase): Promise<void> => database.run(statements)

/** Who holds the lock of a process with this name. */
export async function holderOf({ stored }: NodesDatabase, node: string): Promise<string | undefined> {
  const [row] = await stored.all<{ holder: string }>(`select holder from locks where name = 'node ${node}'`)
  return row?.holder
}

/** How many turns a process runs. */
export async function turnsOf({ stored }: NodesDatabase, holder: string): Promise<number> {
  const rows = await stored.all(`select 1 from sessions where holder = '${holder}'
    and exists (select 1 from turns where session_id = sessions.id and state = 'running')`)
  return rows.length
}

/** The longest time from a row to its post, ms: it may wait for room, on a busy machine. Without an id after that, it was lost. */
const callMs = 3_000

/** Whether this process is about to post a message for the first time. */
export async function isAboutToPost({ stored }: NodesDatabase, holder: string): Promise<boolean> {
  const rows = await stored.all(`select 1 from postings
    join sessions on sessions.id = postings.session_id
    left join outbox on outbox.key || '.0' = postings.key
    where platform_id is null and '${holder}' in (sessions.holder, outbox.holder)
      and greatest(begun_at, next_at - least(60000, 1000 * 2 ^ (attempts - 1))) > ${Date.now() - callMs}`)
  return rows.length > 0
}
