CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);

CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);

CREATE TABLE sessions (
    id text primary key,
    platform text not null, tenant text not null, project text not null, thread text not null,
    parent text references sessions(id),
    title text not null, person text not null, time_zone text not null,
    epoch integer not null default 0, holder text,
    next_event integer not null default 1, next_message integer not null default 1, next_inbox integer not null default 1,
    next_outbox integer not null default 1,
    created_at integer not null, updated_at integer not null, earlier text not null default 'none' check (earlier in ('none', 'wanted', 'read')), history_from integer not null default 1, model text, deleted_at integer, was_thread text, mode text check (mode in ('plan')), agents text, parent_turn text, parent_call text, max_steps integer, pinned_at integer, archived_inbox integer,
    unique (platform, tenant, project, thread)
  ) strict;

CREATE INDEX sessions_by_update on sessions (updated_at);

CREATE TABLE turns (
    id text primary key,
    session_id text not null references sessions(id),
    inbox_seq integer not null,
    state text not null check (state in ('running', 'waiting', 'done', 'failed', 'stopped')),
    steps integer not null default 0,
    person text not null, time_zone text not null,
    started_at integer not null, ended_at integer, segment integer not null default 0, tokens_in integer not null default 0, tokens_cached integer not null default 0, tokens_out integer not null default 0, deaths integer not null default 0,
    unique (session_id, inbox_seq)
  ) strict;

CREATE UNIQUE INDEX one_open_turn on turns (session_id) where state in ('running', 'waiting');

CREATE TABLE messages (
    session_id text not null references sessions(id),
    seq integer not null,
    turn_id text not null references turns(id),
    role text not null check (role in ('user', 'assistant', 'tool')),
    text text not null,
    calls text, call_id text, person text, origin text, files text,
    created_at integer not null, rounds integer, request_tokens integer, request_estimate integer,
    primary key (session_id, seq)
  ) strict;

CREATE UNIQUE INDEX one_result_per_call on messages (call_id) where call_id is not null;

CREATE TABLE calls (
    id text primary key,
    session_id text not null references sessions(id),
    turn_id text not null references turns(id),
    place integer not null,
    tool text not null, arguments text not null, arguments_hash text not null,
    state text not null check (state in ('proposed', 'waiting', 'started', 'done', 'failed', 'denied', 'unknown')),
    attempt integer not null default 0, epoch integer not null,
    result text,
    proposed_at integer not null, started_at integer, ended_at integer
  ) strict;

CREATE INDEX open_calls on calls (turn_id) where state in ('proposed', 'waiting', 'started');

CREATE INDEX calls_by_session on calls (session_id, proposed_at);

CREATE TABLE alarms (
    id text primary key,
    session_id text not null references sessions(id),
    message text not null,
    due_at integer not null,
    cron text, time_zone text not null, person text not null,
    state text not null check (state in ('pending', 'fired', 'cancelled')),
    created_at integer not null, fired_at integer
  ) strict;

CREATE INDEX due_alarms on alarms (due_at) where state = 'pending';

CREATE TABLE files (
    session_id text not null references sessions(id),
    path text not null,
    direction text not null check (direction in ('in', 'out')),
    name text not null, type text not null, size integer not null, hash text, remote text,
    state text not null check (state in ('expected', 'stored', 'failed')),
    inbox_seq integer, turn_id text references turns(id),
    created_at integer not null,
    primary key (session_id, path)
  ) strict;

CREATE TABLE locks (
    name text primary key,
    holder text not null, host text not null, pid integer not null, beat_at integer not null
  , leaving integer not null default 0, started_at integer not null default 0, version text, state text not null default 'working' check (state in ('working', 'draining', 'drained')), url text) strict;

CREATE TABLE "inbox" (
    session_id text not null references sessions(id),
    seq integer not null,
    dedup_key text not null unique,
    kind text not null check (kind in ('message', 'alarm', 'answer', 'resume', 'command')),
    payload text not null,
    state text not null check (state in ('pending', 'held', 'taken')),
    turn_id text references turns(id),
    event_id integer not null,
    created_at integer not null,
    primary key (session_id, seq)
  ) strict;

