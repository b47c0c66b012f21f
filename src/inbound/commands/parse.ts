import type { Command } from '../../turn/port/command.ts'

/** No command is longer. */
const longest = 400

/**
 * Reads a message as a session command. With a slash it always is one. Without, it must be the whole message, and the
 * bot must be mentioned or alone with the person; `stop` needs neither.
 */
export function parseCommand(
  text: string,
  addressed: boolean,
  commands: readonly Command[],
): { command: Command; argument: string } | undefined {
  const said = text.trim()
  if (said.length > longest) return undefined
  const [, slash, word = '', rest = ''] = /^(\/)?(?:bobbin\s+)?([a-z]{3,10})(?:\s+(.{1,300}))?[.!]?$/iu.exec(said) ?? []
  const command = commands.find(({ name }) => name === word.toLowerCase())
  if (command === undefined) return undefined
  const argument = rest.trim()
  const plain = command.name === 'stop' && argument === ''
  if (slash === undefined && !addressed && !plain) return undefined
  if (argument !== '' && slash === undefined && !command.argument?.pattern.test(argument)) return undefined
  return { command, argument }
}
