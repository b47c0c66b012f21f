import type { RichTextBlock, RichTextElement } from '@slack/types'
import type { ApprovalRequest, QuestionRequest, Request } from '../../../domain/request.ts'
import { oneLine, plainName } from '../../../domain/text.ts'
import { outcomeOf } from '../../words.ts'
import { scopeWords } from './grants.ts'
import { codes, cut, lines, words } from './text.ts'

const stamp = (ms: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(ms / 1_000),
  format: '{date_short_pretty}, {time}',
  fallback: new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
})

interface Decided {
  mark: string
  /** A few words, such as "Approved once". */
  what: string
  /** Names. */
  by: string[]
  at: number | undefined
  /** Lines of what was said with it. */
  details: string[]
}

const namesOf = ({ votes, answeredBy }: Request): string[] => {
  const people = [...votes.map(({ person }) => person), ...(answeredBy === undefined ? [] : [answeredBy])]
  return [...new Map(people.map(({ id, name }) => [id, plainName(name)])).values()]
}

function approvalDecided(request: ApprovalRequest): Decided {
  const { answer, answeredAt: at } = request
  if (answer?.by === 'deadline') {
    return { mark: '○', what: 'Denied, since nobody decided in time', by: [], at, details: [] }
  }
  if (answer?.decision === 'approve') {
    const what = answer.always === undefined ? 'Approved once' : 'Approved always'
    return { mark: '✓', what, by: namesOf(request), at, details: [] }
  }
  const by = request.answeredBy === undefined ? [] : [plainName(request.answeredBy.name)]
  const reason = answer?.reason || undefined
  if (answer?.instead) {
    const details = [...(reason === undefined ? [] : [`Why not: ${reason}`]), `Instead: ${answer.instead}`]
    return { mark: '✗', what: 'Corrected', by, at, details }
  }
  return { mark: '✗', what: 'Denied', by, at, details: reason === undefined ? [] : [reason] }
}

/** With several questions, each answer beside its own. */
function answersOf({ payload, answer }: QuestionRequest): string[] {
  if (payload.also === undefined || answer === undefined || answer.declined === true) return []
  const asked = [payload, ...payload.also].slice(0, 5)
  const given = [answer, ...(answer.also ?? [])]
  return asked.map(({ question }, place) => `${oneLine(question, 200)} ${cut(given[place]?.text ?? '', 500)}`)
}

function decidedOf(request: Request): Decided | undefined {
  const outcome = outcomeOf(request)
  if (outcome === undefined) return undefined
  if (request.kind === 'approval' && request.state === 'answered') return approvalDecided(request)
  const { mark, what, detail, by, at } = outcome
  const answers = request.kind === 'approval' ? [] : answersOf(request)
  const details = answers.length > 0 ? answers : detail === undefined ? [] : [detail]
  return { mark, what, by: by === undefined ? [] : [plainName(by.name)], at, details }
}

/** What is let through from now on, where and for how long. */
function grantLine(request: Request): RichTextElement[] | undefined {
  if (request.kind !== 'approval' || request.answer?.decision !== 'approve') return undefined
  const { always } = request.answer
  const { grants } = request.payload
  if (always === undefined || grants === undefined) return undefined
  const patterns = always.pattern === 'wide' ? (grants.wide ?? grants.exact) : grants.exact
  const { answeredAt } = request
  const until =
    always.forMs === undefined || answeredAt === undefined
      ? [words(', without end')]
      : [words(' until '), stamp(answeredAt + always.forMs)]
  return [...codes(patterns, 5, 300), words(` ${scopeWords[always.scope]}`), ...until]
}

/** Who decided what and when, where the buttons were. Names stand there plainly: nobody is rung. */
export function outcomeBlock(request: Request): RichTextBlock | undefined {
  const decided = decidedOf(request)
  if (decided === undefined) return undefined
  const { mark, what, by, at, details } = decided
  const who = by.length === 0 ? [] : [words(` by ${by.join(', ')}`)]
  const when = at === undefined ? [] : [words(' · '), stamp(at)]
  const granted = grantLine(request)
  return lines(
    [words(`${mark} `), words(what, { bold: true }), ...who, ...when],
    ...(granted === undefined ? [] : [[words('\n'), ...granted]]),
    ...details.map((detail) => [words('\n'), words(detail)]),
  )
}

/** The same in one plain line. */
export function outcomeWords(request: Request): string {
  const decided = decidedOf(request)
  if (decided === undefined) return 'Nobody has decided yet.'
  const { what, by, details } = decided
  const who = by.length === 0 ? '' : ` by ${by.join(', ')}`
  return `${what}${who}${details.length === 0 ? '' : `: ${details.join(' · ')}`}`
}

/** For who clicks when it is decided. */
export const tooLateWords = (request: Request): string => `That came too late. ${outcomeWords(request)}`

/** What happens at the deadline when nobody has answered. */
function thenWords({ kind, payload }: Request): string {
  if (kind === 'approval') return 'it counts as a no'
  const chosen = 'default' in payload ? payload.default : undefined
  const option = 'options' in payload ? payload.options.find(({ id }) => id === chosen)?.label : undefined
  return chosen === undefined ? 'it goes on without an answer' : `“${option ?? chosen}” is taken`
}

/** When it is decided without anybody: shown while it waits. */
export function deadlineBlock(request: Request): RichTextBlock | undefined {
  const { deadlineAt } = request
  if (deadlineAt === undefined) return undefined
  return lines([
    words('Until ', { italic: true }),
    stamp(deadlineAt),
    words(`; then ${thenWords(request)}.`, { italic: true }),
  ])
}
