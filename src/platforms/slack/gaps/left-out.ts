import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Cursor } from './cursor.ts'
import { mostChannels } from './histories.ts'

/** The most recently used ones. */
export const mostThreads = 200

interface Read {
  conversations: number
  threads: number
  since: number | undefined
  from: number
}

/** Logs, once in each gap, that there is more than is read. */
export class LeftOut {
  readonly #deps: { slack: SlackWorkspace; cursor: Cursor }
  #gap: number | undefined

  constructor(deps: { slack: SlackWorkspace; cursor: Cursor }) {
    this.#deps = deps
  }

  /** Something may be missing since `since`, and is read from `from` on, ms. */
  tell({ conversations, threads, since, from }: Read): void {
    const { slack, cursor } = this.#deps
    if (!cursor.isHeld || this.#gap === cursor.gaps) return
    this.#gap = cursor.gaps
    const about = { platform: 'slack', most: mostChannels }
    if (conversations > mostChannels) slack.log.warn(about, 'the bot is in more conversations than are read back')
    const ofTime = { platform: 'slack', from: new Date(from).toISOString() }
    if (since !== undefined && since < from) slack.log.warn(ofTime, 'what was said before that is not read back')
    // Nearly all of them have nothing new.
    const ofThreads = { platform: 'slack', threads, most: mostThreads }
    if (threads > mostThreads) slack.log.info(ofThreads, 'more threads were used lately than are read back')
  }
}
