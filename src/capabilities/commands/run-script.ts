import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { refuseMask } from '../../kit/secrets/written-mask.ts'
import { needsInput } from '../../programs/closed.ts'
import type { CommandsContext } from '../../programs/context.ts'
import { insidePath } from '../../programs/inside-path.ts'
import { runInSandbox } from '../../programs/run.ts'
import { scriptImports } from './run/imports.ts'
import { inspecting } from './run/inspecting.ts'
import { commandsWords } from './words.ts'

const languages = {
  python: { name: 'Python', argv: (code: string) => ['python3', '-c', code] },
  node: { name: 'JavaScript', argv: (code: string) => ['node', '--input-type=module', '-e', code] },
  bash: { name: 'bash', argv: (code: string) => ['bash', '-c', code] },
}

const input = z.strictObject({
  language: z.enum(['python', 'node', 'bash']).describe('Its language; node is JavaScript, as a module'),
  code: z.string().min(1).max(100_000).describe('The whole script'),
  arguments: z.array(z.string().max(10_000)).max(50).default([]).describe('The arguments of the script'),
  directory: z.string().default('').describe('Where it runs, relative to the workspace'),
  needs: needsInput,
  timeout_ms: z.int().min(100).optional().describe('Limited by the configuration'),
})

export const runScript = defineTool({
  kind: 'run',
  name: 'run_script',
  description:
    'Runs a Python, Node or bash script in a sandbox, in the workspace, without network. Write to outputs/ (what people get) and temp/; the rest is read-only unless a person approves this call, and `~` is emptied afterwards. Returns its output and exit code. A person reads the code and approves it before it runs, so keep it short. Calls of one step run at the same time, so put what needs another’s result into a later step.',
  input,
  doing: ({ language }) => commandsWords.runningScript({ language: languages[language].name }),
  effect: 'external',
  runsPrograms: true,
  timeoutMs: 3_600_000,
  inspect: ({ language, code, directory, needs = [] }) => {
    if (language === 'bash') return { ...inspecting().inspectLine(code, directory), needs }
    const why = `what a ${languages[language].name} script does is not known before it runs`
    if (language === 'python') return { subjects: [], unclear: [why], needs }
    const { alongside, unclear } = scriptImports(insidePath(directory), code)
    return { subjects: [], unclear: [why, ...unclear], needs, alongside }
  },
  inspectFile: (...about) => inspecting().inspectScript(...about),
  source: ({ language }) => `the output of a ${languages[language].name} script`,
  check: ({ code, arguments: args }) => {
    refuseMask('code', code)
    for (const text of args) refuseMask('arguments', text)
  },
  run: ({ language, code, arguments: args, directory, timeout_ms }, context: CommandsContext) => {
    const argv = languages[language].argv(code)
    // bash takes the first word after the code as its own name.
    const words = language === 'bash' ? [...argv, 'script', ...args] : [...argv, ...args]
    return runInSandbox(words, { directory, timeoutMs: timeout_ms }, context.limits.sandbox.scriptTimeoutMs, context)
  },
})