CREATE INDEX inbox_unread on inbox (session_id, seq) where state in ('pending', 'held');

CREATE TABLE ignored (
    dedup_key text primary key,
    platform text not null, tenant text not null, project text not null, thread text not null, message text not null,
    person text not null, reason text not null,
    ignored_at integer not null
  , overheard integer not null default 0) strict;

CREATE INDEX ignored_by_message on ignored (platform, tenant, project, message);

CREATE INDEX ignored_by_time on ignored (ignored_at);

CREATE INDEX ignored_by_place on ignored (platform, tenant, project, ignored_at);

CREATE TABLE notes (name text primary key, value text not null, updated_at integer not null) strict;

CREATE TABLE changes (
    session_id text not null references sessions(id),
    turn_id text not null references turns(id),
    path text not null,
    number integer not null,
    change text not null check (change in ('added', 'changed', 'removed')),
    size integer not null check (size >= 0),
    modified_at integer not null,
    at integer not null,
    primary key (session_id, turn_id, path)
  ) strict;

CREATE UNIQUE INDEX changes_in_order on changes (session_id, number);

CREATE INDEX changes_by_path on changes (session_id, path, number);

CREATE TABLE "requests" (
    id text primary key,
    session_id text not null references sessions(id),
    turn_id text not null references turns(id),
    call_id text not null references calls(id),
    kind text not null check (kind in ('approval', 'question', 'decision', 'loop')),
    payload text not null, arguments_hash text not null,
    decided text,
    state text not null check (state in ('pending', 'answered', 'cancelled')),
    answer text, answered_by text,
    asked_at integer not null, answered_at integer, deadline_at integer,
    remind_at integer, reminded integer not null default 0
  ) strict;

CREATE INDEX pending_requests on requests (session_id, asked_at) where state = 'pending';

CREATE INDEX requests_of_call on requests (call_id, asked_at);

CREATE UNIQUE INDEX one_pending_request on requests (call_id) where state = 'pending';

CREATE TABLE votes (
    request_id text not null references requests(id),
    person_id text not null,
    person text not null,
    at integer not null,
    primary key (request_id, person_id)
  ) strict;

CREATE TABLE grants (
    id text primary key,
    tool text not null, patterns text not null, binding text not null,
    scope text not null check (scope in ('thread', 'channel', 'tenant')),
    session_id text not null references sessions(id),
    platform text not null, tenant text not null, project text not null,
    untrusted integer not null check (untrusted in (0, 1)),
    until_at integer,
    request_id text not null unique references requests(id),
    person text not null, created_at integer not null,
    ended_at integer, ended_by text,
    uses integer not null default 0
  ) strict;

CREATE INDEX grants_in_force on grants (platform, tenant, tool) where ended_at is null;

CREATE TABLE session_tools (
    session_id text not null references sessions(id),
    tool text not null,
    place integer not null,
    primary key (session_id, tool)
  ) strict;

CREATE TABLE audit (
    seq integer primary key,
    at integer not null,
    kind text not null,
    session_id text,
    data text not null,
    previous text not null,
    hash text not null unique
  ) strict;

CREATE INDEX audit_by_session on audit (session_id, seq);

CREATE INDEX audit_by_kind on audit (kind, seq);

CREATE TRIGGER audit_only_grows before insert on audit
   when new.seq <= (select coalesce(max(seq), 0) from audit) or exists (select 1 from audit where hash = new.hash)
   begin select raise(abort, 'the audit log only grows'); end;

CREATE TRIGGER audit_is_never_changed before update on audit
   begin select raise(abort, 'the audit log only grows'); end;

CREATE TRIGGER audit_is_never_deleted before delete on audit
   begin select raise(abort, 'the audit log only grows'); end;

