import type { Columns } from '../migrations/columns.ts'

const isSaid = (row: string) => `(${row}.role = 'assistant' or ${row}.origin in ('person', 'alarm', 'earlier'))`

const takeOut = (what: string, text: string) => `insert into message_words (message_words, rowid, text)
    select 'delete', ${what}, ${text} from searched`

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
  wordsOfMessages: [
    `create virtual table message_words using fts5(text, content='', tokenize='unicode61 remove_diacritics 2')`,
    // How far each session's messages are in the index.
    `create table searched (
    number integer primary key,
    session_id text not null unique,
    up_to integer not null
  ) strict`,
    `create trigger words_of_deleted_message after delete on messages when ${isSaid('old')}
   begin ${takeOut('(number << 24) | old.seq', 'old.text')} where session_id = old.session_id and up_to >= old.seq; end`,
    `create trigger words_of_changed_message after update of text on messages when ${isSaid('old')}
   begin ${takeOut('(number << 24) | old.seq', 'old.text')} where session_id = old.session_id and up_to >= old.seq;
    insert into message_words (rowid, text) select (number << 24) | new.seq, new.text from searched
    where session_id = new.session_id and up_to >= new.seq; end`,
    `create trigger words_of_deleted_session after delete on sessions
   begin ${takeOut('number << 24', 'old.title')} where session_id = old.id;
    delete from searched where session_id = old.id; end`,
    `create trigger words_of_changed_title after update of title on sessions when old.title <> new.title
   begin ${takeOut('number << 24', 'old.title')} where session_id = old.id;
    insert into message_words (rowid, text) select number << 24, new.title from searched where session_id = new.id; end`,
  ],
  inSqlite: (...statements) => statements,
  inPostgres: () => [],
  ofOldRows: (...statements) => statements,
}
