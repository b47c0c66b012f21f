import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
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
    'Runs a bash command in a sandbox, in the workspace. Write to outputs/ (what people get) and temp/; the rest is read-only unless a person approves this call, and `~` is emptied afterwards. There is no network. Returns its output and exit code. A plain line of ls, cat, head, tail, wc, grep, find, cut, paste, sort, uniq, nl, tr, od, cmp, comm, diff, stat, file, du, df, sha256sum, realpath, echo, date, test, pwd and cd usually needs no approval: joined by |, && or ;, with output only to outputs/ or temp/ (none with cd), and without line breaks or, outside single quotes, $, backslashes, || or #. Anything else usually does, also find -delete, find -exec and sort -o. Put what belongs together into one command. Calls of one step run at the same time, so put what needs another’s result into a later step.',
  input,
  doing: ({ command }) => commandsWords.running({ command }),
  effect: 'external',
  runsPrograms: true,
  // The sandbox's own limit comes first.
  timeoutMs: 3_600_000,
  inspect: ({ command, directory, needs = [] }) => ({ ...inspecting().inspectLine(command, directory), needs }),
  inspectFile: (...about) => inspecting().inspectScript(...about),
  source: ({ command }) => `the output of ${command.split('\n', 1)[0]?.slice(0, 80)}`,
  run: ({ command, directory, timeout_ms }, context: CommandsContext) =>
    runInSandbox(
      ['bash', '-c', command],
      { directory, timeoutMs: timeout_ms },
      context.limits.sandbox.timeoutMs,
      context,
    ),
})
