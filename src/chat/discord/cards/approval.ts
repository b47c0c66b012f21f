import { ButtonStyle } from 'discord.js'
import type { Risk } from '../../../domain/question.ts'
import type { Approval, Request } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { riskWords } from '../../words.ts'
import { customId } from '../custom-id.ts'
import { cutTo } from '../cut.ts'
import type { CardContainer } from '../page.ts'
import { fenced, inlineCode, moment, plain, visible } from '../plain.ts'
import { button, colors, container, line, lines, row, small, text } from './parts.ts'

const colorOf: Record<Risk, number> = {
  low: colors.blue,
  medium: colors.yellow,
  high: colors.red,
  critical: colors.red,
}

export const toolOf = ({ tool }: Approval): string => inlineCode(oneLine(tool, 80))

/** What would run, as it would run: with a line that says so where it is more than can be shown. */
export function inputOf({ input }: Approval, characters: number): string {
  const whole = visible(JSON.stringify(input, null, 2))
  const shown = cutTo(whole, { characters, bytes: characters * 2.5 })
  const more = shown === whole ? undefined : small(`Only the beginning is shown, of ${whole.length} characters.`)
  return lines(fenced(shown, 'json'), more)
}

export function approvalCard(request: Extract<Request, { kind: 'approval' }>): CardContainer {
  const { id, payload, deadlineAt } = request
  const deadline = deadlineAt === undefined ? undefined : `until ${moment(deadlineAt, 'R')}`
  return container(colorOf[payload.risk], [
    text(lines(`### Approve ${toolOf(payload)}?`, cutTo(plain(payload.reason), { characters: 600, bytes: 1_500 }))),
    text(inputOf(payload, 2_400)),
    text(small([riskWords[payload.risk], deadline].filter(Boolean).join(' · '))),
    line(),
    row(
      button('Approve', customId('approve', id), ButtonStyle.Success),
      button('Deny', customId('deny', id), ButtonStyle.Danger),
      button('Deny and say why…', customId('why', id)),
    ),
  ])
}
