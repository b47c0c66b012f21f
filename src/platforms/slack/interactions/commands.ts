import { setTimeout as sleep } from 'node:timers/promises'
import type { RespondArguments } from '@slack/bolt'
import type { z } from 'zod'
import { Failure, sentencesOf } from '../../../kit/failure.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { chatWords } from '../../words/words.ts'
import { reasonIn } from '../api/errors.ts'
import { asPerson } from '../directory/people.ts'
import { platformName } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { spoken } from '../post/speaker.ts'
import type { slash } from './payload.ts'

/** Slack waits three seconds. Later replies are sent separately. */
export const patienceMs = 2_000

export type CommandReply = { response_type: 'ephemeral' } & ReturnType<typeof spoken>

const reply = (markdown: string): CommandReply => ({ response_type: 'ephemeral', ...spoken(markdown) })

/**
 * The immediate reply to a slash command; what comes later goes to `later`. It is about the channel, never a thread.
 */
export async function commanded(
  { me, people, log }: SlackWorkspace,
  sink: InboundSink,
  { text, command, user_id, channel_id: channel, trigger_id }: z.output<typeof slash>,
  later: (words: RespondArguments) => Promise<unknown>,
): Promise<CommandReply | undefined> {
  const [name = 'help', ...rest] = text.trim().split(/\s+/).filter(Boolean)
  const given = {
    dedupKey: `${platformName}:${me.team}:${channel}:${command}:${trigger_id}`,
    name: name.toLowerCase(),
    argument: rest.join(' '),
    thread: undefined,
    tenant: me.team,
    project: channel,
  }
  // Slack may take longer to say who this is than it waits for the reply.
  const said = people
    .whoMay(user_id)
    .then((found) => sink.command({ ...given, person: asPerson(found) }))
    .catch((thrown) => {
      if (thrown instanceof Failure) return sentencesOf(thrown)
      throw thrown
    })
  const inTime = await Promise.race([said, sleep(patienceMs, undefined, { ref: false })])
  if (inTime !== undefined) return inTime === '' ? undefined : reply(inTime)
  said
    .catch((thrown) => {
      log.error({ platform: 'slack', reason: reasonIn(thrown) }, 'a slash command failed')
      return chatWords.didNotWork()
    })
    .then((words) => later(reply(words)))
    .catch((thrown) => log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'a command was not answered'))
  return undefined
}
