import type { Block, KnownBlock } from '@slack/types'
import type { OutgoingFile } from '../../platform.ts'
import type { Piece } from '../text/piece.ts'

/** How Slack shows a thread at rest. `suspended`: the bot waits for a person. */
export type SessionStatus = 'active' | 'suspended'

/** A task of the plan that stands above an answer: something that was done, or is to be. */
export interface Task {
  title: string
  status: 'pending' | 'in_progress' | 'complete' | 'error'
  /** The last lines that it has printed, as they are. */
  output?: string
}

export interface Plan {
  title: string
  tasks: Task[]
}

export interface MessagePage {
  kind: 'message'
  /** An answer and what it was done for; a card; a message of progress that ended without an answer. */
  of: 'answer' | 'card' | 'record'
  /** What notifications say, in Slack's own marks. */
  text: string
  /** Whom it notifies, in Slack's own marks: at the beginning of its words. */
  ping?: string
  plan: Plan | undefined
  pieces: Piece[]
  /** Buttons and the like, below everything. */
  tail: (KnownBlock | Block)[]
  /** What Slack shows of the thread's session afterwards. */
  session: SessionStatus
}

/** One message of one page: what is posted, or what takes the place of what was. */
export type Page = MessagePage | FilesPage

export interface FilesPage {
  kind: 'files'
  files: OutgoingFile[]
  /** They were announced before, and nothing is said in their place. */
  again?: boolean
}

/** What the core hands back is what `pages` made. */
export const asPage = (page: unknown): Page => page as Page
