import type { Capability } from '../../turn/capability.ts'
import { askClarification } from './ask-clarification.ts'
import { askDecision } from './ask-decision.ts'
import { askHuman } from './ask-human.ts'

const text = `- When something that you need is missing, or the choice is theirs, use ask_human: do not write a question into your answer.
- Use ask_decision at forks, before deletions, important settings, large or long work, and at steps that they marked.`

/** Asking people what only they can say. */
export const questions: Capability = {
  name: 'questions',
  tools: [askHuman, askDecision, askClarification],
  prompt: () => [{ name: 'Asking people', text }],
}
