import type { z } from 'zod'
import type { EventTakers } from '../api/bolt.ts'
import {
  changedEvent,
  deletedEvent,
  homeEvent,
  messageEvent,
  reactionEvent,
  renamedEvent,
  type SlackMessage,
  stoppedEvent,
} from '../api/payload.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { AgentView } from './agent.ts'
import type { Changes } from './changes.ts'
import type { Hearing } from './hearing.ts'
import { type ReactionDeps, reacted } from './reactions.ts'

export interface ListenDeps extends ReactionDeps {
  slack: SlackWorkspace
  hearing: Hearing
  changes: Changes
  agent: AgentView
}

/** The workspace's events. Each promise resolves when what was received is stored. */
export function messageEvents(deps: ListenDeps): EventTakers {
  const { hearing, changes, agent } = deps
  const hear = (event: unknown) => read(deps, messageEvent, event, (message) => hearing.hear(message, message.channel))
  return {
    // Its other event, a message, has the files.
    app_mention: (event) =>
      read(deps, messageEvent, event, async (one) => lacksFiles(one) || hearing.hear(one, one.channel)),
    message(event) {
      const subtype = 'subtype' in event ? event.subtype : undefined
      if (subtype === 'message_changed') return read(deps, changedEvent, event, (one) => changes.changed(one))
      if (subtype === 'message_deleted') return read(deps, deletedEvent, event, (one) => changes.deleted(one))
      return hear(event)
    },
    reaction_added: (event) => read(deps, reactionEvent, event, (one) => reacted(deps, one)),
    agent_session_stopped: (event) => read(deps, stoppedEvent, event, (one) => agent.stopped(one)),
    agent_session_title_changed: (event) => read(deps, renamedEvent, event, (one) => agent.renamed(one)),
    // Nothing about it is stored, so nothing waits for it.
    app_home_opened: (event) => read(deps, homeEvent, event, async (one) => void agent.opened(one)),
  }
}

/** Files are named in the text, but aren't there: Slack may tell of a mention so before it sends the message. */
const lacksFiles = ({ files, blocks }: SlackMessage): boolean =>
  files.length === 0 && JSON.stringify(blocks).includes('"type":"file"')

/** What can't be read now won't be readable next time. */
async function read<T extends z.ZodType>(
  { slack }: ListenDeps,
  schema: T,
  event: unknown,
  take: (event: z.output<T>) => Promise<unknown>,
): Promise<void> {
  const parsed = schema.safeParse(event)
  if (parsed.success) await take(parsed.data)
  else slack.log.info({ platform: 'slack', reason: parsed.error.message }, 'an event was not understood')
}
