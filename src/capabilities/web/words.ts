import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about the web: titles of calls. */
export const webWords = catalogue({
  searching: 'Searching the web for “{query}”',
  reading: 'Reading {url}',
})
