import type { Block, ConfirmationDialog, KnownBlock } from '@slack/types'
import type { Risk } from '../../../domain/question.ts'
import { type ApprovalRequest, fitsOnCard, mostUnclear } from '../../../domain/request.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import { bothEnds, capital, cutWords, factsOf, inputWords, toolWords, votesWords } from '../../words/approval-words.ts'
import { riskWords } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { slackWords } from '../words/words.ts'
import { actions } from './action-ids.ts'
import {
  type ButtonLook,
  bullets,
  button,
  buttons,
  codes,
  lines,
  nameOf,
  plain,
  preformatted,
  remark,
  words,
} from './elements.ts'
import { deadlineBlock, outcomeBlock } from './outcome.ts'

/** What is to be approved is shown as far as it fits into a message. */
const mostInput = 2_500
const mostNamed = 20

const riskMarks: Record<Risk, string> = { low: '🟢', medium: '🟡', high: '🟠', critical: '🔴' }

const riskLine = (risk: Risk): string => `${riskMarks[risk]} ${capital(riskWords(risk))}`

function inputBlocks({ payload }: ApprovalRequest): KnownBlock[] {
  const whole = inputWords(payload)
  const shown = bothEnds(whole, mostInput)
  return [preformatted(shown, mostInput + 100), ...(shown === whole ? [] : [remark(cutWords(payload))])]
}

export const approvalTitle = ({ payload }: ApprovalRequest): string =>
  chatWords.approveTool({ tool: toolWords(payload) })

/** What the call may touch, and what isn't clear about it. */
const factBlocks = ({ payload }: ApprovalRequest): KnownBlock[] =>
  factsOf(payload).flatMap(({ name, all, isCode }) => {
    const head = words(`${name}: `, { bold: true })
    if (isCode) return [lines([head, ...codes(all, mostNamed, 120)])]
    const more = all.length - mostUnclear.entries
    const told = all.slice(0, mostUnclear.entries).map((one) => [words(one)])
    return [lines([head]), bullets(more > 0 ? [...told, [words(chatWords.andMore({ count: more }))]] : told)]
  })

/** Who can approve it, and who has so far. */
function decidersBlock({ decided, votes }: ApprovalRequest): KnownBlock {
  const deciders = [
    words(`${chatWords.approversTitle()} `, { italic: true }),
    words(oneLine(visible(decided.who), 300)),
  ]
  return lines(decided.needed < 2 ? deciders : [...deciders, words(` · ${votesWords({ decided, votes }, nameOf)}`)])
}

const isGrave = (risk: Risk): boolean => risk === 'high' || risk === 'critical'

/** A second confirmation before something that can't be undone. */
const confirmation = ({ payload }: ApprovalRequest): ConfirmationDialog => ({
  title: plain(chatWords.approveTool({ tool: toolWords(payload) }), 100),
  text: plain(whyWords(payload), 300),
  confirm: plain(chatWords.approve(), 30),
  deny: plain(chatWords.cancel(), 30),
  style: 'danger',
})

/** The dialog may hide the card, so it says too what is unclear. */
function whyWords({ risk, reason, unclear }: ApprovalRequest['payload']): string {
  const all = [reason, unclear.slice(0, 3).join('; ')].filter((part) => part !== '')
  return [`${riskLine(risk)}`, ...all.map((part) => oneLine(visible(part), 200))].join(' · ')
}

function verdicts(request: ApprovalRequest): KnownBlock {
  const { id, payload } = request
  const { approve, deny } = looks(request)
  return buttons(
    button(actions.approve, chatWords.approve(), id, approve),
    ...(payload.grants === undefined ? [] : [button(actions.always, chatWords.always(), id)]),
    button(actions.deny, chatWords.deny(), id, deny),
    button(actions.denyWhy, slackWords.denyWithReason(), id),
  )
}

/** On a Home. What else can be decided is on the card in the thread. */
const homeVerdicts = (request: ApprovalRequest): KnownBlock =>
  buttons(
    button(actions.homeApprove, chatWords.approve(), request.id, looks(request).approve),
    button(actions.homeDeny, chatWords.deny(), request.id, looks(request).deny),
  )

/** Two red buttons would say nothing. */
function looks(request: ApprovalRequest): { approve: ButtonLook; deny: ButtonLook } {
  if (isGrave(request.payload.risk)) return { approve: { style: 'danger', confirm: confirmation(request) }, deny: {} }
  return { approve: { style: 'primary' }, deny: { style: 'danger' } }
}

/** A tool call that waits for a yes or a no, or its outcome. */
export function approvalBlocks(request: ApprovalRequest): (KnownBlock | Block)[] {
  const outcome = outcomeBlock(request)
  if (outcome === undefined)
    return [lines([words(approvalTitle(request), { bold: true })]), ...askedBlocks(request), verdicts(request)]
  return [
    lines([words(toolWords(request.payload), { bold: true })]),
    ...inputBlocks(request),
    whyBlock(request),
    outcome,
  ]
}

/**
 * The same on the Home of somebody who may decide it, below a line that says where it waits. Empty if there is more to
 * see above the card in the thread: it is decided only there.
 */
export const homeApprovalBlocks = (request: ApprovalRequest): (KnownBlock | Block)[] =>
  fitsOnCard(request.payload) ? [...askedBlocks(request), homeVerdicts(request)] : []

const whyBlock = ({ payload: { risk, reason } }: ApprovalRequest): KnownBlock =>
  remark(riskLine(risk), ...(reason === '' ? [] : [visible(reason)]))

function askedBlocks(request: ApprovalRequest): KnownBlock[] {
  const deadline = deadlineBlock(request)
  return [
    ...inputBlocks(request),
    whyBlock(request),
    ...factBlocks(request),
    decidersBlock(request),
    ...(deadline === undefined ? [] : [deadline]),
  ]
}
