import { oneLine } from '../../../kit/text/text.ts'
import { reasonIn, refusalIn } from '../api/errors.ts'
import type { SlackThread } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'

const method = 'agents.sessions.rename'

/** Slack accepts 200 characters. */
const longest = 200

/** Renames the agent session of a thread; Slack may know of none. Never throws. */
export async function renameSession(
  { api, log }: SlackWorkspace,
  { channel, thread }: SlackThread,
  title: string,
): Promise<void> {
  const call = { bucket: method, priority: 'answer', coalesce: `name ${channel} ${thread}` } as const
  const args = { channel_id: channel, thread_ts: thread, title: oneLine(title, longest) }
  try {
    await api.write(call, (client) => client.agents.sessions.rename(args))
  } catch (thrown) {
    if (refusalIn(thrown) === 'session_not_found') return
    log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'the session could not be renamed')
  }
}
