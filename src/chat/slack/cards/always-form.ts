import type { Block, InputBlock, KnownBlock, PlainTextOption } from '@slack/types'
import { type GrantScope, grantScopes } from '../../../domain/grant.ts'
import type { ApprovalRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { durations, scopeWords } from './grants.ts'
import { bothEnds, bullets, lines, plain, remark, visible, words } from './text.ts'

/** Blocks and what is chosen there have the same names. */
export const choiceFields = { pattern: 'pattern', scope: 'scope', until: 'until' } as const

/** A form holds so many patterns, of so many characters each. */
const mostPatterns = 50
const longestPattern = 1_000

const option = (value: string, label: string): PlainTextOption => ({ text: plain(label, 75), value })

/** One of several, the first one unless somebody says otherwise. */
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

const upper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const scopeOption = (scope: GrantScope): PlainTextOption => option(scope, upper(scopeWords[scope]))

function untilField(): InputBlock {
  const options = durations.map(({ id, label }) => option(id, label))
  const day = options.find(({ value }) => value === 'day')
  return {
    type: 'input',
    block_id: choiceFields.until,
    label: plain('For how long?', 150),
    element: {
      type: 'static_select',
      action_id: choiceFields.until,
      options,
      ...(day === undefined ? {} : { initial_option: day }),
    },
  }
}

const patternList = (patterns: string[]): KnownBlock =>
  bullets(patterns.map((one) => [words(bothEnds(visible(one), longestPattern), { code: true })]))

/** Nobody is offered what they cannot read. */
const isReadable = (patterns: string[]): boolean =>
  patterns.length <= mostPatterns && patterns.every((one) => visible(one).length <= longestPattern)

/** What "always" would let through, and where and how long; undefined where it is not offered. */
export function alwaysBlocks({ payload, decided }: ApprovalRequest): (KnownBlock | Block)[] | undefined {
  const { tool, grants, binding } = payload
  if (grants === undefined) return undefined
  const { exact, untrusted } = grants
  const wide = grants.wide !== undefined && isReadable(grants.wide) ? grants.wide : undefined
  const unchanged = binding === '' ? '' : ' It holds as long as the files that it runs stay as they are.'
  return [
    lines([words(`I would not ask any more before I use ${oneLine(tool, 100)} like this.`)]),
    ...(untrusted
      ? [
          lines([
            words('⚠ Content from outside is in this thread. ', { bold: true }),
            words('It may be what makes me ask for this, and what you allow holds beside such content too.'),
          ]),
        ]
      : []),
    lines([words('Exactly this', { bold: true })]),
    patternList(exact.slice(0, mostPatterns)),
    ...(exact.length > mostPatterns ? [remark(`and ${exact.length - mostPatterns} more parts of this call`)] : []),
    remark(`It lets through this call again, and nothing else.${unchanged}`),
    ...(wide === undefined
      ? []
      : [
          lines([words('Wider', { bold: true })]),
          patternList(wide),
          remark(`It also lets through whatever else stands where there is a *, which nobody looks at.${unchanged}`),
        ]),
    ...(grants.wide !== undefined && wide === undefined
      ? [remark('The wider offer is too long to be shown here: the console shows it.')]
      : []),
    ...(wide === undefined
      ? []
      : [
          radio(choiceFields.pattern, 'What?', [option('exact', 'Exactly this'), option('wide', 'The wider patterns')]),
        ]),
    radio(choiceFields.scope, 'Where?', (grants.scopes ?? grantScopes).map(scopeOption)),
    untilField(),
    ...(decided.needed > 1 ? [remark(`${decided.needed} have to approve: what the last of them chooses holds.`)] : []),
  ]
}
