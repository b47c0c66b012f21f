import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about compositions: titles of calls. */
export const compositionsWords = catalogue({
  starting: 'Starting {name}',
})
