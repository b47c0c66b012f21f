import type { Change } from '../../../domain/chat.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import type { SlackMessage } from '../api/payload.ts'
import { authorOf } from '../api/payload.ts'
import { dedupKeyOf, refOf, rootOf } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Hearing } from './hearing.ts'
import { besideText, filesOf } from './message-text.ts'

interface Changed {
  channel: string
  event_ts?: string | undefined
  message: SlackMessage
  previous_message?: SlackMessage | undefined
}

interface Deleted {
  channel: string
  deleted_ts: string
  previous_message?: SlackMessage | undefined
}

/** As far as it tells messages apart. */
const contentOf = (message: SlackMessage): string =>
  [message.text, ...filesOf(message).map(({ id }) => id), ...besideText(message)].filter(Boolean).join('\n')

/** Unfurled links, reply counts and the like change a message, but not what it says. */
const saysSomethingElse = ({ message, previous_message: before }: Changed): boolean =>
  before === undefined || contentOf(message) !== contentOf(before)

/** Edits of what others said, and deletions, also of the bot's own cards. */
export class Changes {
  readonly #slack: SlackWorkspace
  readonly #sink: InboundSink
  readonly #hearing: Hearing

  constructor(slack: SlackWorkspace, sink: InboundSink, hearing: Hearing) {
    this.#slack = slack
    this.#sink = sink
    this.#hearing = hearing
  }

  async changed(event: Changed): Promise<void> {
    const { channel, event_ts: at, message, previous_message: before } = event
    // A message with replies isn't removed: a tombstone takes its place.
    if (message.subtype === 'tombstone') {
      return this.deleted({ channel, deleted_ts: message.ts, previous_message: before })
    }
    const isOwn = authorOf(message, this.#slack.me) === 'self'
    if (isOwn || message.streaming_state === 'in_progress' || !saysSomethingElse(event)) return
    await this.#hearing.inOrder(message, channel, this.#hearing.translate(message, channel), (heard) => {
      // A message names the second of its edit only.
      const now = at === undefined ? heard : { ...heard, editedAt: Number(at) * 1_000 }
      return this.#hearing.orTold(now, () => this.#sink.change({ ...now, now }))
    })
  }

  async deleted({ channel, deleted_ts: ts, previous_message: before }: Deleted): Promise<void> {
    const change = this.#deletionOf({ channel, deleted_ts: ts, previous_message: before })
    await this.#hearing.inOrder(before ?? { ts }, channel, change, (one) => this.#sink.change(one))
  }

  async #deletionOf({ channel, deleted_ts: ts, previous_message: before }: Deleted): Promise<Change> {
    const { me, people } = this.#slack
    const id = before?.user ?? before?.bot_id ?? 'unknown'
    const isPerson = before?.user !== undefined && authorOf(before, me) !== 'self'
    return {
      dedupKey: dedupKeyOf(me, channel, ts),
      message: ts,
      thread: refOf(me, { channel, thread: before === undefined ? ts : rootOf(before) }),
      person: isPerson ? { id, name: (await people.person(id)).name } : { id, name: id },
      now: undefined,
    }
  }
}
