import type { z } from 'zod'
import { BoundedMap } from '../../bounded-map.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { reasonIn } from '../api/errors.ts'
import type { homeEvent, renamedEvent, stoppedEvent } from '../api/payload.ts'
import { asPerson } from '../directory/people.ts'
import { msOf, platformName, refOf } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { SessionStatuses } from '../live/session-status.ts'
import type { Homes } from '../post/homes.ts'
import type { Speaker } from '../post/speaker.ts'
import { slackWords } from '../words/words.ts'

export interface AgentDeps {
  slack: SlackWorkspace
  sink: InboundSink
  statuses: SessionStatuses
  speaker: Speaker
  homes: Homes
}

/** Suggestions for people who have never talked to the bot. */
const prompts = () => [
  { title: slackWords.abilitiesTitle(), message: slackWords.abilitiesPrompt() },
  { title: slackWords.summaryTitle(), message: slackWords.summaryPrompt() },
  { title: slackWords.planTitle(), message: slackWords.planPrompt() },
  { title: slackWords.reminderTitle(), message: `${slackWords.reminderPrompt()} ` },
]
const promptsKeptMs = 12 * 60 * 60_000

/** The events of Slack's agent view. */
export class AgentView {
  readonly #deps: AgentDeps
  readonly #prompted = new BoundedMap<number>(5_000)

  constructor(deps: AgentDeps) {
    this.#deps = deps
  }

  /** Slack's own Stop button. The status stays `processing` until we reset it. */
  async stopped({ channel, thread_ts: thread, user, event_ts }: z.output<typeof stoppedEvent>): Promise<void> {
    const { slack, sink, statuses, speaker } = this.#deps
    const { me, people } = slack
    const person = asPerson(await people.whoMay(user))
    const said = await sink.command({
      dedupKey: `${platformName}:${me.team}:${channel}:${thread}:stop:${event_ts}`,
      name: 'stop',
      argument: '',
      person,
      thread: refOf(me, { channel, thread }),
      at: msOf(event_ts),
      tenant: me.team,
      project: channel,
    })
    if (said !== '') void speaker.whisperMarkdown(user, { channel, thread }, said)
    // A turn that this process shows resets it when its message ends.
    if (!statuses.isBusy({ channel, thread })) void statuses.set({ channel, thread }, 'active')
  }

  /** Somebody renamed the thread. */
  renamed({ channel, thread_ts: thread, title }: z.output<typeof renamedEvent>): Promise<void> {
    const { slack, sink } = this.#deps
    return sink.renamed(refOf(slack.me, { channel, thread }), title)
  }

  /** Somebody opened the conversation with the bot, or their Home. */
  async opened({ channel, tab, user }: z.output<typeof homeEvent>): Promise<void> {
    if (tab === 'home') return this.#deps.homes.opened(user, channel)
    const { api, clock, log } = this.#deps.slack
    const since = this.#prompted.get(channel) ?? Number.NEGATIVE_INFINITY
    if (tab !== 'messages' || clock.now() - since < promptsKeptMs) return
    this.#prompted.set(channel, clock.now())
    const call = { bucket: 'assistant.threads.setSuggestedPrompts', priority: 'progress' } as const
    try {
      await api.write(call, (client) =>
        client.assistant.threads.setSuggestedPrompts({ channel_id: channel, prompts: prompts() }),
      )
    } catch (thrown) {
      log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'prompts could not be suggested')
    }
  }
}
