import { catalogue } from '../kit/words/catalogue.ts'

/** Why work in the background failed. */
export const jobsWords = catalogue({
  processEnded: 'The process ended while it was running.',
  notStored: 'Its beginning or its end couldn’t be stored.',
})
