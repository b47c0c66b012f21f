import { nearestName } from '../../kit/nearest.ts'
import type { Command } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

/** No command is longer. */
const longest = 400

/**
 * Reads a message as a session command. With a slash it always is one. Without, it must be the whole message, and the
 * bot must be mentioned or alone with the person; `stop` needs neither. A misspelt one that stands alone with a slash
 * says what was meant.
 */
export function parseCommand(
  text: string,
  addressed: boolean,
  commands: readonly Command[],
): { command: Command; argument: string } | undefined {
  const said = text.trim()
  if (said.length > longest) return undefined
  const [, slash, word = '', rest = ''] = /^(\/)?(?:bobbin\s+)?([a-z]{3,10})(?:\s+(.{1,300}))?[.!]?$/iu.exec(said) ?? []
  const name = word.toLowerCase()
  const argument = rest.trim()
  const mayBeMisspelt = slash !== undefined && addressed && argument === ''
  const command = commands.find((one) => one.name === name) ?? (mayBeMisspelt ? misspelt(name, commands) : undefined)
  if (command === undefined) return undefined
  const plain = command.name === 'stop' && argument === ''
  if (slash === undefined && !addressed && !plain) return undefined
  if (argument !== '' && slash === undefined && !command.argument?.pattern.test(argument)) return undefined
  return { command, argument }
}

/** In a command's name of four letters, too, one typo is clear enough: nothing is done, only said. */
const shortest = 4

function misspelt(name: string, commands: readonly Command[]): Command | undefined {
  const names = commands.map((one) => one.name)
  const meant = nearestName(name, names, shortest)
  if (meant === undefined) return undefined
  return { name, summary: '', about: 'channel', run: async () => inboundWords.misspeltCommand({ name, meant }) }
}
