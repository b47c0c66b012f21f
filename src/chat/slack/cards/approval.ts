import type { Block, KnownBlock } from '@slack/types'
import type { Request } from '../../../domain/request.ts'
import { riskWords } from '../../words.ts'
import { actions } from './ids.ts'
import { deadlineBlock, outcomeBlock } from './outcome.ts'
import { button, buttons, lines, preformatted, remark, words } from './text.ts'

type ApprovalRequest = Extract<Request, { kind: 'approval' }>

/** What is approved is shown as far as a message holds it. */
const mostInput = 2_500

function inputText({ payload }: ApprovalRequest): string {
  const { input } = payload
  const text = typeof input === 'string' ? input : JSON.stringify(input, undefined, 2)
  const left = text.length - mostInput
  return left <= 0 ? text : `${text.slice(0, mostInput)}\n… and ${left} more characters`
}

export const approvalTitle = ({ payload }: ApprovalRequest): string => `May I use ${payload.tool}?`

/** A tool call that waits for a yes or a no, or what became of it. */
export function approvalBlocks(request: ApprovalRequest): (KnownBlock | Block)[] {
  const { id, payload } = request
  const risk = riskWords[payload.risk]
  const about = [
    preformatted(inputText(request), mostInput + 100),
    remark(`${risk.charAt(0).toUpperCase()}${risk.slice(1)}`, ...(payload.reason === '' ? [] : [payload.reason])),
  ]
  const outcome = outcomeBlock(request)
  if (outcome !== undefined) return [lines([words(payload.tool, { bold: true })]), ...about, outcome]
  const deadline = deadlineBlock(request)
  return [
    lines([words(approvalTitle(request), { bold: true })]),
    ...about,
    ...(deadline === undefined ? [] : [deadline]),
    buttons(
      button(actions.approve, 'Approve', id, 'primary'),
      button(actions.deny, 'Deny', id, 'danger'),
      button(actions.denyWhy, 'Deny and say why…', id),
    ),
  ]
}
