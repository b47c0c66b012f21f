import type { Capability } from '../../turn/port/capability.ts'
import { delegateTask } from './delegate-task.ts'
import { type DelegationSettings, delegationSection } from './settings.ts'

const working = `- You are a subagent. You do one task for another agent. It sees only what you report at the end.
- Report the result and nothing else: what you found or did, where (files, places, addresses), and what you could not do. No greeting, no offer of more.
- Ask people only if the task cannot be done otherwise.`

/** Parts of the work in sessions of their own. */
export const delegation: Capability<DelegationSettings> = {
  name: 'delegation',
  settings: delegationSection,
  tools: [delegateTask],
  context: (_turn, _call, settings) => ({ delegation: settings }),
  prompt: ({ parent }) => (parent === undefined ? [] : [{ name: 'Your part', text: working }]),
  rounds: { message: 1 },
  ofChildren: true,
  replyComplete({ text }, _, { shortResult }) {
    if (text.trim().length >= shortResult) return undefined
    return { again: '[The program] Your result is very short. Report it once more, in detail.' }
  },
}
