import type { Block, InputBlock, KnownBlock, PlainTextOption } from '@slack/types'
import type { GrantScope } from '../../../domain/grant.ts'
import type { ApprovalRequest } from '../../../domain/request.ts'
import { visible } from '../../../kit/text/text.ts'
import {
  capital,
  durations,
  exactReach,
  isExactOffered,
  scopesOf,
  scopeWords,
  wideReach,
  widerWords,
} from '../../words/approval-words.ts'
import { chatWords } from '../../words/words.ts'
import { bullets, lines, plain, remark, words } from './elements.ts'

/** Blocks and their elements have the same names. */
export const choiceFields = { pattern: 'pattern', scope: 'scope', until: 'until' } as const

/** The most patterns in a form, and the most characters of each. */
const mostPatterns = 50
const longestPattern = 1_000

const option = (value: string, label: string): PlainTextOption => ({ text: plain(label, 75), value })

/** One of several; the first one by default. */
function radio(name: string, label: string, options: PlainTextOption[]): InputBlock {
  const [first] = options
  return {
    type: 'input',
    block_id: name,
    label: plain(label, 150),
    element: {
      type: 'radio_buttons',
      action_id: name,
      options,
      ...(first === undefined ? {} : { initial_option: first }),
    },
  }
}

const scopeOption = (scope: GrantScope): PlainTextOption => option(scope, capital(scopeWords(scope, 'workspace')))

function untilField(): InputBlock {
  const options = durations.map(({ id, label }) => option(id, label()))
  const day = options.find(({ value }) => value === 'day')
  return {
    type: 'input',
    block_id: choiceFields.until,
    label: plain(chatWords.untilWhen(), 150),
    element: {
      type: 'static_select',
      action_id: choiceFields.until,
      options,
      ...(day === undefined ? {} : { initial_option: day }),
    },
  }
}

const patternList = (patterns: string[]): KnownBlock =>
  bullets(patterns.map((one) => [words(visible(one), { code: true })]))

/** Nobody is offered what they can't read. */
const isReadable = (patterns: string[]): boolean =>
  patterns.length <= mostPatterns && patterns.every((one) => visible(one).length <= longestPattern)

/** What "always" would allow, where and how long; undefined if it isn't offered. */
export function alwaysBlocks({ payload }: ApprovalRequest): (KnownBlock | Block)[] | undefined {
  const { grants } = payload
  if (grants === undefined) return undefined
  const wide = grants.wide !== undefined && isReadable(grants.wide) ? grants.wide : undefined
  const isTooLong = grants.wide !== undefined && wide === undefined
  const scopes = scopesOf(payload)
  const exact = chatWords.exact()
  const isExact = isExactOffered(payload)
  const wider = widerWords(payload)
  const patterns = [...(isExact ? [option('exact', exact)] : []), option('wide', wider)]
  return [
    lines([words(chatWords.alwaysHead())]),
    ...(grants.untrusted
      ? [lines([words(`${chatWords.untrustedHead()} `, { bold: true }), words(chatWords.untrustedRest())])]
      : []),
    ...(isExact ? [lines([words(exact, { bold: true })]), remark(exactReach(payload))] : []),
    ...(wide === undefined
      ? []
      : [
          lines([words(wider, { bold: true })]),
          ...(grants.closed ? [] : [patternList(wide)]),
          remark(wideReach(payload)),
          radio(choiceFields.pattern, chatWords.what(), patterns),
        ]),
    ...(isTooLong ? [remark(chatWords.tooLong())] : []),
    radio(choiceFields.scope, chatWords.where(), scopes.map(scopeOption)),
    ...(scopes.length === 1 ? [remark(chatWords.threadOnly())] : []),
    untilField(),
  ]
}
