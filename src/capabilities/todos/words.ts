import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about the to-do list: titles of calls. */
export const todosWords = catalogue({
  looking: 'Looking at the to-do list',
  updating: 'Updating the to-do list',
})
