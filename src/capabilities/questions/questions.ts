import type { Capability } from '../../turn/port/capability.ts'
import { askClarification } from './ask-clarification.ts'
import { askDecision } from './ask-decision.ts'
import { askHuman } from './ask-human.ts'

const text = `- When you lack something, or the choice is theirs, use ask_human: do not put questions in your answer.
- Use ask_decision at forks, before deletions, important settings, large or long work, and at steps they asked you to confirm.`

/** Asking people what only they can say. */
export const questions: Capability = {
  name: 'questions',
  tools: [askHuman, askDecision, askClarification],
  prompt: () => [{ name: 'Asking people', text }],
}
