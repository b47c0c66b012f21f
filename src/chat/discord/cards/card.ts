import type { Request } from '../../../domain/request.ts'
import type { CardContainer } from '../page.ts'
import { approvalCard } from './approval.ts'
import { decidedCard } from './decided.ts'
import { questionCard } from './question.ts'

/** A request as it is now: with its buttons while it waits, with who decided what and when afterwards. */
export function cardOf(request: Request): CardContainer {
  if (request.state !== 'pending') return decidedCard(request)
  return request.kind === 'approval' ? approvalCard(request) : questionCard(request)
}
