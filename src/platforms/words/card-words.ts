import type { Person } from '../../domain/chat.ts'
import type { Question, QuestionPart, Risk } from '../../domain/question.ts'
import type { ApprovalRequest, QuestionRequest, Request } from '../../domain/request.ts'
import type { ClickOutcome } from '../inbound-sink.ts'

// What cards, and the answers to them, say on every platform. Plain text: whoever shows it escapes it.

/** All questions of a form, the first one first. */
export const questionParts = ({ also = [], ...first }: Question): QuestionPart[] => [first, ...also]

export interface Outcome {
  mark: '✓' | '✗' | '○'
  /** A few words, such as "Approved once". */
  what: string
  /** Who decided; for an approval, everybody who approved it. */
  by: Person[]
  /** ms since 1970. */
  at: number | undefined
  /** What was said with it. `label` is the question it answers, if there are several. */
  said: Said[]
}

export interface Said {
  label?: string
  text: string
}

/** What became of a request; undefined while it waits. */
export function outcomeOf(request: Request): Outcome | undefined {
  if (request.state === 'pending') return undefined
  const by = request.answeredBy === undefined ? [] : [request.answeredBy]
  const ended = { by, at: request.answeredAt, said: [] }
  if (request.state === 'cancelled') return { ...ended, mark: '○', what: 'No longer needed' }
  return { ...ended, ...(request.kind === 'approval' ? verdictOf(request) : answerOf(request)) }
}

type Ended = Pick<Outcome, 'mark' | 'what'> & Partial<Outcome>

function verdictOf({ answer, answeredBy, votes }: ApprovalRequest): Ended {
  if (answer?.by === 'deadline') return { mark: '○', what: 'Denied because nobody decided in time', by: [] }
  if (answer?.decision === 'approve') {
    const people = [...votes.map(({ person }) => person), ...(answeredBy === undefined ? [] : [answeredBy])]
    const by = [...new Map(people.map((person) => [person.id, person])).values()]
    return { mark: '✓', what: answer.always === undefined ? 'Approved once' : 'Approved always', by }
  }
  const { reason, instead } = answer ?? {}
  if (!instead) return { mark: '✗', what: 'Denied', said: reason ? [{ text: reason }] : [] }
  const why = reason ? [{ label: 'Why not', text: reason }] : []
  return { mark: '✗', what: 'Corrected', said: [...why, { label: 'Instead', text: instead }] }
}

function answerOf({ payload, answer }: QuestionRequest): Ended {
  if (answer?.declined === true) return { mark: '○', what: 'Skipped' }
  const { text = '', also: given = [], by } = answer ?? {}
  const { also = [] } = payload
  const parts = [payload, ...also].map(({ question }, place) => ({
    label: question,
    text: (place === 0 ? text : given[place - 1]?.text) ?? '',
  }))
  const said = also.length > 0 && given.length > 0 ? parts : text === '' ? [] : [{ text }]
  return by === 'deadline'
    ? { mark: '○', what: 'Nobody answered in time', by: [], said }
    : { mark: '✓', what: 'Answered', said }
}

/**
 * What people are told about their answer, privately; undefined if the card shows it. `refused`: it changed nothing.
 */
export function replyTo(
  answered: ClickOutcome,
  nameOf: (person: Person) => string,
): { refused: boolean; text: string } | undefined {
  switch (answered.kind) {
    case 'taken':
      return undefined
    case 'voted':
      return { refused: false, text: countWords(answered.request) }
    case 'too-late':
      return { refused: true, text: tooLateWords(answered.request, nameOf) }
    case 'not-allowed':
      return { refused: true, text: answered.reason }
    case 'not-found':
      return { refused: true, text: unknownWords }
    case 'unfit':
      return { refused: true, text: unfitWords }
  }
}

export const unknownWords = 'This no longer exists: the thread was reset or deleted.'
export const unfitWords = 'That isn’t a valid answer to this question.'

const countWords = (request: Request): string =>
  `Counted: ${request.votes.length} of ${request.kind === 'approval' ? request.decided.needed : 1}.`

/** For the person whose click decides it. */
export function tooLateWords(request: Request, nameOf: (person: Person) => string): string {
  const { what, by } = outcomeOf(request) ?? { what: 'No longer needed', by: [] }
  const who = by.length === 0 ? '' : ` by ${by.map(nameOf).join(', ')}`
  return `Too late, this has been settled: ${what.charAt(0).toLowerCase()}${what.slice(1)}${who}.`
}

export const riskWords: Record<Risk, string> = {
  low: 'low risk',
  medium: 'medium risk',
  high: 'high risk',
  critical: 'critical risk',
}
