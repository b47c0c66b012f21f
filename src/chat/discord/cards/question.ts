import { ButtonStyle } from 'discord.js'
import type { QuestionOption } from '../../../domain/question.ts'
import type { Request } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { customId } from '../custom-id.ts'
import { cutTo } from '../cut.ts'
import { modelText, standingOut } from '../model-text.ts'
import type { CardContainer } from '../page.ts'
import { moment, plain } from '../plain.ts'
import { button, colors, container, line, lines, row, select, small, text } from './parts.ts'

export type Asked = Extract<Request, { kind: 'question' | 'decision' }>

/** A row holds so many buttons. */
const mostButtons = 5

export function questionCard(request: Asked): CardContainer {
  const { id, payload } = request
  const { question, context, options, multiple, required } = payload
  const others = [
    button(options.length === 0 ? 'Answer…' : 'Something else…', customId('other', id)),
    ...(required ? [] : [button('Skip', customId('skip', id))]),
  ]
  return container(colors.blue, [
    text(
      lines(
        standingOut(modelText(question, { characters: 1_000, bytes: 2_500 }), (words) => `### ${words}`),
        context && modelText(context, { characters: 1_000, bytes: 2_500 }),
      ),
    ),
    ...(options.length === 0 ? [] : [text(optionWords(options))]),
    text(small(endWords(request))),
    line(),
    ...choices(id, options, multiple),
    row(...others),
  ])
}

function choices(id: string, options: QuestionOption[], multiple: boolean) {
  if (options.length === 0) return []
  if (options.length <= mostButtons && !multiple) return [row(...options.map((option, at) => choice(id, option, at)))]
  return [
    row(
      select({
        custom_id: customId('pick', id),
        placeholder: multiple ? 'Choose one or more' : 'Choose one',
        min_values: 1,
        max_values: multiple ? options.length : 1,
        options: options.map((option, at) => ({
          label: oneLine(option.label, 100) || '?',
          value: String(at),
          ...descriptionOf(option),
        })),
      }),
    ),
  ]
}

const choice = (id: string, { label, recommended }: QuestionOption, at: number) =>
  button(
    oneLine(label, 80) || '?',
    customId('option', id, at),
    recommended ? ButtonStyle.Primary : ButtonStyle.Secondary,
  )

/** What is known of an option besides its name: what it means, how long it takes, what it costs. */
export const detailsOf = ({ description, estimated_time, estimated_cost }: QuestionOption): string =>
  [description, estimated_time, estimated_cost].filter(Boolean).join(' · ')

function descriptionOf(option: QuestionOption): { description?: string } {
  const words = oneLine([option.recommended ? 'recommended' : '', detailsOf(option)].filter(Boolean).join(' · '), 100)
  return words === '' ? {} : { description: words }
}

function optionWords(options: QuestionOption[]): string {
  const each = Math.floor(1_200 / options.length)
  const words = options.map((option) => {
    const details = detailsOf(option)
    const recommended = option.recommended ? ' (recommended)' : ''
    return `- **${plain(oneLine(option.label, 100))}**${recommended}${details && ` – ${plain(details)}`}`
  })
  return cutTo(words.map((one) => cutTo(one, { characters: Math.max(each, 60), bytes: 3_000 })).join('\n'), {
    characters: 1_300,
    bytes: 3_000,
  })
}

/** How else one may answer, and what happens if nobody does. */
function endWords({ payload, deadlineAt }: Asked): string {
  const here = 'Or write your answer here.'
  if (deadlineAt === undefined) return here
  if (payload.default !== undefined) {
    const chosen = payload.options.find(({ id }) => id === payload.default)?.label ?? payload.default
    return `${here} Without one, “${plain(oneLine(chosen, 80))}” is taken ${moment(deadlineAt, 'R')}.`
  }
  return payload.required ? here : `${here} Without one, it goes on ${moment(deadlineAt, 'R')}.`
}
