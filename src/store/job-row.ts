import type { JobId } from '../domain/ids.ts'

/** Work that outlives a step. A job that is done or ended has no row. */
export interface JobRow {
  id: JobId
  kind: string
  key: string
  owner: string
  input: string
  checkpoint: string | null
  state: 'open' | 'failed'
  due_at: number
  depth: number
  attempts: number
  /** The fencing token: claiming a job adds one, and each of its writes is checked against it. */
  epoch: number
  holder: string | null
  reason: string | null
  created_at: number
  updated_at: number
}
