import { type APISelectMenuOption, ComponentType } from 'discord.js'
import type { GrantChoice, GrantScope } from '../../../domain/grant.ts'
import type { Approval, ApprovalRequest } from '../../../domain/request.ts'
import {
  capital,
  durations,
  exactReach,
  isExactOffered,
  scopesOf,
  scopeWords,
  toolWords,
  wideReach,
  widerWords,
} from '../../words/approval-words.ts'
import { chatWords } from '../../words/words.ts'
import { customId } from '../cards/custom-id.ts'
import { lines, small } from '../cards/elements.ts'
import { patternCode } from '../cards/outcome.ts'
import { plain } from '../text/plain.ts'
import { type Filled, type Form, label, list, titled } from './fields.ts'

const ids = { pattern: 'pattern', scope: 'scope', until: 'until' } as const

/** For all patterns in a form. */
const mostPatterns = 2_500

/** The wider patterns; undefined if there are none, or if they can't all be shown. */
function widerOf({ grants }: Approval): string | undefined {
  if (grants?.wide === undefined || grants.wide.length === 0) return undefined
  // What it covers is said below it.
  if (grants.closed) return ''
  const all = grants.wide.map((pattern) => `- ${patternCode(pattern)}`).join('\n')
  return all.length <= mostPatterns ? all : undefined
}

/** For Discord, everybody's direct messages are in one server: only these are named here. */
const scopesIn = (payload: Approval, direct: boolean): readonly GrantScope[] =>
  direct ? ['thread'] : scopesOf(payload)

/** What is allowed from now on, where and for how long. Undefined if it can be approved only once. */
export function alwaysForm({ id, payload }: ApprovalRequest, direct: boolean): Form | undefined {
  if (payload.grants === undefined) return undefined
  const scopes = scopesIn(payload, direct).map((scope) => ({
    label: direct ? chatWords.directScope() : capital(scopeWords(scope, 'server')),
    value: scope,
    default: scope === 'thread',
  }))
  const until = durations.map((one) => ({ label: one.label(), value: one.id, default: one.id === 'day' }))
  return {
    custom_id: customId('always-form', id),
    title: titled(chatWords.alwaysAllow({ tool: toolWords(payload) })),
    components: [
      { type: ComponentType.TextDisplay, content: formWords(payload) },
      label(chatWords.what(), list(ids.pattern, patternOptions(payload))),
      label(chatWords.where(), list(ids.scope, scopes)),
      label(chatWords.untilWhen(), list(ids.until, until)),
    ],
  }
}

const patternOptions = (payload: Approval): APISelectMenuOption[] =>
  [
    ...(isExactOffered(payload) ? [{ label: chatWords.exact(), value: 'exact' }] : []),
    ...(widerOf(payload) === undefined ? [] : [{ label: widerWords(payload), value: 'wide' }]),
  ].map((option, place) => ({ ...option, default: place === 0 }))

function formWords(payload: Approval): string {
  const wider = widerOf(payload)
  const isTooLong = wider === undefined && (payload.grants?.wide ?? []).length > 0
  return lines(
    chatWords.alwaysHead(),
    payload.grants?.untrusted ? `**${chatWords.untrustedHead()}** ${chatWords.untrustedRest()}` : undefined,
    ...(isExactOffered(payload) ? [`**${chatWords.exact()}**`, small(exactReach(payload))] : []),
    ...(wider === undefined
      ? []
      : [`**${widerWords(payload)}**`, wider || undefined, small(plain(wideReach(payload)))]),
    isTooLong ? small(chatWords.tooLong()) : undefined,
    scopesOf(payload).length === 1 ? small(chatWords.threadOnly()) : undefined,
  )
}

/** What was chosen; undefined if it wasn't offered. */
export function readAlways({ payload }: ApprovalRequest, filled: Filled, direct: boolean): GrantChoice | undefined {
  const [pattern] = filled.chosen(ids.pattern)
  const scope = scopesIn(payload, direct).find((one) => one === filled.chosen(ids.scope)[0])
  const duration = durations.find(({ id }) => id === filled.chosen(ids.until)[0])
  if (payload.grants === undefined || scope === undefined || duration === undefined) return undefined
  if (pattern === 'exact' && !isExactOffered(payload)) return undefined
  if (pattern !== 'exact' && (pattern !== 'wide' || widerOf(payload) === undefined)) return undefined
  return { pattern, scope, ...(duration.ms !== undefined && { forMs: duration.ms }) }
}
