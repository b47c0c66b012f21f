import type { Person } from '../../domain/chat.ts'
import { type GrantScope, grantScopes } from '../../domain/grant.ts'
import { type Approval, type ApprovalRequest, mostOnCard, type Request } from '../../domain/request.ts'
import { oneLine, visible } from '../../kit/text/text.ts'

// What approval cards say on every platform. Plain text: whoever shows it escapes it.

const hourMs = 3_600_000

/** How long a grant can last. `ms` undefined: it has no end. */
export const durations: { id: string; label: string; ms: number | undefined }[] = [
  { id: 'hour', label: '1 hour', ms: hourMs },
  { id: 'day', label: '1 day', ms: 24 * hourMs },
  { id: 'month', label: '30 days', ms: 30 * 24 * hourMs },
  { id: 'forever', label: 'Until revoked', ms: undefined },
]

/** Where a grant applies, within a sentence. `tenant`: what the platform calls one. */
export const scopeWords = (scope: GrantScope, tenant: 'workspace' | 'server'): string =>
  scope === 'tenant' ? `in this whole ${tenant}` : `in this ${scope}`

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

export const scopesOf = ({ grants }: Approval): readonly GrantScope[] => grants?.scopes ?? grantScopes

export const onceOnly = 'This can only be approved once.'

/** What the form for "always" says. */
export const alwaysWords = {
  head: 'This approves the call and allows it from now on. It can be revoked at any time.',
  untrusted: {
    head: '⚠ Content from outside is in this thread.',
    rest: 'It may be why I’m asking. What you allow applies even with that content here.',
  },
  threadOnly: 'Only the operator (in the console), or someone named in the rules, can allow more than this thread.',
  tooLong: 'There’s a wider option too, but it’s too long for this form: see the console.',
  exact: 'Exactly this call',
  wide: 'Anything that matches the patterns',
  closed: 'Anything in the closed sandbox, until tomorrow',
}

/**
 * If the same call could do something else next time, exactly this call isn't offered: only something wider, or
 * nothing.
 */
export const isExactOffered = ({ grants }: Approval): boolean => (grants?.exact.length ?? 0) > 0

export const widerWords = ({ grants }: Approval): string => (grants?.closed ? alwaysWords.closed : alwaysWords.wide)

/** What the form for a no asks. */
export const denialWords = { why: 'Why not?', instead: 'What should I do instead?' }

/** What an exact grant allows. */
export function exactReach({ binding, runs }: Approval): string {
  const same = ['tool', 'arguments', ...(binding === '' ? [] : ['directory'])]
  const all = runs.length === 0 ? same : [...same, 'contents of the scripts that it runs']
  return `This call and no other: same ${all.slice(0, -1).join(', ')} and ${all.at(-1)}.`
}

/** What a wide grant allows, besides its patterns. */
export function wideReach({ binding, runs, grants }: Approval): string {
  if (grants?.closed) return closedReach
  const scripts = runs.length === 0 ? '' : ', and with the scripts that it runs as they are now'
  const bound = binding === '' ? '' : ` Only in the same directory${scripts}.`
  return `Any call whose parts all match a pattern or are allowed anyway; * is any text.${bound} I still ask when the risk is high.`
}

const closedReach =
  'Allows every command and script in this thread until the end of tomorrow. They run in the closed sandbox: they can read this thread’s files and write only to outputs/ and temp/, and they have no network. I still ask when a rule says so (such as for rm -rf or pip install).'

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
export const cutWords = ({ input }: Approval): string =>
  JSON.stringify(input).length > mostOnCard ? 'All of it is above.' : 'Not all of it fits here: the console shows it.'

/** Beginning and end of a text that is too long, and how much is left out: its end may be what matters. */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text
  // Neither end may cut a character in half.
  const head = text.slice(0, Math.floor(most * 0.7)).replace(/[\uD800-\uDBFF]$/, '')
  const tail = text.slice(-Math.max(1, Math.floor(most * 0.3))).replace(/^[\uDC00-\uDFFF]/, '')
  return `${head}\n… ${text.length - head.length - tail.length} more characters …\n${tail}`
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
    { name: 'Unclear', all: unclear, isCode: false },
    { name: 'May reach', all: hosts, isCode: true },
    { name: 'Writes to', all: writes, isCode: true },
    // Their content was posted above the card.
    { name: scripts.length < runs.length ? 'Runs' : 'Runs (shown above)', all: runs, isCode: true },
  ]
    .filter(({ all }) => all.length > 0)
    .map((fact) => ({ ...fact, all: fact.all.map((one) => oneLine(visible(one), fact.isCode ? 120 : 200)) }))

/** The most names that are shown. */
const mostNames = 8

export function namesOf(people: Person[], nameOf: (person: Person) => string): string {
  const more = people.length - mostNames
  return `${people.slice(0, mostNames).map(nameOf).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** How many have approved, out of how many, and who. */
export function votesWords(
  { decided, votes }: Pick<ApprovalRequest, 'decided' | 'votes'>,
  nameOf: (person: Person) => string,
): string {
  const people = votes.map(({ person }) => person)
  return `${votes.length} of ${decided.needed}${people.length === 0 ? '' : `: ${namesOf(people, nameOf)}`}`
}

/** What happens at the deadline if nobody has answered, within a sentence. */
export function thenWords({ kind, payload }: Request): string {
  if (kind === 'approval') return 'it counts as a no'
  if (!('default' in payload) || payload.default === undefined) return 'it goes on without an answer'
  const option = payload.options.find(({ id }) => id === payload.default)?.label
  return `“${oneLine(option ?? payload.default, 80)}” is taken`
}
