import type { Columns } from '../migrations/columns.ts'

const refusal = `create function audit_only_grows() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' or new.seq <= (select coalesce(max(seq), 0) from audit) then
      raise exception 'the audit log only grows';
    end if;
    return new;
  end $$`

export const postgresColumns: Columns = {
  // Other collations depend on the server's system, and an update of that would break indexes.
  text: 'text collate "C"',
  int: 'bigint',
  strict: '',
  byKey: '',
  onlyGrows: [
    refusal,
    'create trigger audit_only_grows before insert or update or delete on audit for each row execute function audit_only_grows()',
    'create trigger audit_is_never_emptied before truncate on audit for each statement execute function audit_only_grows()',
  ],
  wordsOfMessages: [
    `create index words_of_messages on messages
    using gin (to_tsvector('simple', translate(left(text, 50000), './:@_#-', '       ')))
    where (role = 'assistant' or origin in ('person', 'alarm', 'earlier'))`,
  ],
  inSqlite: () => [],
  inPostgres: (...statements) => statements,
  // No version that wrote such rows ran on PostgreSQL.
  ofOldRows: () => [],
}
