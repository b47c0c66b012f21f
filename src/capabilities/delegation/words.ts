import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about subagents: titles of calls. */
export const delegationWords = catalogue({
  subagent: 'Subagent: {task}',
})
