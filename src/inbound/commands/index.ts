import { alarm, alarms } from './alarm.ts'
import { clean } from './clean.ts'
import type { Command } from './command.ts'
import { deleting } from './delete.ts'
import { files } from './files.ts'
import { grants } from './grants.ts'
import { list } from './list.ts'
import { model } from './model.ts'
import { reset } from './reset.ts'
import { resume } from './resume.ts'
import { retry } from './retry.ts'
import { revoke } from './revoke.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { why } from './why.ts'

const others: Command[] = [
  status,
  list,
  resume,
  reset,
  deleting,
  model,
  alarm,
  alarms,
  stop,
  retry,
  files,
  clean,
  grants,
  revoke,
  why,
]

const help: Command = {
  name: 'help',
  summary: 'this list',
  about: 'channel',
  run: async () =>
    [
      'Mention me with what you want, and go on in the thread. Attach files, as many as you like. These words do more:',
      ...[help, ...others].map(({ name, argument, summary }) => {
        const usage = argument === undefined ? name : `${name} [${argument.name}]`
        return `- \`${usage}\` – ${summary}`
      }),
    ].join('\n'),
}

/** The session commands (W5), in the order in which `help` shows them. */
export const commands: readonly Command[] = [help, ...others]
