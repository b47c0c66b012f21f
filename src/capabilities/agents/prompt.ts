import type { PromptSection } from '../../turn/capability.ts'
import type { Agent } from './settings.ts'

/** The agent that works now, as a section of the prompt. Its tools are the ones that the model is offered. */
export function sectionOf({ name, description, prompt, skills }: Agent): PromptSection {
  const lines = [
    `You work as the agent ${name} now: ${description}`,
    prompt,
    ...(skills === undefined || skills.length === 0 ? [] : [`Of the skills, you can load only: ${skills.join(', ')}.`]),
    'You have fewer tools than the thread. If the work needs another one, hand over if you can, or say what is missing. People get Bobbin itself back by saying `agents off`.',
  ]
  return { name: 'Agent', text: lines.join('\n') }
}
