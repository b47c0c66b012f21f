import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about context: answers to commands, complaints, findings. */
export const contextWords = catalogue({
  // commands
  practiceModelCantSummarise: 'The practice model can’t summarise.',
  setUpModelFirst: 'Set up a model first.',
  imSummarisingOlderMessages: 'I’m summarising the older messages. I’ll tell you here when that’s done.',
  longResultsBeforeNumber: 'Long results before number {prunedTo} are left out.',
})