CREATE TABLE jobs (
    id text primary key,
    kind text not null,
    key text not null,
    owner text not null,
    input text not null,
    checkpoint text,
    state text not null check (state in ('open', 'failed')),
    due_at integer not null,
    depth integer not null,
    attempts integer not null,
    epoch integer not null,
    holder text,
    reason text,
    created_at integer not null, updated_at integer not null,
    unique (kind, key)
  ) strict;

CREATE INDEX due_jobs on jobs (due_at) where state = 'open' and holder is null;

CREATE INDEX held_jobs on jobs (holder) where holder is not null;

CREATE INDEX jobs_by_owner on jobs (owner);

CREATE TABLE todos (session_id text primary key references sessions(id), todos text not null) strict;

CREATE TABLE shared_prompts (
    hash text primary key,
    text text not null,
    sections text not null,
    tools text not null
  ) strict;

CREATE TABLE "prompts" (
    session_id text primary key references sessions(id),
    shared text references shared_prompts(hash),
    text text not null,
    sections text,
    tools text
  ) strict, without rowid;

CREATE TABLE "postings" (
    key text primary key,
    session_id text not null references sessions(id),
    platform_id text, note text,
    begun_at integer not null
  , holder text) strict, without rowid;

CREATE INDEX sessions_by_former_thread on sessions (was_thread) where was_thread is not null;

CREATE TABLE contexts (
      session_id text primary key references sessions(id),
      from_seq integer not null,
      pinned_seq integer,
      pruned_to integer not null,
      summary text,
      turn_id text,
      started text,
      ready text,
      reports text not null,
      updated_at integer not null
    ) strict;

CREATE TABLE usage (
    id text primary key,
    session_id text not null,
    turn_id text not null,
    platform text not null, tenant text not null, project text not null,
    person_id text not null, person text not null,
    slot text not null, model text not null, tools text not null,
    tokens_in integer not null, tokens_cached integer not null, tokens_written integer not null,
    tokens_out integer not null, tokens_reasoning integer not null,
    nanos integer not null,
    state text not null check (state in ('reserved', 'settled', 'lost')),
    day text not null,
    at integer not null
  , holder text) strict;

CREATE INDEX usage_by_day on usage (day);

CREATE INDEX usage_by_session on usage (session_id, turn_id);

CREATE TABLE wakes (job text primary key, attempt integer not null, holder text not null) strict, without rowid;

CREATE TABLE session_skills (
    session_id text not null references sessions(id),
    skill text not null,
    place integer not null,
    primary key (session_id, skill)
  ) strict;

CREATE TABLE skills (
    platform text not null, tenant text not null, project text not null,
    name text not null,
    version integer not null,
    state text not null check (state in ('on', 'off', 'removed')),
    hash text not null,
    person text not null,
    created_at integer not null,
    primary key (platform, tenant, project, name, version)
  ) strict;

CREATE TABLE agent_runs (
    turn_id text not null,
    place integer not null,
    session_id text not null,
    agent text not null,
    version text not null,
    started_at integer not null,
    primary key (turn_id, place)
  ) strict;

CREATE INDEX agent_runs_by_time on agent_runs (started_at);

CREATE UNIQUE INDEX one_child_per_call on sessions (parent_call) where parent_call is not null;

CREATE INDEX sessions_by_parent on sessions (parent) where parent is not null;

CREATE TABLE plans (
    id text primary key,
    session_id text not null references sessions(id),
    turn_id text not null,
    call_id text not null unique,
    title text not null,
    confidence integer not null,
    one_by_one integer not null,
    words text not null,
    status text not null check (status in ('planning', 'in_progress', 'completed', 'failed', 'timeout', 'fallback')),
    asked_why text,
    question_call text,
    why text,
    created_at integer not null,
    ended_at integer
  ) strict;

CREATE UNIQUE INDEX one_open_plan_per_turn on plans (turn_id) where status in ('planning', 'in_progress');

CREATE INDEX plans_by_session on plans (session_id);

