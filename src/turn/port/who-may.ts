import type { Person } from '../../domain/chat.ts'
import type { Session } from '../../store/sessions.ts'
import { deciderFor, deciderNamed, describe } from '../../trust/deciders.ts'
import { aroundOf, isNamed } from '../../trust/who.ts'
import type { Services } from './scope.ts'
import { turnWords } from './words.ts'

/**
 * Why a person may not change something with a command; undefined if they may. Whoever decides about calls of `tool`
 * may: a tool, or a name that only stands in the rules. `what` ends a sentence: "change skills".
 */
export async function whyMayNot(
  { tool, what }: { tool: string; what: string },
  person: Person,
  session: Session,
  { rules, store, isMember }: Pick<Services, 'rules' | 'store' | 'isMember'>,
): Promise<string | undefined> {
  const operator = session.thread.platform === 'console'
  if (operator) return undefined
  const { who } = deciderNamed(rules, deciderFor(rules, tool, 'high'))
  const around = await aroundOf(store.db, session, { turn: 'turn_unknown' })
  try {
    if (await isNamed(who, { person, operator }, around, isMember)) return undefined
  } catch {
    return turnWords.couldNotCheckWho({ what })
  }
  return turnWords.onlyThey({ who: describe(who), what })
}
