import { type APILabelComponent, ComponentType } from 'discord.js'
import type { QuestionOption } from '../../../domain/question.ts'
import type { ApprovalRequest, QuestionRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { toolWords } from '../../words/approval-words.ts'
import { chatWords } from '../../words/words.ts'
import { customId } from '../cards/custom-id.ts'
import { optionNotes } from '../cards/options.ts'
import { modelText } from '../text/model-text.ts'
import { discordWords } from '../words/words.ts'
import { type Form, label, paragraph, titled } from './fields.ts'

/** What the fields of the forms are called. */
export const fields = {
  reason: 'reason',
  instead: 'instead',
  options: 'options',
  text: 'text',
  files: 'files',
} as const

/** Why something shouldn't be done, and what to do instead. */
export const reasonForm = (request: ApprovalRequest): Form => ({
  custom_id: customId('why-form', request.id),
  title: titled(chatWords.denyTool({ tool: toolWords(request.payload) })),
  components: [
    label(chatWords.whyNot(), paragraph(fields.reason, false, 1_000)),
    label(chatWords.whatInstead(), paragraph(fields.instead, false, 2_000)),
  ],
})

/** A free-text answer, with options if they like, and files if it may have some. */
export function answerForm(request: QuestionRequest, takesFiles: boolean): Form {
  const { question, options, multiple } = request.payload
  return {
    custom_id: customId('other-form', request.id),
    title: chatWords.yourAnswer(),
    components: [
      { type: ComponentType.TextDisplay, content: modelText(question, { characters: 1_000, bytes: 2_500 }) },
      ...optionsField(options, multiple),
      label(options.length === 0 ? chatWords.answer() : discordWords.ownWords(), paragraph(fields.text, false, 4_000)),
      ...(takesFiles ? [filesField()] : []),
    ],
  }
}

const filesField = (): APILabelComponent =>
  label(chatWords.files(), {
    type: ComponentType.FileUpload,
    custom_id: fields.files,
    min_values: 0,
    max_values: 10,
    required: false,
  })

/** The most options in a group; the rest are only on the card. */
const mostInGroup = 10

function optionsField(options: QuestionOption[], multiple: boolean): APILabelComponent[] {
  if (options.length === 0 || options.length > mostInGroup) return []
  const choices = options.map((option, at) => {
    const description = oneLine(optionNotes(option), 100)
    return { label: oneLine(option.label, 100) || '?', value: String(at), ...(description !== '' && { description }) }
  })
  const common = { custom_id: fields.options, required: false, options: choices }
  if (multiple)
    return [
      label(chatWords.choose(), {
        type: ComponentType.CheckboxGroup,
        min_values: 0,
        max_values: choices.length,
        ...common,
      }),
    ]
  return options.length < 2 ? [] : [label(chatWords.choose(), { type: ComponentType.RadioGroup, ...common })]
}

/** What somebody wants to know about a message. */
export const askForm = (message: string): Form => ({
  custom_id: customId('ask-form', message),
  title: discordWords.askFormTitle(),
  components: [label(discordWords.askFormQuestion(), paragraph(fields.text, true, 2_000))],
})
