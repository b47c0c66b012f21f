import Sqlite from 'better-sqlite3'
import { look } from './look.ts'

/**
 * Triggers that record forbidden writes of a fenced process as they happen, because the rows don't show later who wrote
 * them.
 */
const statements = `
  create table if not exists crash_spy (what text not null, about text not null, who text, holder text);
  create trigger if not exists spy_call after update of epoch on calls
    when new.epoch <> (select epoch from sessions where id = new.session_id)
    begin insert into crash_spy values ('fenced write', new.id, new.epoch, null); end;
  create trigger if not exists spy_new_call after insert on calls
    when new.epoch <> (select epoch from sessions where id = new.session_id)
    begin insert into crash_spy values ('fenced write', new.id, new.epoch, null); end;
  create trigger if not exists spy_acquire after update of holder on sessions
    when new.holder is not null and new.holder is not (select holder from locks where name = 'engine')
    begin insert into crash_spy values ('acquired', new.id, new.holder, (select holder from locks where name = 'engine')); end;
  create trigger if not exists spy_ended after update of state on turns
    when old.state in ('done', 'failed', 'stopped')
    begin insert into crash_spy values ('ended turn changed', new.id, new.state, old.state); end;
`

export function installSpy(file: string): void {
  const database = new Sqlite(file, { timeout: 10_000 })
  database.exec(statements)
  database.close()
}

/** Who holds the engine's lock. */
export async function lockHolder(file: string): Promise<string | undefined> {
  const query = `select holder from locks where name = 'engine'`
  const lock = await look(file, (database) => database.prepare<[], { holder: string }>(query).get())
  return lock?.holder
}

/** The longest time from a row to its post, ms: it may wait for room, on a busy machine. Without an id after that, it was lost. */
const callMs = 3_000

/**
 * When the latest attempt of an outbox entry was claimed: it is due again after a pause that doubles, up to a minute.
 * One that was refused, or is asked to wait, is due later than that, and isn't being posted.
 */
const attemptedAt = `(select next_at - min(60000, 1000 << (attempts - 1)) from outbox
  where attempts > 0 and key || '.0' = postings.key and next_at - min(60000, 1000 << (attempts - 1)) <= @now)`

/** Whether a message is being posted for the first time. */
export async function isAboutToPost(file: string): Promise<boolean> {
  const query = `select count(*) as number from postings where platform_id is null and max(begun_at, coalesce(${attemptedAt}, 0)) > @now - @callMs`
  const row = await look(file, (database) =>
    database.prepare<[object], { number: number }>(query).get({ now: Date.now(), callMs }),
  )
  return (row?.number ?? 0) > 0
}

/** Whether a write is in progress, or the log is being recovered; a process frozen then would block the database for everybody. */
export function isBeingWritten(file: string): boolean {
  const database = new Sqlite(file, { timeout: 0 })
  try {
    database.exec('begin immediate; rollback')
    return false
  } catch (thrown) {
    if (/^SQLITE_(BUSY|PROTOCOL)/.test((thrown as { code?: string }).code ?? '')) return true
    throw thrown
  } finally {
    database.close()
  }
}
