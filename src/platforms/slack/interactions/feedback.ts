import type { InboundSink } from '../../inbound-sink.ts'
import { reasonIn } from '../api/errors.ts'
import { feedbackReason, feedbackView, type Judged, judgedIn } from '../cards/feedback-form.ts'
import { asPerson } from '../directory/people.ts'
import { refOf } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { textIn } from './fields.ts'
import type { Submission } from './payload.ts'

interface Deps {
  slack: SlackWorkspace
  sink: InboundSink
}

/** Somebody clicked "Good" or "Bad". It is stored when this resolves; after "Bad", a form asks why. */
export async function judge(
  { slack, sink }: Deps,
  judged: Judged,
  value: 'good' | 'bad',
  by: { user: string; trigger: string },
): Promise<void> {
  await store({ slack, sink }, judged, { value }, by.user)
  if (value === 'good') return
  // There is no reason to make Slack wait, and the feedback counts without it.
  slack.api
    .once((client) => client.views.open({ trigger_id: by.trigger, view: feedbackView(judged) }))
    .catch((thrown) => slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'a form could not be opened'))
}

/** The form was sent. */
export async function explain(deps: Deps, { user, view }: Submission): Promise<void> {
  const judged = judgedIn(view.private_metadata)
  const reason = textIn(view.state.values, feedbackReason)
  if (judged !== undefined && reason !== '') await store(deps, judged, { value: 'bad', reason }, user.id)
}

async function store(
  { slack: { me, people }, sink }: Deps,
  { channel, thread, message }: Judged,
  said: { value: 'good' | 'bad'; reason?: string },
  user: string,
): Promise<void> {
  const person = asPerson(await people.whoMay(user))
  await sink.feedback(
    { thread: refOf(me, { channel, thread }), message, ...said },
    { person, tenant: me.team, project: channel },
  )
}
