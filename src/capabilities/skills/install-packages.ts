import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { SkillsContext } from './context.ts'
import { packageFiles } from './packages.ts'
import { skillsWords } from './words.ts'

const input = z.strictObject({
  skill: z
    .string()
    .regex(/^[\p{L}\p{N}-]{1,64}$/u)
    .describe('A skill that is loaded in this thread'),
  file: z.enum(packageFiles).describe('The file of the skill that names them'),
})

/** Once for all threads. A person sees the file and decides. */
export const installSkillPackages = defineTool<z.infer<typeof input>, SkillsContext>({
  kind: 'run',
  name: 'install_skill_packages',
  onDemand: true,
  description: 'Installs packages a skill needs. A person has to approve it.',
  input,
  doing: ({ skill }) => skillsWords.installingPackages({ skill }),
  effect: 'external',
  timeoutMs: 600_000,
  skillOf: ({ skill }) => skill,
  inspect: ({ skill, file }) => ({
    subjects: [`${skill}/${file}`],
    unclear: ['what packages of others do is up to whoever wrote them'],
    runs: [`skills/${skill}/${file}`],
    settled: false,
  }),
  inspectFile: () => ({ subjects: [], unclear: [] }),
  run: ({ skill, file }, context) => {
    const [pinned] = context.granted.pinned
    if (pinned === undefined) {
      throw new Failure('no_packages', `${skill} has no ${file}.`, 'Load the skill first, if it isn’t.')
    }
    return context.skills.installPackages(skill, { file, bytes: pinned.bytes }, context)
  },
})
