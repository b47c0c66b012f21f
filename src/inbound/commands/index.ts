import type { Command } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'
import { clean } from './clean.ts'
import { deleting } from './delete.ts'
import { grants } from './grants.ts'
import { list } from './list.ts'
import { model } from './model.ts'
import { reset } from './reset.ts'
import { resume } from './resume.ts'
import { retry } from './retry.ts'
import { revoke } from './revoke.ts'
import { type Standing, statusWith } from './status.ts'
import { stop } from './stop.ts'
import { tools } from './tools.ts'
import { use } from './use.ts'
import { why } from './why.ts'

const others: Command[] = [list, resume, reset, deleting, model, use, stop, retry, clean, grants, revoke, tools, why]

/**
 * The session commands and those of capabilities, in the order `help` shows them. `standing`: what capabilities say
 * about a thread.
 */
export function sessionCommands(more: readonly Command[], standing: Standing = async () => []): readonly Command[] {
  const commands = [statusWith(standing), ...others, ...more]
  const help: Command = {
    name: 'help',
    summary: inboundWords.helpSummary(),
    about: 'channel',
    run: async () => helpText([help, ...commands]),
  }
  return [help, ...commands]
}

const helpText = (commands: readonly Command[]): string =>
  [
    inboundWords.helpIntro(),
    ...commands.map(({ name, argument, summary }) => {
      const usage = argument === undefined ? name : `${name} [${argument.name}]`
      return `- \`${usage}\` – ${summary}`
    }),
  ].join('\n')
