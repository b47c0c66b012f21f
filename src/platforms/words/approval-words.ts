import type { Person } from '../../domain/chat.ts'
import { type GrantScope, grantScopes, isOfContents } from '../../domain/grant.ts'
import { type Approval, type ApprovalRequest, isLongInput, mostOnCard, type Request } from '../../domain/request.ts'
import { oneLine, visible } from '../../kit/text/text.ts'
import { chatWords } from './words.ts'

// What approval cards say on every platform. Plain text: whoever shows it escapes it.

const hourMs = 3_600_000

/** How long a grant can last. `ms` undefined: it has no end. */
export const durations: { id: string; label: () => string; ms: number | undefined }[] = [
  { id: 'hour', label: chatWords.oneHour, ms: hourMs },
  { id: 'day', label: chatWords.oneDay, ms: 24 * hourMs },
  { id: 'month', label: chatWords.thirtyDays, ms: 30 * 24 * hourMs },
  { id: 'forever', label: chatWords.untilRevoked, ms: undefined },
]

/** Where a grant applies, within a sentence. `tenant`: what the platform calls one. */
export function scopeWords(scope: GrantScope, tenant: 'workspace' | 'server'): string {
  if (scope === 'thread') return chatWords.threadScope()
  if (scope === 'channel') return chatWords.channelScope()
  return tenant === 'server' ? chatWords.serverScope() : chatWords.workspaceScope()
}

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export const scopesOf = ({ grants }: Approval): readonly GrantScope[] => grants?.scopes ?? grantScopes

/**
 * If the same call could do something else next time, exactly this call isn't offered: only something wider, or
 * nothing.
 */
export const isExactOffered = ({ grants }: Approval): boolean => (grants?.exact.length ?? 0) > 0

export const widerWords = ({ grants }: Approval): string => (grants?.closed ? chatWords.closed() : chatWords.wide())

/** What an exact grant allows. */
export const exactReach = (approval: Approval): string => chatWords.exactReach({ bound: boundTo(approval) })

/** What a wide grant allows, besides its patterns. */
export const wideReach = (approval: Approval): string =>
  approval.grants?.closed
    ? chatWords.closedReach()
    : chatWords.wideReach({ bound: isOfContents(approval) ? boundTo(approval) : 'tool' })

/** What a later call has to share with this one, besides its tool and its arguments. */
function boundTo(approval: Approval): 'tool' | 'directory' | 'scripts' | 'both' {
  if (approval.runs.length === 0) return isOfContents(approval) ? 'directory' : 'tool'
  return isOfContents(approval) ? 'both' : 'scripts'
}

/** What was always allowed; undefined if nothing was. `patterns` undefined: exactly this call. */
export function alwaysOf({ payload: { grants }, answer, answeredAt }: ApprovalRequest) {
  const { decision, always } = answer ?? {}
  if (decision !== 'approve' || always === undefined || grants === undefined) return undefined
  const { pattern, scope, forMs } = always
  const until = forMs === undefined || answeredAt === undefined ? undefined : answeredAt + forMs
  const closed = pattern === 'wide' && grants.closed === true
  return { patterns: pattern === 'wide' ? grants.wide : undefined, closed, scope, until }
}

export const toolWords = ({ tool }: Approval): string => oneLine(visible(tool), 80)

/** What would run, as it would run: on several lines, unless they make it too long for a card. */
export function inputWords({ input }: Approval): string {
  if (typeof input === 'string') return visible(input)
  const compact = JSON.stringify(input)
  const spread = JSON.stringify(input, undefined, 2)
  return visible(compact.length <= mostOnCard && spread.length > mostOnCard ? compact : spread)
}

/** Shown below an input that was cut. */
export const cutWords = (approval: Approval): string =>
  isLongInput(approval) ? chatWords.allAbove() : chatWords.cutOnCard()

/** Beginning and end of a text that is too long, and how much is left out: its end may be what matters. */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text
  // Neither end may cut a character in half.
  const head = text.slice(0, Math.floor(most * 0.7)).replace(/[\uD800-\uDBFF]$/, '')
  const tail = text.slice(-Math.max(1, Math.floor(most * 0.3))).replace(/^[\uDC00-\uDFFF]/, '')
  return `${head}\n${chatWords.moreCharacters({ count: text.length - head.length - tail.length })}\n${tail}`
}

/** What else a person has to know before they decide, each with its name; empty entries are left out. */
export const factsOf = ({
  unclear,
  hosts,
  writes = [],
  runs,
  scripts = [],
}: Approval): { name: string; all: string[]; isCode: boolean }[] =>
  [
    { name: chatWords.unclear(), all: unclear, isCode: false },
    { name: chatWords.mayReach(), all: hosts, isCode: true },
    { name: chatWords.writesTo(), all: writes, isCode: true },
    // Their content was posted above the card.
    { name: scripts.length < runs.length ? chatWords.runs() : chatWords.runsShown(), all: runs, isCode: true },
  ]
    .filter(({ all }) => all.length > 0)
    .map((fact) => ({ ...fact, all: fact.all.map((one) => oneLine(visible(one), fact.isCode ? 120 : 200)) }))

/** The most names that are shown. */
const mostNames = 8

export function namesOf(people: Person[], nameOf: (person: Person) => string): string {
  const names = people.slice(0, mostNames).map(nameOf).join(', ')
  const count = people.length - mostNames
  return count > 0 ? chatWords.andMorePeople({ names, count }) : names
}

/** How many have approved, out of how many, and who. */
export function votesWords(
  { decided, votes }: Pick<ApprovalRequest, 'decided' | 'votes'>,
  nameOf: (person: Person) => string,
): string {
  const people = votes.map(({ person }) => person)
  const said = { count: votes.length, needed: decided.needed }
  return people.length === 0 ? chatWords.votes(said) : chatWords.votesBy({ ...said, names: namesOf(people, nameOf) })
}

/** What happens at the deadline if nobody has answered, within a sentence. */
export function thenWords({ kind, payload }: Request): string {
  if (kind === 'approval') return chatWords.deniedAtDeadline()
  if (!('default' in payload) || payload.default === undefined) return chatWords.goesOn()
  const option = payload.options.find(({ id }) => id === payload.default)?.label
  return chatWords.isTaken({ answer: oneLine(option ?? payload.default, 80) })
}
