import type { QuestionAnswer } from '../domain/question.ts'
import type { QuestionRequest } from '../domain/request.ts'
import { ofOnePerson } from '../kit/text/marks.ts'
import { plainName } from '../kit/text/text.ts'

/** What the model reads of a person's answer to its question. */
export function answerText({ answer, answeredBy }: QuestionRequest & { answer: QuestionAnswer | undefined }): string {
  if (answer === undefined) return 'The question was withdrawn.'
  if (answer.by === 'deadline' && answer.declined) return 'Nobody answered in time. Continue without the answer.'
  if (answer.by === 'deadline') return `Nobody answered in time, so the default was taken: ${ofOnePerson(answer.text)}`
  const who = plainName(answeredBy?.name ?? 'a person')
  if (answer.declined) return `${who} declined to answer.`
  const further = (answer.also ?? []).map(({ text }, place) => `\n${place + 2}. ${ofOnePerson(text) || '(no answer)'}`)
  return further.length === 0
    ? `${who} answered: ${ofOnePerson(answer.text)}`
    : `${who} answered:\n1. ${ofOnePerson(answer.text)}${further.join('')}`
}
