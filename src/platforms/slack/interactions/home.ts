import type { InboundSink } from '../../inbound-sink.ts'
import { replyTo } from '../../words/card-words.ts'
import { actions } from '../cards/action-ids.ts'
import { nameOf } from '../cards/elements.ts'
import { channelOfHome } from '../cards/home.ts'
import type { Homes } from '../post/homes.ts'
import type { HomeClick } from './payload.ts'

/** Somebody has decided on their Home. Resolves, once it is stored, with what shows it there. */
export async function decideAtHome(
  { sink, homes }: { sink: InboundSink; homes: Homes },
  { user, view, actions: [action] }: HomeClick,
): Promise<(() => Promise<void>) | undefined> {
  const channel = channelOfHome(view.private_metadata)
  if (channel === undefined || action === undefined) return undefined
  const decision = action.action_id === actions.homeApprove ? 'approve' : 'deny'
  const by = await homes.owner(user.id, channel)
  const outcome = await sink.answer(action.value ?? '', { kind: 'approval', answer: { decision } }, by)
  // The process may have started since the Home was opened.
  return () => homes.opened(user.id, channel, replyTo(outcome, nameOf)?.text)
}
