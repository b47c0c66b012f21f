import type { GrantChoice, GrantScope } from '../../../domain/grant.ts'
import type { ApprovalRequest, QuestionRequest, Request } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { type Outcome, outcomeOf } from '../../words.ts'
import { cutTo } from '../cut.ts'
import { moment, plain } from '../plain.ts'
import { patternCode } from './offer.ts'
import { lines } from './parts.ts'

/** What became of a request, and in an approval also how; undefined while it waits. */
export function endOf(request: Request): Outcome | undefined {
  const outcome = outcomeOf(request)
  if (outcome === undefined || request.kind !== 'approval' || request.answer === undefined) return outcome
  const { decision, by, instead, always } = request.answer
  if (by === 'deadline') return { ...outcome, mark: '○', what: 'Nobody decided in time' }
  if (decision === 'approve') return { ...outcome, what: always ? 'Always allowed' : 'Approved once' }
  return instead ? { ...outcome, what: 'Corrected' } : outcome
}

/** What was chosen, or said, with it: each on lines of its own. */
export function detailsOf(request: Request): string {
  if (request.kind !== 'approval') return answersOf(request)
  const { reason, instead, always } = request.answer ?? {}
  return lines(
    always && alwaysWords(request, always),
    reason ? quoted(plain(reason)) : undefined,
    instead ? quoted(`**Instead:** ${plain(instead)}`) : undefined,
  )
}

const quoted = (words: string): string => `> ${cutTo(words, { characters: 700, bytes: 1_750 })}`

const places: Record<GrantScope, string> = { thread: 'thread', channel: 'channel', tenant: 'server' }

function alwaysWords({ payload, answeredAt }: ApprovalRequest, { pattern, scope, forMs }: GrantChoice): string {
  const { exact = [], wide = exact } = payload.grants ?? {}
  const patterns = (pattern === 'wide' ? wide : exact).map(patternCode).join(', ')
  const shown = cutTo(patterns, { characters: 900, bytes: 2_250 })
  const until = forMs === undefined ? 'without end' : `until ${moment((answeredAt ?? 0) + forMs)}`
  return `Always for ${shown} in this ${places[scope]} ${until}`
}

/** The answer, or of a form each question with its answer. */
function answersOf(request: QuestionRequest): string {
  const { payload, answer } = request
  const text = answer?.text ?? ''
  const also = payload.also ?? []
  if (also.length === 0 || answer?.declined === true || answer?.also === undefined) {
    return text === '' ? '' : quoted(plain(text))
  }
  const given = [text, ...answer.also.map((one) => one.text)]
  const each = Math.floor(1_800 / given.length)
  return [payload, ...also]
    .map(({ question }, place) => {
      const words = `${place + 1}. ${plain(oneLine(question, 80))}: **${plain(given[place] ?? '') || '–'}**`
      return cutBold(words, each)
    })
    .join('\n')
}

/** What is cut off in bold letters has to end them. */
function cutBold(words: string, characters: number): string {
  const shown = cutTo(words, { characters: characters - 2, bytes: (characters - 2) * 2.5 })
  return shown === words ? shown : `${shown}**`
}
