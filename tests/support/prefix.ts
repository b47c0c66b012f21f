import type { RequestBody } from './model-request-check.ts'

/** A request as a provider's prefix cache sees it: tools, then messages, in the order they were sent. */
export const serialised = ({ tools, messages }: RequestBody): string =>
  JSON.stringify(tools ?? []) + messages.map((one) => JSON.stringify(one)).join('')

/** How many characters of the second are an equal prefix of the first. */
export function sharedPrefix(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
