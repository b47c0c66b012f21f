import type { Block, KnownBlock, URLSourceElement } from '@slack/types'
import type { OutgoingFile } from '../../platform.ts'
import type { Piece } from '../text/piece.ts'

/** How Slack shows a thread at rest. `suspended`: the bot is waiting for a person. */
export type SessionStatus = 'active' | 'suspended'

/** A task of the plan above an answer: something done, or still to do. */
export interface Task {
  title: string
  status: 'pending' | 'in_progress' | 'complete' | 'error'
  /** The last lines that it has printed, as they are. */
  output?: string
  /** Where it has looked. */
  sources?: URLSourceElement[]
}

export interface Plan {
  title: string
  tasks: Task[]
}

export interface MessagePage {
  kind: 'message'
  /** An answer and what it was done for; a card; a message of progress that ended without an answer. */
  of: 'answer' | 'card' | 'record'
  /** What notifications say, in Slack's own markup. */
  text: string
  /** Whom it notifies, in Slack's own markup, at the beginning of its text. */
  ping?: string
  plan: Plan | undefined
  pieces: Piece[]
  /** Buttons and the like, below everything. */
  tail: (KnownBlock | Block)[]
  /** The status that Slack shows for the thread's session afterwards. */
  session: SessionStatus
}

/** A page: one message, as it is posted or replaces another. */
export type Page = MessagePage | FilesPage

export interface FilesPage {
  kind: 'files'
  files: OutgoingFile[]
  /** They were announced before, and nothing is said in their place. */
  again?: boolean
}

/** The core only hands back what `pages` made. */
export const asPage = (page: unknown): Page => page as Page
