import { posix } from 'node:path'
import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { refuseMask } from '../../kit/secrets/written-mask.ts'
import { needsInput } from '../../programs/closed.ts'
import { runInSandbox } from '../../programs/run.ts'
import type { SkillsContext } from './context.ts'
import { packagesFolder } from './session-skills.ts'
import { importsOf, isShipped } from './shipped-script.ts'
import { skillsWords } from './words.ts'

const programs: Record<string, string> = {
  '.mjs': 'node',
  '.cjs': 'node',
  '.js': 'node',
  '.py': 'python3',
  '.sh': 'bash',
}

/** Whether the tool can run it. */
export const isScript = (path: string): boolean => Object.hasOwn(programs, posix.extname(path))

const input = z.strictObject({
  skill: z
    .string()
    .regex(/^[\p{L}\p{N}-]{1,64}$/u)
    .describe('A skill that is loaded in this thread'),
  script: z
    .string()
    .regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/)
    .max(200)
    .describe('Its path in the folder of the skill, such as scripts/merge.mjs'),
  arguments: z.array(z.string().max(20_000)).max(100).default([]).describe('Paths are relative to the workspace'),
  needs: needsInput,
  timeout_ms: z.int().min(100).optional().describe('Limited by the configuration'),
})

const pathOf = ({ skill, script }: { skill: string; script: string }): string => `skills/${skill}/${script}`

/** Scripts that come with Bobbin run unasked, in the closed sandbox; others are shown to a person first. */
export const runSkillScript = defineTool<z.infer<typeof input>, SkillsContext>({
  kind: 'run',
  name: 'run_skill_script',
  onDemand: true,
  description:
    'Runs a script of a skill. It runs in a sandbox, in the workspace, without network, and can write to outputs/ and temp/.',
  input,
  doing: ({ skill, script }) => skillsWords.running({ script, skill }),
  effect: 'write',
  runsPrograms: true,
  skillOf: ({ skill }) => skill,
  timeoutMs: 3_600_000,
  inspect: ({ skill, script, arguments: words, needs = [] }) => ({
    subjects: [[`${skill}/${script}`, ...words].join(' ')],
    unclear: [],
    ours: true,
    needs,
    runs: [pathOf({ skill, script })],
  }),
  inspectFile: (path, text) =>
    isShipped(path, text)
      ? { subjects: [], unclear: [], ours: true, alongside: importsOf(path, text) }
      : { subjects: [], unclear: [`what ${path} does is not known before it runs`], imports: true },
  check: ({ arguments: words }) => {
    for (const text of words) refuseMask('arguments', text)
  },
  source: ({ skill, script }) => `the output of ${script} of the skill ${skill}`,
  run: async ({ skill, script, arguments: words, timeout_ms }, context) => {
    const program = programs[posix.extname(script)]
    if (program === undefined) {
      const remedy = `There are scripts for ${Object.keys(programs).join(', ')}.`
      throw new Failure('no_script', `${script} isn’t a script I can run.`, remedy)
    }
    const path = pathOf({ skill, script })
    if ((await context.workspace.stat(path))?.kind !== 'file') {
      const remedy = `Load the skill first, and see list_files skills/${skill}.`
      throw new Failure('no_script', `There is no script ${path}.`, remedy)
    }
    const { pinned } = context.granted
    // What runs unasked as ours must not get the packages of a skill that only has its name.
    const isOurs = pinned.every((one) => isShipped(one.path, Buffer.from(one.bytes).toString()))
    const { missing, ...found } = isOurs
      ? { missing: [], packages: packagesFolder }
      : await context.skills.packagesOf(skill)
    const said = await runInSandbox(
      [program, path, ...words],
      { directory: '', timeoutMs: timeout_ms, ...found },
      context.limits.sandbox.scriptTimeoutMs,
      context,
    )
    const notes = missing.map(
      (file) => `[The packages of ${file} are not installed; install_skill_packages does that.]\n`,
    )
    return `${notes.join('')}${said}`
  },
})
