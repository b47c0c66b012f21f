import type { Block, InputBlock, KnownBlock } from '@slack/types'
import type { Question, QuestionOption, QuestionPart } from '../../../domain/question.ts'
import { questionParts } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { slackWords } from '../words/words.ts'
import { plain } from './elements.ts'
import { menuOption, mostBoxes, mostInMenu } from './options.ts'

/** A form has one question, and at most this many further ones. */
const mostParts = 5

/** The option for the text in the field below it. Option ids are numbers here. */
export const elseValue = 'else'

/** The field for a question's options, and the one for its text: blocks and elements have the same names. */
export const choiceField = (part: number): string => `choice${part}`
export const wordsField = (part: number): string => `words${part}`

/** The questions of the form. */
export const formParts = (question: Question): QuestionPart[] => questionParts(question).slice(0, mostParts)

const somethingElse = (): QuestionOption => ({ id: elseValue, label: slackWords.elseWrittenBelow() })

function choice(part: QuestionPart, place: number): InputBlock['element'] {
  const offered = part.options.slice(0, mostInMenu - 1).map((option, at) => menuOption(option, String(at)))
  const options = [...offered, menuOption(somethingElse(), elseValue)]
  const action_id = choiceField(place)
  if (!part.multiple) return { type: 'static_select', action_id, placeholder: plain(chatWords.choose(), 150), options }
  return options.length <= mostBoxes
    ? { type: 'checkboxes', action_id, options }
    : { type: 'multi_static_select', action_id, placeholder: plain(chatWords.choose(), 150), options }
}

const words = (name: string, label: string, optional: boolean): InputBlock => ({
  type: 'input',
  block_id: name,
  label: plain(label, 300),
  optional,
  element: { type: 'plain_text_input', action_id: name, multiline: true, max_length: 3_000 },
})

/** One field for each question, and another for free text if it has options. */
export const answerBlocks = (question: Question): (KnownBlock | Block)[] =>
  formParts(question).flatMap((part, place) => {
    if (part.options.length === 0) return [words(wordsField(place), part.question, !part.required)]
    return [
      {
        type: 'input' as const,
        block_id: choiceField(place),
        label: plain(part.question, 300),
        optional: !part.required,
        element: choice(part, place),
      },
      words(wordsField(place), slackWords.somethingElse(), true),
    ]
  })
