import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { refuseMask } from '../../kit/secrets/written-mask.ts'
import { needsInput } from '../../programs/closed.ts'
import type { CommandsContext } from '../../programs/context.ts'
import { runInSandbox } from '../../programs/run.ts'
import { inspecting } from './run/inspecting.ts'
import { commandsWords } from './words.ts'

const input = z.strictObject({
  command: z.string().min(1).max(20_000).describe('One bash command line, or several lines'),
  directory: z
    .string()
    .default('')
    .describe('Where it runs, relative to the workspace; the workspace itself by default'),
  needs: needsInput,
  timeout_ms: z.int().min(100).optional().describe('Limited by the configuration'),
})

export const runCommand = defineTool({
  kind: 'run',
  name: 'run_command',
  description:
    'Runs a bash command in a sandbox, in the workspace. Only outputs/ (what people get) and temp/ are writable unless a person approves, and `~` is emptied afterwards. No network. Returns output and exit code. A plain line of ls, cat, head, tail, wc, grep, find, cut, sort, uniq, tr, diff, stat, du, date, test and cd usually needs no approval: joined by |, && or ;, without line breaks, $ or \\. Put what belongs together into one command, and what needs another’s result into a later step.',
  input,
  doing: ({ command }) => commandsWords.running({ command }),
  effect: 'external',
  runsPrograms: true,
  // The sandbox's own limit comes first.
  timeoutMs: 3_600_000,
  inspect: ({ command, directory, needs = [] }) => ({ ...inspecting().inspectLine(command, directory), needs }),
  inspectFile: (...about) => inspecting().inspectScript(...about),
  source: ({ command }) => `the output of ${command.split('\n', 1)[0]?.slice(0, 80)}`,
  check: ({ command }) => refuseMask('command', command),
  run: ({ command, directory, timeout_ms }, context: CommandsContext) =>
    runInSandbox(
      ['bash', '-c', command],
      { directory, timeoutMs: timeout_ms },
      context.limits.sandbox.timeoutMs,
      context,
    ),
})
