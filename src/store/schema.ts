import type { AlarmId, CallId, SessionId, TurnId } from '../domain/ids.ts'
import type { ChangeRow, FileRow } from './file-rows.ts'
import type { JobRow } from './job-row.ts'
import type { PlanTables } from './plan-rows.ts'
import type { RecognizedRow } from './recognized-row.ts'
import type { AgentRunRow, ContextRow, PromptRow, SessionRow, SharedPromptRow, TodosRow } from './session-rows.ts'
import type { AuditRow, GrantRow, RequestRow, TokenRow, VoteRow } from './trust-rows.ts'

// One type per table. JSON is stored as text, times as ms since 1970. `snake_case` ends at this folder.

export interface InboxRow {
  session_id: SessionId
  seq: number
  dedup_key: string
  kind: 'message' | 'alarm' | 'answer' | 'resume' | 'command'
  payload: string
  /** `held`: left over from a turn that was stopped; it wakes nobody and is read with the next message. */
  state: 'pending' | 'held' | 'taken'
  turn_id: TurnId | null
  /** The number of the event that told screens. A stream for this message starts there. */
  event_id: number
  created_at: number
}

export type TurnState = 'running' | 'waiting' | 'done' | 'failed' | 'stopped'

export interface TurnRow {
  id: TurnId
  session_id: SessionId
  inbox_seq: number
  state: TurnState
  steps: number
  /** Numbers the turn's messages in the thread from 0. */
  segment: number
  tokens_in: number
  tokens_cached: number
  tokens_out: number
  person: string
  time_zone: string
  started_at: number
  ended_at: number | null
  /** How often the process died while the turn was at its present step. */
  deaths: number
}

export interface MessageRow {
  session_id: SessionId
  seq: number
  turn_id: TurnId
  role: 'user' | 'assistant' | 'tool'
  text: string
  calls: string | null
  call_id: CallId | null
  person: string | null
  origin: string | null
  files: string | null
  rounds: number | null
  /** Of the request that a reply answers: its tokens as the provider counted them, and our own estimate. */
  request_tokens: number | null
  request_estimate: number | null
  created_at: number
}

export type CallState = 'proposed' | 'waiting' | 'started' | 'done' | 'failed' | 'denied' | 'unknown'

export interface CallRow {
  id: CallId
  session_id: SessionId
  turn_id: TurnId
  place: number
  tool: string
  arguments: string
  arguments_hash: string
  state: CallState
  attempt: number
  epoch: number
  result: string | null
  proposed_at: number
  started_at: number | null
  ended_at: number | null
}

interface SessionToolRow {
  session_id: SessionId
  tool: string
  place: number
}

interface SessionSkillRow {
  session_id: SessionId
  skill: string
  place: number
}

/** One change of what a team has under the name of a skill. The latest one of a scope counts. */
export interface SkillRow {
  platform: string
  tenant: string
  /** '' for all channels. */
  project: string
  name: string
  version: number
  /** `removed`: the scope has nothing under this name any more. */
  state: 'on' | 'off' | 'removed'
  /** Of its files; '' unless the scope has its own. */
  hash: string
  person: string
  created_at: number
}

export interface AlarmRow {
  id: AlarmId
  session_id: SessionId
  message: string
  due_at: number
  cron: string | null
  time_zone: string
  person: string
  state: 'pending' | 'fired' | 'cancelled'
  created_at: number
  fired_at: number | null
}

export interface OutboxRow {
  key: string
  session_id: SessionId
  seq: number
  turn_id: TurnId | null
  kind: 'answer' | 'card' | 'outcome' | 'record' | 'files'
  payload: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  next_at: number
  /** Why it was last refused, and what to do about that. */
  reason: string | null
  remedy: string | null
  /** Since when the platform has refused it. */
  refused_at: number | null
  /** When the person who waits for it was told elsewhere. */
  told_at: number | null
  created_at: number
  delivered_at: number | null
  /** The process that posts it, as long as that one is there. */
  holder: string | null
  /** The message of the history that has its text, which `payload` then lacks. */
  said: number | null
}

/** A message on a platform. Its row is stored before it is posted. */
export interface PostingRow {
  key: string
  session_id: SessionId
  /** Null while nobody knows whether it was posted. */
  platform_id: string | null
  /** What the platform needs to find it. */
  note: string | null
  begun_at: number
  /** The process that is posting it as a live message; null when that is over. */
  holder: string | null
}

export interface IgnoredRow {
  dedup_key: string
  platform: string
  tenant: string
  project: string
  thread: string
  message: string
  person: string
  reason: string
  ignored_at: number
  /** 1: it came from somebody who may use the bot. */
  overheard: number
}

interface NoteRow {
  name: string
  value: string
  updated_at: number
}

export interface EventRow {
  session_id: SessionId
  id: number
  type: string
  data: string
  /** Unique if set, so that a posting repeated after a crash finds itself. */
  key: string | null
  created_at: number
  /** The message of the history that has its text, which `data` then lacks. */
  said: number | null
}

/** `draining`: it takes nothing new. `drained`: it has let go of everything, and may not work. */
export type NodeState = 'working' | 'draining' | 'drained'

export interface LockRow {
  name: string
  holder: string
  host: string
  pid: number
  beat_at: number
  /** 1 once it was told to stop. */
  leaving: number
  started_at: number
  /** Bobbin's. */
  version: string | null
  state: NodeState
  /** Where its own machine reaches its console; null until it listens. */
  url: string | null
}

/** What one model call cost. */
export interface UsageRow {
  id: string
  session_id: SessionId
  turn_id: TurnId
  platform: string
  tenant: string
  project: string
  person_id: string
  person: string
  slot: string
  model: string
  /** The tools it called, separated by commas. */
  tools: string
  tokens_in: number
  tokens_cached: number
  tokens_written: number
  tokens_out: number
  tokens_reasoning: number
  /** Billionths of a US dollar. */
  nanos: number
  /** `lost`: nobody knows what became of the call, so what was reserved counts. */
  state: 'reserved' | 'settled' | 'lost'
  /** YYYY-MM-DD in UTC. */
  day: string
  at: number
  /** Which process makes the call; null if it reserved nothing. */
  holder: string | null
}

/** Which of several processes has fetched a wake. */
export interface WakeRow {
  job: string
  attempt: number
  holder: string
}

export interface Tables extends PlanTables {
  sessions: SessionRow
  prompts: PromptRow
  shared_prompts: SharedPromptRow
  todos: TodosRow
  contexts: ContextRow
  inbox: InboxRow
  turns: TurnRow
  messages: MessageRow
  calls: CallRow
  requests: RequestRow
  tokens: TokenRow
  votes: VoteRow
  grants: GrantRow
  session_tools: SessionToolRow
  session_skills: SessionSkillRow
  agent_runs: AgentRunRow
  skills: SkillRow
  audit: AuditRow
  alarms: AlarmRow
  outbox: OutboxRow
  postings: PostingRow
  ignored: IgnoredRow
  notes: NoteRow
  events: EventRow
  files: FileRow
  changes: ChangeRow
  jobs: JobRow
  locks: LockRow
  usage: UsageRow
  wakes: WakeRow
  recognized_pages: RecognizedRow
}
