import type { Capability } from '../../turn/capability.ts'
import { askClarification } from './ask-clarification.ts'
import { askDecision } from './ask-decision.ts'
import { askHuman } from './ask-human.ts'

/** Asking people what only they can say. */
export const questions: Capability = { name: 'questions', tools: [askHuman, askDecision, askClarification] }
