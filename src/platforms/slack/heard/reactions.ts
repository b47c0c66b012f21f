import type { z } from 'zod'
import type { InboundSink } from '../../inbound-sink.ts'
import type { reactionEvent } from '../api/payload.ts'
import { asPerson } from '../directory/people.ts'
import { msOf, platformName, refOf } from '../directory/thread-refs.ts'
import type { Threads } from '../directory/threads.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { Speaker } from '../post/speaker.ts'

const commands: Record<string, 'retry' | 'stop'> = {
  repeat: 'retry',
  arrows_counterclockwise: 'retry',
  octagonal_sign: 'stop',
  x: 'stop',
}

export interface ReactionDeps {
  slack: SlackWorkspace
  sink: InboundSink
  threads: Threads
  speaker: Speaker
}

/** 🔁 on an answer or a question retries it, 🛑 stops what is under way in its thread. */
export async function reacted(
  { slack, sink, threads, speaker }: ReactionDeps,
  event: z.output<typeof reactionEvent>,
): Promise<void> {
  const name = commands[event.reaction]
  const { me, people } = slack
  const { user, item_user: author } = event
  // On another person's message it is a comment, as it is everywhere the bot isn't involved.
  if (name === undefined || user === me.userId || (author !== me.userId && author !== user)) return
  const { channel, ts } = event.item
  const [thread, found] = await Promise.all([threads.of(channel, ts), people.whoMay(user)])
  // Bots mark messages for their own ends.
  if (found.isBot) return
  const said = await sink.command({
    dedupKey: `${platformName}:${me.team}:${channel}:${ts}:${event.reaction}:${user}:${event.event_ts}`,
    name,
    argument: '',
    person: asPerson(found),
    thread: refOf(me, { channel, thread }),
    message: ts,
    at: msOf(event.event_ts),
    tenant: me.team,
    project: channel,
  })
  // On a person's own message it may mean anything: only on the bot's is it certainly a command.
  if (author === me.userId && said !== '') void speaker.whisperMarkdown(user, { channel, thread }, said)
}
