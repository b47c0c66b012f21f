import type { ApprovalAnswer, QuestionAnswer } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import { plainOwnWords } from '../kit/text/own-words.ts'
import { readCall } from '../store/calls.ts'
import type { Tx } from '../store/store.ts'

/** What begins like a name after an @, or like a file's after a #: no link, heading, number or colour. */
const name =
  /(?<![\w.+\-/@＠#])(?:[@＠][\p{L}\p{N}]|#(?![\d.]+(?![\p{L}\p{M}\p{N}_.-])|[\da-f]{3,8}(?![\p{L}\p{M}\p{N}_.-]))[\p{L}\p{N}_.])/iu

/** Whether words may name a tool, a skill, an agent or a file. */
export const mayName = (words: string): boolean => name.test(plainOwnWords(words))

/**
 * Whether a person's own words may name a tool, a skill or a file. Then the answer is read as their message too, like
 * any other. What a call asks while it runs is answered to that call alone.
 */
export async function isReadAsWell(tx: Tx, { call }: Request, words: string): Promise<boolean> {
  return mayName(words) && (await readCall(tx.db, call)).state !== 'started'
}

/** What a person wrote themselves. What they chose is in the words of whoever asked. */
export function ownWordsIn(value: ApprovalAnswer | QuestionAnswer): string {
  if ('decision' in value) return value.instead ?? ''
  const parts = value.declined ? [] : [value, ...(value.also ?? [])]
  return parts.flatMap(({ text, option_ids }) => (option_ids.length === 0 ? text : [])).join('\n')
}
