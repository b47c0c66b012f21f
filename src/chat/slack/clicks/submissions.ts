import type { ViewResponseAction } from '@slack/bolt'
import type { z } from 'zod'
import type { Given } from '../../../domain/question.ts'
import type { InboundSink } from '../../platform.ts'
import { field, originOf } from '../cards/forms.ts'
import { forms } from '../cards/ids.ts'
import type { Workspace } from '../workspace.ts'
import { giveAnswer } from './answering.ts'
import type { submission } from './payload.ts'

/** Takes what stands in a form. Resolves, when it is stored, with what Slack shows beside the field, if anything. */
export async function submitted(
  slack: Workspace,
  sink: InboundSink,
  { user, view }: z.output<typeof submission>,
): Promise<ViewResponseAction | undefined> {
  const words = view.state.values[field]?.[field]?.value?.trim() ?? ''
  if (words === '') return complaint('Please write something.')
  const given: Given =
    view.callback_id === forms.denial
      ? { kind: 'approval', answer: { decision: 'deny', reason: words } }
      : { kind: 'question', answer: words }
  const origin = originOf(view.private_metadata)
  if (origin === undefined) return complaint('This form is too old.')
  const { request, channel } = origin
  const refusal = await giveAnswer(slack, sink, request, given, { user: user.id, channel })
  return refusal === undefined ? undefined : complaint(refusal)
}

const complaint = (text: string): ViewResponseAction => ({ response_action: 'errors', errors: { [field]: text } })
