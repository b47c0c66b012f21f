import type { JobId } from '../domain/ids.ts'

/** Long work that outlives a step. One that is done or ended has no row. */
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
  /** The fencing token: who claims a job adds one, and every write of it is checked against it. */
  epoch: number
  holder: string | null
  reason: string | null
  created_at: number
  updated_at: number
}
