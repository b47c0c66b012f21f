import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about context: answers to commands, complaints, findings. */
export const contextWords = catalogue({
  // titles of calls
  lookingBack: 'Looking into earlier messages',
  makingRoom: 'Making room in the context',
  summarising: 'Summarising {path}',
  summarisingText: 'Summarising a text',

  // commands
  practiceModelCantSummarise: 'The practice model can’t summarise.',
  setUpModelFirst: 'Set up a model first.',
  imSummarisingOlderMessages: 'I’m summarising the older messages. I’ll tell you here when that’s done.',
  longResultsBeforeNumber: 'Long results before number {prunedTo} are left out.',
})
