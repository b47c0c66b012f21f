import { ButtonStyle } from 'discord.js'
import type { Question, QuestionOption, QuestionPart } from '../../../domain/question.ts'
import type { QuestionRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { thenWords } from '../../words/approval-words.ts'
import { questionParts } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { modelText, standingOut } from '../text/model-text.ts'
import { moment, plain } from '../text/plain.ts'
import { discordWords } from '../words/words.ts'
import { customId } from './custom-id.ts'
import { button, type CardContainer, colors, container, line, lines, row, select, small, text } from './elements.ts'
import { nameOf } from './names.ts'
import { listOption, optionWords } from './options.ts'

/** The most buttons in a row. */
const mostButtons = 5

export function questionCard(request: QuestionRequest): CardContainer {
  const { payload } = request
  const parts = questionParts(payload)
  const body = parts.length > 1 ? formBody(payload, parts) : singleBody(payload)
  const buttons = parts.length > 1 ? [formButtons(request, parts)] : singleButtons(request)
  return container(colors.blue, [...body, text(small(endWords(request))), line(), ...buttons])
}

function singleBody({ question, context, options, to, opened_to }: Question) {
  return [
    text(
      lines(
        standingOut(modelText(question, { characters: 1_000, bytes: 2_500 }), (words) => `### ${words}`),
        context && modelText(context, { characters: 1_000, bytes: 2_500 }),
        addressed(to, opened_to),
      ),
    ),
    ...(options.length === 0 ? [] : [text(optionWords(options, 1_300))]),
  ]
}

function formBody({ context, to, opened_to }: Question, parts: QuestionPart[]) {
  const each = Math.floor(2_500 / parts.length)
  const head = lines(context && modelText(context, { characters: 600, bytes: 1_500 }), addressed(to, opened_to))
  return [
    ...(head === '' ? [] : [text(head)]),
    ...parts.map(({ question, options, required }, place) => {
      const half = Math.floor(options.length === 0 ? each - 30 : each / 2 - 30)
      const words = modelText(question, { characters: half, bytes: half * 2.5 })
      return text(
        lines(
          `**${place + 1}.** ${standingOut(words, (one) => `**${one}**`)}${required ? '' : ` ${chatWords.optional()}`}`,
          options.length === 0 ? undefined : optionWords(options, Math.floor(each / 2)),
        ),
      )
    }),
  ]
}

/** More names would leave too little room for the question. */
const mostNames = 10

function addressed(to: Question['to'] = [], openedTo?: string): string | undefined {
  if (to.length === 0) return undefined
  const names = to.slice(0, mostNames).map(nameOf).join(', ')
  const more = to.length - mostNames
  const shown = more > 0 ? chatWords.andMorePeople({ names, count: more }) : names
  return small(chatWords.forPeople({ names: openedTo === undefined ? shown : `${shown}, ${openedTo}` }))
}

function formButtons({ id }: QuestionRequest, parts: QuestionPart[]) {
  const skip = parts.some(({ required }) => required) ? [] : [button(chatWords.skip(), customId('skip', id))]
  return row(button(chatWords.answerForm(), customId('answers', id), ButtonStyle.Primary), ...skip)
}

function singleButtons({ id, payload }: QuestionRequest) {
  const { options, multiple, required } = payload
  const others = [
    button(options.length === 0 ? chatWords.answerForm() : chatWords.somethingElse(), customId('other', id)),
    ...(required ? [] : [button(chatWords.skip(), customId('skip', id))]),
  ]
  return [...choices(id, options, multiple), row(...others)]
}

function choices(id: string, options: QuestionOption[], multiple: boolean) {
  if (options.length === 0) return []
  if (options.length <= mostButtons && !multiple) return [row(...options.map((option, at) => choice(id, option, at)))]
  return [
    row(
      select({
        custom_id: customId('pick', id),
        placeholder: multiple ? discordWords.chooseSeveral() : chatWords.chooseOne(),
        min_values: 1,
        max_values: multiple ? options.length : 1,
        options: options.map(listOption),
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

/** How else to answer, and what happens if nobody does. */
function endWords(request: QuestionRequest): string {
  const here = discordWords.writeHere()
  const { deadlineAt } = request
  return deadlineAt === undefined
    ? here
    : discordWords.withoutOne({ here, request: plain(thenWords(request)), deadlineAt: moment(deadlineAt, 'R') })
}
