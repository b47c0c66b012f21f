import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  TextInputStyle,
} from 'discord.js'
import type { QuestionOption } from '../../../domain/question.ts'
import type { Request } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { detailsOf } from '../cards/question.ts'
import { customId } from '../custom-id.ts'
import { modelText } from '../model-text.ts'

type Form = APIModalInteractionResponseCallbackData

/** What the fields of the forms are called. */
export const fields = { reason: 'reason', options: 'options', text: 'text', files: 'files' } as const

const label = (words: string, component: APIComponentInLabel, description?: string): APILabelComponent => ({
  type: ComponentType.Label,
  label: words,
  ...(description !== undefined && { description }),
  component,
})

const paragraph = (id: string, required: boolean, longest: number): APIComponentInLabel => ({
  type: ComponentType.TextInput,
  custom_id: id,
  style: TextInputStyle.Paragraph,
  required,
  max_length: longest,
})

/** Why something is not to be done. */
export const reasonForm = (request: Extract<Request, { kind: 'approval' }>): Form => ({
  custom_id: customId('why-form', request.id),
  title: oneLine(`Deny ${request.payload.tool}`, 45),
  components: [label('Why not, and what instead?', paragraph(fields.reason, true, 1_000))],
})

/** An answer in a person's own words, with options and files as they like. */
export function answerForm(request: Extract<Request, { kind: 'question' | 'decision' }>): Form {
  const { question, options, multiple } = request.payload
  return {
    custom_id: customId('other-form', request.id),
    title: 'Your answer',
    components: [
      { type: ComponentType.TextDisplay, content: modelText(question, { characters: 1_000, bytes: 2_500 }) },
      ...optionsField(options, multiple),
      label(options.length === 0 ? 'Answer' : 'In your own words', paragraph(fields.text, false, 4_000)),
      label('Files', {
        type: ComponentType.FileUpload,
        custom_id: fields.files,
        min_values: 0,
        max_values: 10,
        required: false,
      }),
    ],
  }
}

/** A group holds so many; more are on the card only. */
const mostInGroup = 10

function optionsField(options: QuestionOption[], multiple: boolean): APILabelComponent[] {
  if (options.length === 0 || options.length > mostInGroup) return []
  const choices = options.map((option, at) => {
    const description = oneLine(detailsOf(option), 100)
    return { label: oneLine(option.label, 100) || '?', value: String(at), ...(description !== '' && { description }) }
  })
  const common = { custom_id: fields.options, required: false, options: choices }
  if (multiple)
    return [
      label('Choose', { type: ComponentType.CheckboxGroup, min_values: 0, max_values: choices.length, ...common }),
    ]
  return options.length < 2 ? [] : [label('Choose', { type: ComponentType.RadioGroup, ...common })]
}

/** What somebody wants to know of a message. */
export const askForm = (message: string): Form => ({
  custom_id: customId('ask-form', message),
  title: 'Ask about this message',
  components: [label('What do you want to know?', paragraph(fields.text, true, 2_000))],
})
