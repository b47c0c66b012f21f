import { ButtonStyle } from 'discord.js'
import type { Risk } from '../../../domain/question.ts'
import type { Approval, ApprovalRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { customId } from '../custom-id.ts'
import { cutTo } from '../cut.ts'
import type { CardContainer } from '../page.ts'
import { fenced, inlineCode, plain, unfenced, visible } from '../plain.ts'
import { factsOf, waitingWords } from './facts.ts'
import { offerOf } from './offer.ts'
import { button, colors, container, line, lines, row, small, text } from './parts.ts'

const colorOf: Record<Risk, number> = {
  low: colors.blue,
  medium: colors.yellow,
  high: colors.red,
  critical: colors.red,
}

export const toolOf = ({ tool }: Approval): string => inlineCode(visible(oneLine(tool, 80)))

/** What would run, as it would run: with a line that says so where it is more than can be shown. */
export function inputOf({ input }: Approval, characters: number): string {
  const whole = visible(JSON.stringify(input, null, 2))
  const safe = unfenced(whole)
  const shown = cutTo(safe, { characters, bytes: characters * 2.5 })
  const more = shown === safe ? undefined : small(`Only the beginning is shown, of ${whole.length} characters.`)
  return lines(fenced(shown, 'json'), more)
}

/** Of the 4,000 characters of a message; the fence and its line take the rest. */
const room = 3_850
const mostInput = 2_400

export function approvalCard(request: ApprovalRequest): CardContainer {
  const { id, payload } = request
  const reason = cutTo(plain(visible(payload.reason)), { characters: 500, bytes: 1_250 })
  const head = lines(`### Approve ${toolOf(payload)}?`, reason)
  const facts = factsOf(payload)
  const end = waitingWords(request)
  const left = room - head.length - facts.length - end.length
  return container(colorOf[payload.risk], [
    text(head),
    text(inputOf(payload, Math.min(mostInput, left))),
    ...(facts === '' ? [] : [text(facts)]),
    text(end),
    line(),
    row(
      button('Approve', customId('approve', id), ButtonStyle.Success),
      ...(offerOf(payload) === undefined ? [] : [button('Always…', customId('always', id))]),
      button('Deny', customId('deny', id), ButtonStyle.Danger),
      button('Deny and say why…', customId('why', id)),
    ),
  ])
}