CREATE TABLE plan_steps (
    plan_id text not null references plans(id),
    number integer not null,
    what text not null,
    gives text not null,
    needs text,
    after_steps text not null,
    tools text not null,
    files text not null,
    agent text,
    skills text not null,
    if_it_fails text not null check (if_it_fails in ('try_again', 'go_round', 'ask')),
    other_way text,
    words text not null,
    status text not null check (status in ('planning', 'in_progress', 'completed', 'failed', 'timeout', 'fallback')),
    final integer not null default 0,
    call_id text,
    attempt integer not null default 0,
    other integer not null default 0,
    question_call text,
    primary key (plan_id, number)
  ) strict;

CREATE INDEX pinned_sessions on sessions (updated_at) where pinned_at is not null;

CREATE VIRTUAL TABLE message_words using fts5(text, content='', tokenize='unicode61 remove_diacritics 2');

CREATE TABLE searched (
    number integer primary key,
    session_id text not null unique,
    up_to integer not null
  ) strict;

CREATE TRIGGER words_of_deleted_message after delete on messages when (old.role = 'assistant' or old.origin in ('person', 'alarm', 'earlier'))
   begin insert into message_words (message_words, rowid, text)
    select 'delete', (number << 24) | old.seq, old.text from searched where session_id = old.session_id and up_to >= old.seq; end;

CREATE TRIGGER words_of_changed_message after update of text on messages when (old.role = 'assistant' or old.origin in ('person', 'alarm', 'earlier'))
   begin insert into message_words (message_words, rowid, text)
    select 'delete', (number << 24) | old.seq, old.text from searched where session_id = old.session_id and up_to >= old.seq;
    insert into message_words (rowid, text) select (number << 24) | new.seq, new.text from searched
    where session_id = new.session_id and up_to >= new.seq; end;

CREATE TRIGGER words_of_deleted_session after delete on sessions
   begin insert into message_words (message_words, rowid, text)
    select 'delete', number << 24, old.title from searched where session_id = old.id;
    delete from searched where session_id = old.id; end;

CREATE TRIGGER words_of_changed_title after update of title on sessions when old.title <> new.title
   begin insert into message_words (message_words, rowid, text)
    select 'delete', number << 24, old.title from searched where session_id = old.id;
    insert into message_words (rowid, text) select number << 24, new.title from searched where session_id = new.id; end;

CREATE TABLE tokens (
    id text primary key,
    name text not null,
    hash text not null unique,
    created_at integer not null,
    used_at integer,
    ended_at integer
  ) strict;

CREATE TABLE recognized_pages (
    session_id text not null references sessions(id),
    content text not null,
    page integer not null,
    way text not null,
    text text,
    made_at integer not null, tries integer not null default 1,
    primary key (session_id, content, page)
  ) strict;

CREATE INDEX recognized_by_content on recognized_pages (content, page);

CREATE TABLE "events" (
    session_id text not null references sessions(id),
    id integer not null,
    type text not null, data text not null,
    key text,
    created_at integer not null, said integer,
    primary key (session_id, id)
  ) strict, without rowid;

CREATE UNIQUE INDEX events_by_key on events (key) where key is not null;

CREATE TABLE "outbox" (
    key text primary key,
    session_id text not null references sessions(id),
    seq integer not null,
    turn_id text references turns(id),
    kind text not null check (kind in ('answer', 'card', 'outcome', 'record', 'files')),
    payload text not null,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_at integer not null,
    reason text, remedy text, refused_at integer, told_at integer,
    created_at integer not null, delivered_at integer, holder text, said integer
  ) strict, without rowid;

CREATE INDEX undelivered on outbox (session_id, seq) where state = 'pending';

CREATE INDEX postings_by_message on postings (platform_id) where platform_id is not null;

CREATE INDEX requests_by_turn on requests (session_id, turn_id);

CREATE INDEX alarms_by_session on alarms (session_id);

CREATE INDEX usage_reserved on usage (at) where state = 'reserved';

CREATE INDEX told on outbox (session_id) where told_at is not null;

CREATE INDEX requests_latest on requests (coalesce(answered_at, asked_at), id, state);
