import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import type { NodeNotes, SharedNotes } from '../../platform.ts'
import type { SlackApi } from '../api/api.ts'
import type { Identity } from '../api/identity.ts'
import type { People } from './people.ts'

/** What the parts of the adapter share, from its start on. */
export interface SlackWorkspace {
  me: Identity
  api: SlackApi
  people: People
  notes: SharedNotes
  nodeNotes?: NodeNotes | undefined
  clock: Clock
  log: Log
}
