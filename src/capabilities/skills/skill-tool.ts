import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { SkillsContext } from './context.ts'
import { skillsWords } from './words.ts'

const input = z.strictObject({ name: z.string().min(1).max(64).describe('One of the section “Skills”') })

/** Its results are kept when other results of tools are left out. */
export const skillTool = defineTool<z.infer<typeof input>, SkillsContext>({
  kind: 'run',
  name: 'skill',
  description: 'Loads a skill: its instructions become part of yours, and its files are in skills/<name>/.',
  input,
  doing: ({ name }) => skillsWords.loading({ name }),
  effect: 'write',
  inPlanMode: true,
  repeatable: true,
  skillOf: ({ name }) => name,
  run: ({ name }, { skills }) => skills.load(name),
})
