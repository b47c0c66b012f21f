import type { Block, ConfirmationDialog, KnownBlock } from '@slack/types'
import type { Risk } from '../../../domain/question.ts'
import type { ApprovalRequest } from '../../../domain/request.ts'
import { oneLine, plainName } from '../../../domain/text.ts'
import { riskWords } from '../../words.ts'
import { actions } from './ids.ts'
import { deadlineBlock, outcomeBlock } from './outcome.ts'
import {
  bothEnds,
  bullets,
  button,
  buttons,
  codes,
  lines,
  plain,
  preformatted,
  remark,
  visible,
  words,
} from './text.ts'

/** What is approved is shown as far as a message holds it. */
const mostInput = 2_500
const mostUnclear = 8
const mostNamed = 20
const mostVoters = 10

const riskMarks: Record<Risk, string> = { low: '🟢', medium: '🟡', high: '🟠', critical: '🔴' }

const riskLine = (risk: Risk): string => {
  const told = riskWords[risk]
  return `${riskMarks[risk]} ${told.charAt(0).toUpperCase()}${told.slice(1)}`
}

/** What is asked for, as it would run: secrets are masked, and nothing in it is hidden. */
const inputText = ({ payload: { input } }: ApprovalRequest): string =>
  visible(typeof input === 'string' ? input : JSON.stringify(input, undefined, 2))

export const approvalTitle = ({ payload }: ApprovalRequest): string => `May I use ${oneLine(payload.tool, 100)}?`

/** What the call may touch, and what cannot be told of it. */
function reachBlocks({ payload: { unclear, hosts, runs } }: ApprovalRequest): KnownBlock[] {
  const more = unclear.length - mostUnclear
  const told = unclear.slice(0, mostUnclear).map((one) => [words(oneLine(visible(one), 200))])
  return [
    ...(unclear.length === 0 ? [] : [lines([words('What cannot be told:', { bold: true })])]),
    ...(told.length === 0 ? [] : [bullets(more > 0 ? [...told, [words(`and ${more} more`)]] : told)]),
    ...(hosts.length === 0 ? [] : [lines([words('It may reach '), ...codes(hosts, mostNamed, 80)])]),
    ...(runs.length === 0 ? [] : [lines([words('It runs '), ...codes(runs, mostNamed, 100)])]),
  ]
}

/** Who decides, and who has approved so far. */
function decidersBlock({ decided: { who, needed }, votes }: ApprovalRequest): KnownBlock {
  const deciders = [words('Who decides: ', { italic: true }), words(oneLine(who, 300))]
  if (needed < 2) return lines(deciders)
  const names = votes.slice(0, mostVoters).map(({ person }) => oneLine(plainName(person.name), 40))
  const soFar = `${votes.length} of ${needed}${names.length === 0 ? ' so far' : `: ${names.join(', ')}`}`
  return lines([...deciders, words(` · ${soFar}`)])
}

const isGrave = (risk: Risk): boolean => risk === 'high' || risk === 'critical'

/** A second look before what cannot be taken back. */
const confirmation = ({ payload }: ApprovalRequest): ConfirmationDialog => ({
  title: plain(`Use ${payload.tool}?`, 100),
  text: plain(`${riskLine(payload.risk)}${payload.reason === '' ? '' : `: ${oneLine(payload.reason, 200)}`}`, 300),
  confirm: plain('Approve', 30),
  deny: plain('Cancel', 30),
  style: 'danger',
})

function verdicts(request: ApprovalRequest): KnownBlock {
  const { id, payload } = request
  const grave = isGrave(payload.risk)
  const approve = grave
    ? ({ style: 'danger', confirm: confirmation(request) } as const)
    : ({ style: 'primary' } as const)
  return buttons(
    button(actions.approve, 'Approve', id, approve),
    ...(payload.grants === undefined ? [] : [button(actions.always, 'Always…', id)]),
    // Two red buttons would say nothing.
    button(actions.deny, 'Deny', id, grave ? {} : { style: 'danger' }),
    button(actions.denyWhy, 'Deny and say why…', id),
  )
}

/** A tool call that waits for a yes or a no, or what became of it. */
export function approvalBlocks(request: ApprovalRequest): (KnownBlock | Block)[] {
  const { payload } = request
  const about = [
    preformatted(bothEnds(inputText(request), mostInput), mostInput + 100),
    remark(riskLine(payload.risk), ...(payload.reason === '' ? [] : [visible(payload.reason)])),
  ]
  const outcome = outcomeBlock(request)
  if (outcome !== undefined) return [lines([words(oneLine(payload.tool, 100), { bold: true })]), ...about, outcome]
  const deadline = deadlineBlock(request)
  return [
    lines([words(approvalTitle(request), { bold: true })]),
    ...about,
    ...reachBlocks(request),
    decidersBlock(request),
    ...(deadline === undefined ? [] : [deadline]),
    verdicts(request),
  ]
}
