import type { WorkspaceFile } from '../domain/chat.ts'
import type { ApprovalAnswer, Question, QuestionAnswer } from '../domain/question.ts'
import type { QuestionRequest } from '../domain/request.ts'
import { ownWords } from '../kit/text/own-words.ts'
import { toAnswer } from './answer.ts'
import { trustWords } from './words.ts'

/** The person's own words pick an option or fill in a form. Any other answer is read with what it quotes. */
export function answerIn(text: string, request: QuestionRequest): ApprovalAnswer | QuestionAnswer {
  const own = ownWords(text) || text
  const reply = formReply(own, request.payload)
  const given = toAnswer(request, { kind: 'question', ...reply })
  const isFree = 'option_ids' in given && given.option_ids.length === 0 && reply.answer === own
  return isFree ? { ...given, text: text.trim() } : given
}

/**
 * Reads a reply to a form from lines that begin with `1.`, `2.` and so on. Any other text answers the first question.
 */
function formReply(text: string, { also = [] }: Question): { answer: string; also?: string[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const numbered = lines.map((line) => /^ {0,3}(\d)[.):][ \t]+(\S.*)$/.exec(line))
  const said = new Map(numbered.map((found) => [Number(found?.[1]), found?.[2]?.trim() ?? '']))
  const fits = [...said.keys()].every((number) => number >= 1 && number <= also.length + 1)
  if (also.length === 0 || !fits || said.size !== lines.length || said.size === 0) return { answer: text }
  return { answer: said.get(1) ?? '', also: also.map((_, place) => said.get(place + 2) ?? '') }
}

/** What a message says to a question. */
export function answerOf(request: QuestionRequest, text: string, files: WorkspaceFile[]) {
  const given = answerIn(text, request)
  return 'text' in given ? withFiles(given, files) : given
}

function withFiles(given: QuestionAnswer, files: WorkspaceFile[]): QuestionAnswer {
  if (files.length === 0) return given
  const paths = files.map(({ path }) => path).join(', ')
  const { text } = given
  return { ...given, text: text.trim() === '' ? trustWords.files({ paths }) : trustWords.withFiles({ text, paths }) }
}
