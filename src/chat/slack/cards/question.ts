import type { ActionsBlock, Block, KnownBlock, PlainTextOption, RichTextBlock } from '@slack/types'
import type { QuestionOption } from '../../../domain/question.ts'
import type { Request } from '../../../domain/request.ts'
import { actions, blockFor, optionValue } from './ids.ts'
import { deadlineBlock, outcomeBlock } from './outcome.ts'
import { button, buttons, lines, plain, words } from './text.ts'

type QuestionRequest = Extract<Request, { kind: 'question' | 'decision' }>

const mostButtons = 5
const longestButton = 30
const mostBoxes = 10
const mostInMenu = 100

const notes = ({ description, estimated_time, estimated_cost, recommended }: QuestionOption): string[] =>
  [description, estimated_time, estimated_cost, recommended ? 'recommended' : undefined].flatMap((note) => note || [])

/** What is known of each option, where a button has no room for it. */
function optionList(options: QuestionOption[]): RichTextBlock[] {
  if (options.every((option) => notes(option).length === 0)) return []
  const elements = options.map((option) => ({
    type: 'rich_text_section' as const,
    elements: [
      words(option.label, { bold: true }),
      words(
        notes(option)
          .map((note) => ` · ${note}`)
          .join('') || ' ',
      ),
    ],
  }))
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }]
}

const menuOption = (option: QuestionOption): PlainTextOption => {
  const note = notes(option).join(' · ')
  return {
    text: plain(option.label, 75),
    value: option.id,
    ...(note === '' ? {} : { description: plain(note, 75) }),
  }
}

const isShort = ({ payload: { options } }: QuestionRequest): boolean =>
  options.length <= mostButtons && options.every(({ label }) => label.length <= longestButton)

/** What is chosen with: buttons for few, menus or boxes for many. */
function choices(request: QuestionRequest): ActionsBlock['elements'] {
  const { id, payload } = request
  const options = payload.options.slice(0, mostInMenu)
  if (options.length === 0) return []
  if (payload.multiple) {
    const menu =
      options.length <= mostBoxes
        ? ({ type: 'checkboxes', action_id: actions.tick, options: options.map(menuOption) } as const)
        : ({
            type: 'multi_static_select',
            action_id: actions.tick,
            placeholder: plain('Choose', 150),
            options: options.map(menuOption),
          } as const)
    return [menu, button(actions.send, 'Send', id, 'primary')]
  }
  if (isShort(request)) {
    return options.map((option, place) =>
      button(
        `${actions.option}${place}`,
        option.label,
        optionValue(id, option.id),
        option.recommended ? 'primary' : undefined,
      ),
    )
  }
  const placeholder = plain('Choose', 150)
  return [{ type: 'static_select', action_id: actions.select, placeholder, options: options.map(menuOption) }]
}

/** A question that waits for an answer, or what became of it. */
export function questionBlocks(request: QuestionRequest): (KnownBlock | Block)[] {
  const { id, payload } = request
  const context = payload.context ? [lines([words(payload.context)])] : []
  const outcome = outcomeBlock(request)
  const asked = lines([words(payload.question, { bold: true })])
  if (outcome !== undefined) return [asked, ...context, outcome]
  const inButtons = !payload.multiple && isShort(request)
  const deadline = deadlineBlock(request)
  return [
    asked,
    ...context,
    ...(inButtons ? optionList(payload.options) : []),
    ...(deadline === undefined ? [] : [deadline]),
    {
      ...buttons(
        ...choices(request),
        button(actions.other, payload.options.length === 0 ? 'Answer…' : 'Something else…', id),
        ...(payload.required ? [] : [button(actions.decline, 'Skip', id)]),
      ),
      block_id: blockFor(id),
    },
  ]
}
