import { parseJson } from '../../kit/json.ts'
import type { Reply } from '../../kit/model/model.ts'
import { turnWords } from './words.ts'

type Called = Reply['calls'][number]

/** What stands for the arguments of a call in the middle of which the reply was cut. It isn't JSON, so nothing runs. */
const cutOff = { length: '(cut off at the output limit)', filter: '(cut off by the content filter)' } as const

/** A reply's calls. If it was cut, the last one may not be whole, and what there is of it is of no use. */
export function callsIn({ calls, finish }: Reply): Called[] {
  const last = calls.at(-1)
  if ((finish !== 'length' && finish !== 'filter') || last === undefined || isWhole(last)) return calls
  return [...calls.slice(0, -1), { ...last, arguments: cutOff[finish] }]
}

function isWhole(call: Called): boolean {
  try {
    parseJson(call.arguments)
    return true
  } catch {
    return false
  }
}

/** Whether the reply was cut in the middle of this call. */
export const isCutOff = (call: Pick<Called, 'arguments'>): boolean =>
  Object.values<string>(cutOff).includes(call.arguments)

/** For the model, what is wrong with a call's arguments if they are no JSON. */
export function whyNoJson(written: string, { message }: SyntaxError): string {
  if (written === cutOff.length) return turnWords.callCut()
  if (written === cutOff.filter) return turnWords.callFiltered()
  return `the arguments are not JSON (${message}). Send one JSON object.`
}
