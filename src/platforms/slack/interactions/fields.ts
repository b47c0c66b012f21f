import { type GrantScope, grantScopes } from '../../../domain/grant.ts'
import type { Given, QuestionPart } from '../../../domain/question.ts'
import { durations } from '../../words/approval-words.ts'
import { choiceFields } from '../cards/always-form.ts'
import { choiceField, elseValue, wordsField } from '../cards/answer-form.ts'
import { fields } from '../cards/forms.ts'
import { slackWords } from '../words/words.ts'
import type { Submission } from './payload.ts'

/** What a form says, or what is wrong with it, by block. */
export type Read = { given: Given } | { errors: Record<string, string> }

type Values = Submission['view']['state']['values']

/** Blocks and their elements have the same names. */
export const textIn = (values: Values, name: string): string => values[name]?.[name]?.value?.trim() ?? ''
const oneIn = (values: Values, name: string): string | undefined => values[name]?.[name]?.selected_option?.value
const allIn = (values: Values, name: string): string[] => {
  const { selected_option, selected_options } = values[name]?.[name] ?? {}
  return [...(selected_option ? [selected_option] : []), ...(selected_options ?? [])].map(({ value }) => value)
}

export function givenWords(values: Values): Read {
  const answer = textIn(values, fields.words)
  return answer === ''
    ? { errors: { [fields.words]: slackWords.textMissing() } }
    : { given: { kind: 'question', answer } }
}

/** A no needs no reason. */
export function givenDenial(values: Values): Read {
  const reason = textIn(values, fields.reason)
  const instead = textIn(values, fields.instead)
  const said = { ...(reason !== '' && { reason }), ...(instead !== '' && { instead }) }
  return { given: { kind: 'approval', answer: { decision: 'deny', ...said } } }
}

const isScope = (value: string | undefined): value is GrantScope => grantScopes.some((scope) => scope === value)

/** Without a choice between patterns, it is exactly what was asked for. */
export function givenAlways(values: Values): Read {
  const pattern = oneIn(values, choiceFields.pattern) === 'wide' ? 'wide' : 'exact'
  const scope = oneIn(values, choiceFields.scope)
  const duration = durations.find(({ id }) => id === oneIn(values, choiceFields.until))
  if (!isScope(scope)) return { errors: { [choiceFields.scope]: slackWords.whereMissing() } }
  if (duration === undefined) return { errors: { [choiceFields.until]: slackWords.howLongMissing() } }
  const { ms: forMs } = duration
  const always = { pattern, scope, ...(forMs !== undefined && { forMs }) } as const
  return { given: { kind: 'approval', answer: { decision: 'approve', always } } }
}

type Part = { answer: string | string[] } | { block: string; error: string }

/** Options by their ids, and free text beside them. */
function partIn(part: QuestionPart, place: number, values: Values): Part {
  const words = textIn(values, wordsField(place))
  const chosen = allIn(values, choiceField(place))
  const options = chosen.flatMap((value) => part.options[Number(value)]?.id ?? [])
  const isElse = chosen.includes(elseValue)
  if (isElse && words === '') return { block: wordsField(place), error: slackWords.textMissing() }
  // Without options there is only the text field.
  if (part.required && words === '' && options.length === 0) {
    const block = part.options.length === 0 ? wordsField(place) : choiceField(place)
    return { block, error: slackWords.answerMissing() }
  }
  if (words === '') return { answer: part.multiple ? options : (options[0] ?? '') }
  if (part.multiple) return { answer: [...options, words] }
  if (options.length > 0) return { block: wordsField(place), error: slackWords.bothChosenAndWritten() }
  return { answer: words }
}

const isEmpty = (answer: string | string[]): boolean => answer.length === 0

/** Answers to all questions of a form, in their order. */
export function givenAnswers(parts: QuestionPart[], values: Values): Read {
  const read = parts.map((part, place) => partIn(part, place, values))
  const errors = read.flatMap((one) => ('error' in one ? [[one.block, one.error] as const] : []))
  if (errors.length > 0) return { errors: Object.fromEntries(errors) }
  const [answer = '', ...also] = read.flatMap((one) => ('answer' in one ? [one.answer] : []))
  if ([answer, ...also].every(isEmpty)) return { given: { kind: 'declined' } }
  return { given: { kind: 'question', answer, also } }
}
