import type { ActionsBlock, Block, KnownBlock } from '@slack/types'
import type { QuestionOption } from '../../../domain/question.ts'
import type { QuestionRequest } from '../../../domain/request.ts'
import { oneLine, plainName } from '../../../kit/text/text.ts'
import { chatWords } from '../../words/words.ts'
import { actions, blockFor, optionValue } from './action-ids.ts'
import { formParts } from './answer-form.ts'
import { button, buttons, cut, lines, plain, words } from './elements.ts'
import { isCutInMenu, longestOfEach, menuOption, mostBoxes, mostInMenu, optionList, optionNotes } from './options.ts'
import { deadlineBlock, outcomeBlock } from './outcome.ts'

const mostButtons = 5
const longestButton = 30

/** Characters in a card: Slack accepts some 13,000 in a whole message. */
const mostAsked = 2_500
const mostInControls = 4_000
const mostListed = 3_000
const mostOfForm = 8_000

const isShort = ({ kind, payload: { options } }: QuestionRequest): boolean =>
  options.length <= mostButtons && options.every(({ label }) => kind === 'loop' || label.length <= longestButton)

const inControls = ({ payload }: QuestionRequest): QuestionOption[] => payload.options.slice(0, mostInMenu)

/** The controls to choose with: buttons for a few options, menus or boxes for many. */
function choices(request: QuestionRequest): ActionsBlock['elements'] {
  const { id, payload } = request
  const options = inControls(request)
  if (options.length === 0) return []
  const longest = longestOfEach(options, mostInControls)
  const inMenu = options.map((option) => menuOption(option, option.id, longest))
  const placeholder = plain(chatWords.choose(), 150)
  if (payload.multiple) {
    const menu =
      options.length <= mostBoxes
        ? ({ type: 'checkboxes', action_id: actions.tick, options: inMenu } as const)
        : ({ type: 'multi_static_select', action_id: actions.tick, placeholder, options: inMenu } as const)
    return [menu, button(actions.send, chatWords.send(), id, { style: 'primary' })]
  }
  if (isShort(request)) {
    return options.map((option, place) =>
      button(`${actions.option}${place}`, option.label, optionValue(id, option.id), {
        style: option.recommended ? 'primary' : undefined,
      }),
    )
  }
  return [{ type: 'static_select', action_id: actions.select, placeholder, options: inMenu }]
}

/** Several questions, which are answered in a form. */
function formBlocks({ payload }: QuestionRequest): KnownBlock[] {
  const parts = formParts(payload)
  const most = Math.floor(mostOfForm / parts.length)
  return parts.flatMap((part, place) => {
    const asked = cut(part.question, Math.floor(most / 2))
    const optional = part.required ? [] : [words(` ${chatWords.optional()}`, { italic: true })]
    return [
      lines([words(`${place + 1}. ${asked}`, { bold: true }), ...optional]),
      ...optionList(part.options, most - asked.length),
    ]
  })
}

function formButtons({ id, payload }: QuestionRequest): KnownBlock {
  const mayBeSkipped = formParts(payload).every(({ required }) => !required)
  return buttons(
    button(actions.fill, chatWords.answerForm(), id, { style: 'primary' }),
    ...(mayBeSkipped ? [button(actions.decline, chatWords.skip(), id)] : []),
  )
}

function choiceButtons(request: QuestionRequest): KnownBlock {
  const { id, payload } = request
  return {
    ...buttons(
      ...choices(request),
      button(actions.other, payload.options.length === 0 ? chatWords.answerForm() : chatWords.somethingElse(), id),
      ...(payload.required ? [] : [button(actions.decline, chatWords.skip(), id)]),
    ),
    block_id: blockFor(id),
  }
}

/** Whose answer counts, by name, so that nobody is notified. */
function addressees({ payload: { to = [], opened_to } }: QuestionRequest): KnownBlock[] {
  if (to.length === 0) return []
  const names = oneLine([...to.map(({ name }) => plainName(name)), opened_to ?? []].flat().join(', '), 500)
  return [lines([words(chatWords.forPeople({ names }), { italic: true })])]
}

/** Whether its controls don't show all of its options: a button has no notes, and a menu opens only for a click. */
function needsList(request: QuestionRequest): boolean {
  const { options, multiple } = request.payload
  const inBoxes = multiple && options.length <= mostBoxes
  const longest = longestOfEach(inControls(request), mostInControls)
  return options.some((option) => isCutInMenu(option, longest) || (!inBoxes && optionNotes(option).length > 0))
}

/** A question that waits for an answer, or its outcome. */
export function questionBlocks(request: QuestionRequest): (KnownBlock | Block)[] {
  const { payload } = request
  const context = payload.context ? [lines([words(cut(payload.context, mostAsked))])] : []
  const outcome = outcomeBlock(request)
  const asked = lines([words(cut(payload.question, mostAsked), { bold: true })])
  if (outcome !== undefined) return [asked, ...context, outcome]
  const deadline = deadlineBlock(request)
  const until = deadline === undefined ? [] : [deadline]
  if (payload.also !== undefined && payload.also.length > 0) {
    return [...addressees(request), ...context, ...formBlocks(request), ...until, formButtons(request)]
  }
  return [
    asked,
    ...addressees(request),
    ...context,
    ...(needsList(request) ? optionList(payload.options, mostListed) : []),
    ...until,
    choiceButtons(request),
  ]
}
