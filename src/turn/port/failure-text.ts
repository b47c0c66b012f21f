import { Failure, reasonOf } from '../../kit/failure.ts'
import { asUnavailable } from '../../kit/unavailable.ts'

/** How a failed call's result tells the model what went wrong. */
export function failureText(thrown: unknown): string {
  const known = thrown instanceof Failure ? thrown : asUnavailable(thrown)
  const remedy = known !== undefined && known.remedy !== '' ? ` ${known.remedy}` : ''
  const reason = reasonOf(known ?? thrown)
  return `Error: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}${remedy}`
}
