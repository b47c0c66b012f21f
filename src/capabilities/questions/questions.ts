import type { Capability } from '../../turn/capability.ts'
import { askClarification } from './ask-clarification.ts'
import { askDecision } from './ask-decision.ts'
import { askHuman } from './ask-human.ts'

const text = `- When a choice is the person's to make, or something that you need is missing, use ask_human or ask_decision instead of writing a question into your answer.
- Before deleting, before changing important settings, before large or long work, and at steps that the person marked, use ask_decision.`

/** Asking people what only they can say. */
export const questions: Capability = {
  name: 'questions',
  tools: [askHuman, askDecision, askClarification],
  prompt: () => [{ name: 'Asking people', text }],
}
