import type { Request } from '../../../domain/request.ts'
import { outcomeOf } from '../../words/card-words.ts'
import { approvalCard } from './approval.ts'
import { decidedCard } from './decided.ts'
import type { CardContainer } from './elements.ts'
import { questionCard } from './question.ts'

/** A request as it is now: with its buttons while it waits, with who decided what and when afterwards. */
export function cardOf(request: Request): CardContainer {
  const outcome = outcomeOf(request)
  if (outcome !== undefined) return decidedCard(request, outcome)
  return request.kind === 'approval' ? approvalCard(request) : questionCard(request)
}
