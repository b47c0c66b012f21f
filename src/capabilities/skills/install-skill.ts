import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { SkillsContext } from './context.ts'
import { shownPackage } from './shown-package.ts'
import { skillsWords } from './words.ts'

const input = z.strictObject({
  path: z.string().min(1).max(1_000).describe('A zip archive with a skill, or a SKILL.md, in the workspace'),
  scope: z
    .enum(['channel', 'team'])
    .default('channel')
    .describe('Where it holds: in this channel, or in all channels of the team, if they said so'),
})

/** What is shown on the card is what gets installed: the file is bound to the approval. */
export const installSkill = defineTool<z.infer<typeof input>, SkillsContext>({
  kind: 'run',
  name: 'install_skill',
  onDemand: true,
  description: 'Installs a skill that a person sent. Only if they ask for it. They see what it contains and decide.',
  input,
  doing: ({ path }) => skillsWords.installing({ path }),
  effect: 'external',
  check: ({ scope }, { skills }) => skills.checkScope(scope),
  inspect: ({ path }) => ({
    subjects: [path],
    unclear: ['what a skill makes me do is up to whoever wrote it'],
    runs: [path],
    settled: false,
  }),
  showFile: ({ bytes }, { scope }, { skills }) =>
    shownPackage(bytes, skills.limits, (name) => skills.ownerOf(name, scope)),
  run: ({ path, scope }, { granted, skills }) => {
    const [file] = granted.pinned
    if (file === undefined) throw new Failure('not_found', `There is no file ${path}.`, 'Ask for it to be sent again.')
    return skills.install(file, scope)
  },
})
