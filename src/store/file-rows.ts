import type { SessionId, TurnId } from '../domain/ids.ts'

export interface FileRow {
  session_id: SessionId
  path: string
  direction: 'in' | 'out'
  name: string
  type: string
  size: number
  hash: string | null
  /** Where an expected upload still is, as JSON. */
  remote: string | null
  state: 'expected' | 'stored' | 'failed'
  inbox_seq: number | null
  turn_id: TurnId | null
  created_at: number
}

/** What a turn did to a file of its workspace. One row, however often it touched the file. */
export interface ChangeRow {
  session_id: SessionId
  turn_id: TurnId
  path: string
  /** Increases within the session: for each path, the highest is the current state. */
  number: number
  change: 'added' | 'changed' | 'removed'
  /** In bytes; for a removed file, its last size. */
  size: number
  modified_at: number
  at: number
}
