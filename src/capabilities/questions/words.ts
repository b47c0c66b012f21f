import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about questions: titles of calls, and what a clarification is about. */
export const questionsWords = catalogue({
  asking: 'Asking: {question}',
  scope: 'This is about how far it should go.',
  scopeIn: 'This is about how far it should go. {context}',
  approach: 'This is about how to do it.',
  approachIn: 'This is about how to do it. {context}',
  prerequisite: 'This is about what has to be clear before I start.',
  prerequisiteIn: 'This is about what has to be clear before I start. {context}',
  priority: 'This is about what to do first.',
  priorityIn: 'This is about what to do first. {context}',
})
