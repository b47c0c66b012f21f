import type { Approval, ApprovalRequest } from '../../../domain/request.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { factsOf, thenWords, votesWords } from '../../words/approval-words.ts'
import { riskWords } from '../../words/card-words.ts'
import { chatWords } from '../../words/words.ts'
import { cutTo } from '../text/cut.ts'
import { inlineCode, moment, plain } from '../text/plain.ts'
import { discordWords } from '../words/words.ts'
import { lines, small } from './elements.ts'
import { decidersIn, nameOf } from './names.ts'

/** What else a person has to know before they decide, within this many characters; empty if there is nothing. */
export function factWords(payload: Approval, characters: number): string {
  const facts = factsOf(payload)
  const each = Math.floor(characters / facts.length) - 40
  return lines(...facts.map(({ name, all, isCode }) => listed(name, all.map(isCode ? inlineCode : plain), each)))
}

/** As many as there is room for, and the number of the rest. */
function listed(name: string, all: string[], characters: number): string {
  const fits = (count: number) => {
    const text = all.slice(0, count).join(', ')
    return text.length <= characters && Buffer.byteLength(text) <= characters * 2.5
  }
  let count = 1
  while (count < all.length && fits(count + 1)) count++
  const shown = cutTo(all.slice(0, count).join(', '), { characters, bytes: characters * 2.5 })
  return `**${name}:** ${shown}${count < all.length ? ` ${chatWords.andMore({ count: all.length - count })}` : ''}`
}

/** The small print: how risky it is, who decides, who has approved so far, and what happens if nobody answers. */
export function waitingWords(request: ApprovalRequest): string {
  const { payload, decided, votes, deadlineAt } = request
  const who = cutTo(decidersIn(oneLine(decided.who, 300)), { characters: 300, bytes: 750 })
  const deciders = who === '' ? '' : `${chatWords.approversTitle()} ${who}`
  const soFar = decided.needed > 1 ? cutTo(votesWords({ decided, votes }, nameOf), { characters: 300, bytes: 750 }) : ''
  const deadline =
    deadlineAt &&
    small(discordWords.withoutAnswer({ request: thenWords(request), deadlineAt: moment(deadlineAt, 'R') }))
  const print = [riskWords(payload.risk), deciders, soFar].filter((part) => part !== '').join(' · ')
  return lines(small(print), deadline || undefined)
}
