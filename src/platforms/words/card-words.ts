import type { Person } from '../../domain/chat.ts'
import type { Question, QuestionPart, Risk } from '../../domain/question.ts'
import type { ApprovalRequest, QuestionRequest, Request } from '../../domain/request.ts'
import type { ClickOutcome } from '../inbound-sink.ts'
import { chatWords } from './words.ts'

// What cards, and the answers to them, say on every platform. Plain text: whoever shows it escapes it.

/** All questions of a form, the first one first. */
export const questionParts = ({ also = [], ...first }: Question): QuestionPart[] => [first, ...also]

const outcomes = {
  noLongerNeeded: { mark: '○', words: chatWords.cancelled },
  deniedByDeadline: { mark: '○', words: chatWords.deniedByDeadline },
  approvedOnce: { mark: '✓', words: chatWords.approvedOnce },
  approvedAlways: { mark: '✓', words: chatWords.approvedAlways },
  denied: { mark: '✗', words: chatWords.denied },
  corrected: { mark: '✗', words: chatWords.corrected },
  skipped: { mark: '○', words: chatWords.skipped },
  unanswered: { mark: '○', words: chatWords.unanswered },
  answered: { mark: '✓', words: chatWords.answered },
} as const

export interface Outcome {
  mark: '✓' | '✗' | '○'
  how: keyof typeof outcomes
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
  const ended = endOf(request)
  const { mark, words } = outcomes[ended.how]
  return { by, at: request.answeredAt, said: [], ...ended, mark, what: words() }
}

type Ended = Pick<Outcome, 'how'> & Partial<Pick<Outcome, 'by' | 'said'>>

function endOf(request: Request): Ended {
  if (request.state === 'cancelled') return { how: 'noLongerNeeded' }
  return request.kind === 'approval' ? verdictOf(request) : answerOf(request)
}

function verdictOf({ answer, answeredBy, votes }: ApprovalRequest): Ended {
  if (answer?.by === 'deadline') return { how: 'deniedByDeadline', by: [] }
  if (answer?.decision === 'approve') {
    const people = [...votes.map(({ person }) => person), ...(answeredBy === undefined ? [] : [answeredBy])]
    const by = [...new Map(people.map((person) => [person.id, person])).values()]
    return { how: answer.always === undefined ? 'approvedOnce' : 'approvedAlways', by }
  }
  const { reason, instead } = answer ?? {}
  if (!instead) return { how: 'denied', said: reason ? [{ text: reason }] : [] }
  const why = reason ? [{ label: chatWords.labelWhyNot(), text: reason }] : []
  return { how: 'corrected', said: [...why, { label: chatWords.labelInstead(), text: instead }] }
}

function answerOf({ payload, answer }: QuestionRequest): Ended {
  if (answer?.declined === true) return { how: 'skipped' }
  const { text = '', also: given = [], by } = answer ?? {}
  const { also = [] } = payload
  const parts = [payload, ...also].map(({ question }, place) => ({
    label: question,
    text: (place === 0 ? text : given[place - 1]?.text) ?? '',
  }))
  const said = also.length > 0 && given.length > 0 ? parts : text === '' ? [] : [{ text }]
  return by === 'deadline' ? { how: 'unanswered', by: [], said } : { how: 'answered', said }
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
      return { refused: true, text: chatWords.gone() }
    case 'unfit':
      return { refused: true, text: chatWords.unfit() }
  }
}

const countWords = (request: Request): string =>
  chatWords.counted({ count: request.votes.length, needed: request.kind === 'approval' ? request.decided.needed : 1 })

/** For the person whose click decides it. */
export function tooLateWords(request: Request, nameOf: (person: Person) => string): string {
  const { how, by } = outcomeOf(request) ?? { how: 'noLongerNeeded', by: [] }
  return by.length === 0 ? chatWords.tooLate({ how }) : chatWords.settledBy({ how, names: by.map(nameOf).join(', ') })
}

const risks = {
  low: chatWords.lowRisk,
  medium: chatWords.mediumRisk,
  high: chatWords.highRisk,
  critical: chatWords.criticalRisk,
}

export const riskWords = (risk: Risk): string => risks[risk]()
