import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about tools that are loaded later: titles of calls. */
export const moreToolsWords = catalogue({
  getting: 'Getting tools: {names}',
})
