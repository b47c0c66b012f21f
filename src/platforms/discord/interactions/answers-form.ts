import type { APILabelComponent } from 'discord.js'
import type { Given, QuestionPart } from '../../../domain/question.ts'
import type { QuestionRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { questionParts } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { customId } from '../cards/custom-id.ts'
import { listOption } from '../cards/options.ts'
import { discordWords } from '../words/words.ts'
import { type Filled, type Form, label, list, mostFields, paragraph } from './fields.ts'

/** The most options in a list; if there are more, the name is typed. */
const mostListed = 25

const pickId = (place: number): string => `pick-${place}`
const wordsId = (place: number): string => `words-${place}`

const isListed = ({ options }: QuestionPart): boolean => options.length > 0 && options.length <= mostListed

/** Several questions: a list or a text for each and, for as many lists as there is room, a text field too. */
export function answersForm({ id, payload }: QuestionRequest): Form {
  const parts = questionParts(payload).slice(0, mostFields)
  const withWords = placesWithWords(parts)
  return {
    custom_id: customId('answers-form', id),
    title: chatWords.yourAnswers(),
    components: parts.flatMap((part, place) => fieldsOf(part, place, withWords.has(place))),
  }
}

/** The lists that get a text field as well. */
function placesWithWords(parts: QuestionPart[]): Set<number> {
  const listed = parts.flatMap((part, place) => (isListed(part) ? [place] : []))
  return new Set(listed.slice(0, mostFields - parts.length))
}

function fieldsOf(part: QuestionPart, place: number, withWords: boolean): APILabelComponent[] {
  const { question, options, required, multiple } = part
  const short = oneLine(`${place + 1}. ${question}`, 45)
  const whole = short.endsWith('…') ? question : undefined
  if (!isListed(part)) return [label(short, paragraph(wordsId(place), required, 2_000), whole)]
  const choices = options.map(listOption)
  return [
    label(short, list(pickId(place), choices, { required: required && !withWords, multiple }), whole),
    ...(withWords
      ? [label(discordWords.ownWordsOfPart({ place: place + 1 }), paragraph(wordsId(place), false, 2_000))]
      : []),
  ]
}

/** What was answered; undefined if a required answer is missing. */
export function readAnswers({ payload }: QuestionRequest, filled: Filled): Given | undefined {
  const parts = questionParts(payload).slice(0, mostFields)
  const answers = parts.map((part, place) => {
    const chosen = isListed(part) ? filled.chosen(pickId(place)) : []
    const ids = chosen.flatMap((index) => part.options[Number(index)]?.id ?? [])
    const words = filled.text(wordsId(place))
    // Text alone is matched with the options, as if it were written in the thread.
    if (ids.length === 0) return words
    return words === '' ? ids : [...ids, words]
  })
  if (answers.some((given, place) => given.length === 0 && parts[place]?.required)) return undefined
  if (answers.every((given) => given.length === 0)) return { kind: 'declined' }
  const [answer = '', ...also] = answers
  return { kind: 'question', answer, also }
}
