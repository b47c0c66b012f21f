import type { Approval, ApprovalRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../domain/text.ts'
import { riskWords } from '../../words.ts'
import { cutTo } from '../cut.ts'
import { inlineCode, moment, plain, visible } from '../plain.ts'
import { decidersIn, nameOf } from './named.ts'
import { lines, small } from './parts.ts'

const code = (words: string): string => inlineCode(visible(oneLine(words, 120)))

/** What else a person has to know before they decide; empty when there is nothing. */
export const factsOf = ({ unclear, hosts, runs }: Approval): string =>
  lines(
    listed(
      'Unclear',
      unclear.map((words) => plain(visible(oneLine(words, 200)))),
      500,
    ),
    listed('May reach', hosts.map(code), 400),
    listed('Runs', runs.map(code), 400),
  )

/** As many as there is room for, and how many there are besides. */
function listed(name: string, all: string[], characters: number): string | undefined {
  if (all.length === 0) return undefined
  const fits = (count: number) => {
    const text = all.slice(0, count).join(', ')
    return text.length <= characters && Buffer.byteLength(text) <= characters * 2.5
  }
  let count = 1
  while (count < all.length && fits(count + 1)) count++
  const shown = cutTo(all.slice(0, count).join(', '), { characters, bytes: characters * 2.5 })
  return `**${name}:** ${shown}${count < all.length ? ` and ${all.length - count} more` : ''}`
}

/** The small print: how risky it is, who decides, who has approved so far, and until when. */
export function waitingWords({ payload, decided, votes, deadlineAt }: ApprovalRequest): string {
  const deadline = deadlineAt === undefined ? undefined : `until ${moment(deadlineAt, 'R')}`
  const who = cutTo(decidersIn(oneLine(decided.who, 300)), { characters: 400, bytes: 1_000 })
  return lines(
    small([riskWords[payload.risk], deadline].filter(Boolean).join(' · ')),
    who === '' ? undefined : small(`Decided by ${who}`),
    decided.needed > 1 ? small(votesOf({ decided, votes })) : undefined,
  )
}

/** So many names are shown. */
const mostVotes = 8

/** How many have approved, of how many, and who. */
export function votesOf({ decided, votes }: Pick<ApprovalRequest, 'decided' | 'votes'>): string {
  const names = votes.slice(0, mostVotes).map(({ person }) => nameOf(person))
  const more = votes.length > mostVotes ? [`${votes.length - mostVotes} more`] : []
  const who = [...names, ...more].join(', ')
  return `${votes.length} of ${decided.needed}${who === '' ? '' : `: ${who}`}`
}
