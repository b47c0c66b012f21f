import type { AnyChunk } from '@slack/types'
import type { ThreadRef } from '../../../domain/chat.ts'
import { type Superseded, superseded } from '../../calls/scheduler.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { MessagePage, SessionStatus } from '../pages/page.ts'
import { metadataOf } from '../post/key.ts'
import { continuation, nothingShown, type Shown } from './continuation.ts'
import { isStreamable } from './stream-size.ts'

export interface StreamOptions {
  slack: SlackWorkspace
  thread: ThreadRef
  key: string
  /** Who it is for: outside of direct messages Slack requires it. */
  reader: string
}

export interface StreamEnd {
  chunks?: AnyChunk[]
  tail?: MessagePage['tail']
  /** The status that Slack shows in the thread from then on. */
  status?: SessionStatus | undefined
}

/** How long a stream waits for room among the calls before edits are used instead, ms. */
const patienceMs = 1_000

/** One native stream: what it shows, and the calls that make it show more. */
export class Stream {
  readonly #options: StreamOptions
  readonly #startedAt: number
  readonly ts: string
  #shown: Shown

  private constructor(options: StreamOptions, ts: string, shown: Shown) {
    this.#options = options
    this.ts = ts
    this.#shown = shown
    this.#startedAt = Date.now()
  }

  /** Superseded if there was no room for it; throws as a write does. */
  static async start(options: StreamOptions, first: Shown): Promise<Stream | Superseded> {
    const { slack, thread, key, reader } = options
    const { project: channel, thread: thread_ts } = thread
    const chunks = continuation(key, nothingShown, first) ?? []
    const { team } = await slack.people.person(reader)
    const call = { bucket: 'chat.startStream', channel, priority: 'progress', coalesce: key } as const
    const giveUp = setTimeout(() => void slack.api.letGo(key), patienceMs)
    try {
      const started = await slack.api.write(call, (client) =>
        client.chat.startStream({
          channel,
          thread_ts,
          chunks,
          task_display_mode: 'plan',
          recipient_user_id: reader,
          recipient_team_id: team ?? slack.me.team,
        }),
      )
      if (started === superseded) return superseded
      if (started.ts === undefined) throw new Error('Slack returned no stream id')
      return new Stream(options, started.ts, first)
    } finally {
      clearTimeout(giveUp)
    }
  }

  get ageMs(): number {
    return Date.now() - this.#startedAt
  }

  /** What it needs to show this; undefined if it can't get there, or Slack would find it too long. */
  lacks(whole: Shown): AnyChunk[] | undefined {
    return isStreamable(whole) ? continuation(this.#options.key, this.#shown, whole) : undefined
  }

  /** Shows more, if there is room for it among the calls. `astray`: it can't get there. */
  async append(view: Shown): Promise<'shown' | 'later' | 'astray'> {
    const { slack, thread, key } = this.#options
    // Text that was shown may now be held back, while it is still being written.
    const isAhead = continuation(
      key,
      { ...nothingShown, pieces: view.pieces },
      { ...nothingShown, pieces: this.#shown.pieces },
    )
    const next = isAhead === undefined ? view : { ...view, pieces: this.#shown.pieces }
    const chunks = this.lacks(next)
    if (chunks === undefined) return 'astray'
    if (chunks.length === 0) return 'shown'
    const channel = thread.project
    const call = { bucket: 'chat.appendStream', channel, priority: 'progress', coalesce: this.ts } as const
    const done = await slack.api.write(call, (client) => client.chat.appendStream({ channel, ts: this.ts, chunks }))
    if (done === superseded) return 'later'
    this.#shown = next
    return 'shown'
  }

  /** Ends it, with what it lacks and what stands below everything. */
  async stop(end: StreamEnd = {}): Promise<void> {
    const { slack, thread, key } = this.#options
    const channel = thread.project
    const { chunks = [], tail = [], status } = end
    const call = { bucket: 'chat.stopStream', channel, priority: 'answer', coalesce: this.ts } as const
    await slack.api.write(call, (client) =>
      client.chat.stopStream({
        channel,
        ts: this.ts,
        metadata: metadataOf(key),
        ...(chunks.length === 0 ? {} : { chunks }),
        ...(tail.length === 0 ? {} : { blocks: tail }),
        ...(status === undefined ? {} : { session_status: status }),
      }),
    )
  }
}
