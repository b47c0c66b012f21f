import type { Columns } from '../migrations/columns.ts'

export const sqliteColumns: Columns = {
  text: 'text',
  int: 'integer',
  strict: ' strict',
  byKey: ' strict, without rowid',
  onlyGrows: [
    // `insert or replace` would delete without being asked.
    `create trigger audit_only_grows before insert on audit
   when new.seq <= (select coalesce(max(seq), 0) from audit) or exists (select 1 from audit where hash = new.hash)
   begin select raise(abort, 'the audit log only grows'); end`,
    `create trigger audit_is_never_changed before update on audit
   begin select raise(abort, 'the audit log only grows'); end`,
    `create trigger audit_is_never_deleted before delete on audit
   begin select raise(abort, 'the audit log only grows'); end`,
  ],
  ofOldRows: (...statements) => statements,
}
