import type { BudgetLimit } from '../../config/config.ts'
import type { QuestionAnswer } from '../../domain/question.ts'
import type { QuestionRequest } from '../../domain/request.ts'
import { saysYes } from '../../kit/text/yes.ts'
import { callHash, findCallWith } from '../../store/calls.ts'
import { requestsAlike } from '../../store/requests.ts'
import type { ParentCall } from '../../store/session-rows.ts'
import type { Db, Store } from '../../store/store.ts'
import { answerFor } from '../../trust/answer-for.ts'
import { matchAnswer } from '../../trust/match-option.ts'
import { questionOf, type Spending, type Standing } from './limits.ts'

const tool = 'ask_decision'

const argumentsOf = (limit: BudgetLimit, where: Spending): string => JSON.stringify(questionOf(limit, where))

/** The turn that subagents work for: what people say about a limit holds for all of it. */
const homeOf = ({ session, turn }: Spending, parent?: ParentCall) =>
  parent === undefined ? { session, turn } : { session: parent.session, turn: parent.turn }

async function askedIn(db: Db, limit: BudgetLimit, where: Spending, parent?: ParentCall) {
  const asked = await requestsAlike(db, homeOf(where, parent), callHash(tool, argumentsOf(limit, where)))
  return asked.filter((one): one is QuestionRequest => one.kind === 'decision')
}

/** Anything else that people say, such as "no", stops the spending. */
const isYes = ({ option_ids, text }: QuestionAnswer): boolean => option_ids.includes('continue') || saysYes(text)

/** What people said about a limit in a turn, to whichever of its sessions asked them. One no is enough. */
export async function askedBefore(
  db: Db,
  limit: BudgetLimit,
  where: Spending,
  parent?: ParentCall,
): Promise<Standing['asked']> {
  const answers = (await askedIn(db, limit, where, parent)).flatMap(({ answer }) => answer ?? [])
  if (answers.length > 0) return answers.every(isYes) ? 'continue' : 'stop'
  // A question that could not be asked stops nobody.
  for (const { session, turn } of [homeOf(where, parent), where])
    if (await findCallWith(db, { id: turn, session }, tool, argumentsOf(limit, where))) return 'continue'
  return 'no'
}

/** Subagents that reach a soft limit side by side each ask. What people have said to one answers the others, too. */
export async function answerOthers(
  store: Store,
  limits: readonly BudgetLimit[],
  where: Spending,
  parent: ParentCall,
): Promise<void> {
  for (const limit of limits.filter(({ soft }) => soft !== undefined)) {
    const asked = await askedIn(store.db, limit, where, parent)
    const answered = asked.filter(({ answer }) => answer !== undefined)
    const { answer, answeredBy } = answered.find((one) => one.answer && !isYes(one.answer)) ?? answered[0] ?? {}
    if (answer === undefined) continue
    const chosen = isYes(answer) ? 'continue' : 'stop'
    for (const request of asked.filter(({ state }) => state === 'pending'))
      await store.transaction(async (tx) => {
        // Without the person's own words, which they may change or delete where they wrote them.
        const given = { ...matchAnswer(request.payload, chosen), by: answer.by }
        if (await answerFor(tx, request, given, answeredBy)) tx.wakes(request.session)
      })
  }
}
