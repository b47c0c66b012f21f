import { ownWords } from './own-words.ts'

const agrees =
  /^[^\p{L}\p{N}]{0,50}(yes|yeah|yep|y|ok|okay|sure|go on|go ahead|continue|keep going|ja|👍)(,? please)?[^\p{L}\p{N}]{0,50}$/iu

/** Whether a person's words say yes, and nothing else. */
export const saysYes = (text: string): boolean => agrees.test(ownWords(text))
