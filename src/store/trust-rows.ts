import type { GrantScope } from '../domain/grant.ts'
import type { CallId, GrantId, RequestId, SessionId, TurnId } from '../domain/ids.ts'

export interface RequestRow {
  id: RequestId
  session_id: SessionId
  turn_id: TurnId
  call_id: CallId
  kind: 'approval' | 'question' | 'decision' | 'loop'
  payload: string
  arguments_hash: string
  decided: string | null
  state: 'pending' | 'answered' | 'cancelled'
  answer: string | null
  answered_by: string | null
  asked_at: number
  answered_at: number | null
  deadline_at: number | null
  remind_at: number | null
  reminded: number
}

export interface VoteRow {
  request_id: RequestId
  person_id: string
  person: string
  at: number
}

export interface GrantRow {
  id: GrantId
  tool: string
  patterns: string
  binding: string
  scope: GrantScope
  session_id: SessionId
  platform: string
  tenant: string
  project: string
  untrusted: number
  until_at: number | null
  request_id: RequestId
  person: string
  created_at: number
  ended_at: number | null
  ended_by: string | null
  uses: number
}

export interface AuditRow {
  seq: number
  at: number
  kind: string
  session_id: SessionId | null
  data: string
  previous: string
  hash: string
}

/** Who may use the console. */
export interface TokenRow {
  id: string
  name: string
  /** A token has 192 random bits, so a plain hash can't be searched back. */
  hash: string
  created_at: number
  used_at: number | null
  ended_at: number | null
}
