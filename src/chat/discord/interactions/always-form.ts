import { type APISelectMenuOption, ComponentType } from 'discord.js'
import { type GrantChoice, type GrantScope, grantScopes } from '../../../domain/grant.ts'
import type { ApprovalRequest } from '../../../domain/request.ts'
import { type Offer, offerOf } from '../cards/offer.ts'
import { lines, small } from '../cards/parts.ts'
import { customId } from '../custom-id.ts'
import { type Filled, type Form, label, list, titled } from './fields.ts'

const ids = { pattern: 'pattern', scope: 'scope', until: 'until' } as const

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long it may hold; undefined is without end. */
const spans = new Map<string, { label: string; forMs: number | undefined }>([
  ['hour', { label: 'One hour', forMs: hourMs }],
  ['day', { label: 'One day', forMs: dayMs }],
  ['month', { label: '30 days', forMs: 30 * dayMs }],
  ['forever', { label: 'Without end', forMs: undefined }],
])

/** All direct messages of everybody are one place to Discord: only these here are named. */
const scopesIn = ({ grants }: ApprovalRequest['payload'], direct: boolean): readonly GrantScope[] =>
  direct ? ['thread'] : (grants?.scopes ?? grantScopes)

const scopeLabels: Record<GrantScope, string> = {
  thread: 'In this thread',
  channel: 'In this channel',
  tenant: 'In this whole server',
}

/** What is let through from now on, where and how long. Undefined where it can be approved once only. */
export function alwaysForm({ id, payload }: ApprovalRequest, direct: boolean): Form | undefined {
  const offer = offerOf(payload)
  if (offer === undefined) return undefined
  const scopes = scopesIn(payload, direct).map((scope) => ({
    label: direct ? 'In these direct messages' : scopeLabels[scope],
    value: scope,
    default: scope === 'thread',
  }))
  const until = [...spans].map(([value, span]) => ({ label: span.label, value, default: value === 'day' }))
  return {
    custom_id: customId('always-form', id),
    title: titled(`Always allow ${payload.tool}`),
    components: [
      { type: ComponentType.TextDisplay, content: offerWords(offer) },
      label('What', list(ids.pattern, patternOptions(offer))),
      label('Where', list(ids.scope, scopes)),
      label('How long', list(ids.until, until)),
    ],
  }
}

const patternOptions = ({ wide }: Offer): APISelectMenuOption[] => [
  { label: 'Exactly this', value: 'exact', default: true },
  ...(wide === undefined ? [] : [{ label: 'Also what is like it', value: 'wide' }]),
]

const offerWords = ({ exact, wide, untrusted }: Offer): string =>
  lines(
    '**Exactly this**',
    exact,
    wide && `**Also what is like it**\n${wide}`,
    untrusted
      ? '⚠ Content that nobody vouches for is in this thread. What you allow here holds also while it is: somebody else’s words may be behind a call.'
      : undefined,
    small('This call is approved too. It can be revoked at any time.'),
  )

/** What was chosen; undefined when it is nothing that was offered. */
export function readAlways({ payload }: ApprovalRequest, filled: Filled, direct: boolean): GrantChoice | undefined {
  const offer = offerOf(payload)
  const [pattern] = filled.chosen(ids.pattern)
  const scope = scopesIn(payload, direct).find((one) => one === filled.chosen(ids.scope)[0])
  const span = spans.get(filled.chosen(ids.until)[0] ?? '')
  if (offer === undefined || scope === undefined || span === undefined) return undefined
  if (pattern !== 'exact' && (pattern !== 'wide' || offer.wide === undefined)) return undefined
  return { pattern, scope, ...(span.forMs !== undefined && { forMs: span.forMs }) }
}
