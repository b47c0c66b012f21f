import type { Person } from '../../domain/chat.ts'
import type { Risk } from '../../domain/question.ts'
import type { Request } from '../../domain/request.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import type { Session } from '../../store/sessions.ts'
import { deciderFor, deciderNamed, describe } from '../../trust/deciders.ts'
import { aroundOf, isNamed, isOperatorsPlace, mayBeMeant, namedIn } from '../../trust/who.ts'
import type { Services } from './scope.ts'
import { turnWords } from './words.ts'

interface Wanted {
  /** A tool, or a name that only stands in the rules. */
  tool: string
  risk?: Risk
  /** What was asked before, if anything: its people are those around. */
  request?: Pick<Request, 'turn'> | undefined
  /** Being in the thread isn't enough: only people whom the rules name may, and the operator. */
  isNamed?: boolean
  /** Ends a sentence: "change skills". */
  what: string
  /** What somebody else is told; `who` may do it. */
  refusal?(who: string): string
}

/**
 * Why a person may not do something with a command; undefined if they may. Whoever decides about calls of `tool` may.
 * Throws in an outage of our own.
 */
export async function whyMayNot(
  { tool, what, ...wanted }: Wanted,
  person: Person,
  session: Session,
  { rules, store, isMember }: Pick<Services, 'rules' | 'store' | 'isMember'>,
): Promise<string | undefined> {
  if (isOperatorsPlace(session.thread)) return undefined
  const {
    risk = 'high',
    request = { turn: 'turn_unknown' },
    refusal = (who) => turnWords.onlyThey({ who, what }),
  } = wanted
  const { who: all } = deciderNamed(rules, deciderFor(rules, tool, risk))
  const who = wanted.isNamed ? ['operator', ...namedIn(all)] : all
  const around = await aroundOf(store.db, session, request)
  try {
    // It favours nobody, so the asker may do it too if the rules name them.
    if (await isNamed(who, { person, operator: false }, around, isMember)) return undefined
  } catch (thrown) {
    throwOutage(thrown)
    return turnWords.couldNotCheckWho({ what })
  }
  return mayBeMeant(who, person, around) ? turnWords.couldNotCheckWho({ what }) : refusal(describe(who))
}
