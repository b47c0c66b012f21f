import type { QuestionAnswer } from '../../domain/question.ts'
import type { QuestionRequest } from '../../domain/request.ts'
import { ofOnePerson } from '../../kit/text/marks.ts'
import { plainName } from '../../kit/text/text.ts'
import { turnWords } from './words.ts'

/** What the model reads of a person's answer to its question. */
export function answerText({ answer, answeredBy }: QuestionRequest & { answer: QuestionAnswer | undefined }): string {
  if (answer === undefined) return turnWords.questionWithdrawn()
  const text = ofOnePerson(answer.text)
  if (answer.by === 'deadline')
    return answer.declined ? turnWords.nobodyAnswered() : turnWords.defaultTaken({ answer: text })
  const who = plainName(answeredBy?.name ?? turnWords.aPerson())
  if (answer.declined) return turnWords.answerDeclined({ who })
  if (answer.also === undefined || answer.also.length === 0) return turnWords.answered({ who, answer: text })
  const further = answer.also.map((one) => ofOnePerson(one.text) || turnWords.noAnswerGiven())
  const answers = [text, ...further].map((one, place) => `${place + 1}. ${one}`).join('\n')
  return turnWords.answeredAll({ who, answers })
}
