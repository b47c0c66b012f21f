import { ButtonStyle } from 'discord.js'
import type { Risk } from '../../../domain/question.ts'
import type { Approval, ApprovalRequest } from '../../../domain/request.ts'
import { visible } from '../../../kit/text/text.ts'
import { cutWords, inputWords, toolWords } from '../../words/approval-words.ts'
import { chatWords } from '../../words/words.ts'
import { bothEndsTo, cutTo } from '../text/cut.ts'
import { fenced, inlineCode, plain, unfenced } from '../text/plain.ts'
import { discordWords } from '../words/words.ts'
import { customId } from './custom-id.ts'
import { button, type CardContainer, colors, container, line, lines, row, small, text } from './elements.ts'
import { factWords, waitingWords } from './facts.ts'

const colorOf: Record<Risk, number> = {
  low: colors.blue,
  medium: colors.yellow,
  high: colors.red,
  critical: colors.red,
}

export const toolOf = (payload: Approval): string => inlineCode(toolWords(payload))

/** What would run, as it would run: beginning and end if it is too long to show. */
export function inputOf(payload: Approval, characters: number): string {
  const safe = unfenced(inputWords(payload))
  const shown = bothEndsTo(safe, { characters, bytes: characters * 2.3 })
  return lines(fenced(shown, 'json'), shown === safe ? undefined : small(cutWords(payload)))
}

/** Of the 4,000 characters of a message; the fence and its line take the rest. */
const room = 3_850
/** What is shown nowhere else fits, even if each character takes three bytes. */
const mostInput = 2_000
const mostFacts = 1_000

export function approvalCard(request: ApprovalRequest): CardContainer {
  const { id, payload } = request
  const reason = cutTo(plain(visible(payload.reason)), { characters: 400, bytes: 1_000 })
  const head = lines(`### Approve ${toolOf(payload)}?`, reason)
  const input = inputOf(payload, mostInput)
  const end = waitingWords(request)
  const left = room - head.length - input.length - end.length
  const facts = factWords(payload, Math.min(mostFacts, left))
  return container(colorOf[payload.risk], [
    text(head),
    text(input),
    ...(facts === '' ? [] : [text(facts)]),
    text(end),
    line(),
    row(
      button(chatWords.approve(), customId('approve', id), ButtonStyle.Success),
      ...(payload.grants === undefined ? [] : [button(chatWords.always(), customId('always', id))]),
      button(chatWords.deny(), customId('deny', id), ButtonStyle.Danger),
      button(discordWords.denyWithReason(), customId('why', id)),
    ),
  ])
}
