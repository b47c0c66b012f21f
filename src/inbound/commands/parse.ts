import { nearestName } from '../../kit/nearest.ts'
import type { Command } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

/** No command is longer. */
const longest = 400

/** Shorter names aren't guessed. */
const shortestGuessed = 4

export interface Parsed {
  command: Command
  argument: string
  isGuess: boolean
  hasSlash: boolean
}

/**
 * Reads a message as a session command. With a slash it always is one; a slightly misspelt name is one (`isGuess`) if
 * nothing follows it. Without, it must be the whole message, and the bot must be mentioned or alone with the person;
 * `stop` needs neither.
 */
export function parseCommand(text: string, addressed: boolean, commands: readonly Command[]): Parsed | undefined {
  const said = text.trim()
  if (said.length > longest) return undefined
  const [, slash, word = '', rest = ''] = /^(\/)?(?:bobbin\s+)?([a-z]{3,10})(?:\s+(.{1,300}))?[.!]?$/iu.exec(said) ?? []
  const name = word.toLowerCase()
  const argument = rest.trim()
  const exact = commands.find((one) => one.name === name)
  const command = exact ?? (slash && argument === '' ? misspelt(name, commands) : undefined)
  if (command === undefined) return undefined
  const plain = command.name === 'stop' && argument === ''
  if (slash === undefined && !addressed && !plain) return undefined
  if (argument !== '' && slash === undefined && !command.argument?.pattern.test(argument)) return undefined
  return { command, argument, isGuess: exact === undefined, hasSlash: slash !== undefined }
}

/** Stands in for a command with nearly this name: does nothing, and says which was probably meant. */
export function misspelt(name: string, commands: readonly Command[]): Command | undefined {
  const nearest = nearestName(
    name,
    commands.map((one) => one.name),
    shortestGuessed,
  )
  if (nearest === undefined) return undefined
  return {
    name,
    summary: '',
    argument: { name: '', pattern: /(?:)/ },
    about: 'channel',
    run: async () => inboundWords.misspeltCommand({ name, nearest }),
  }
}
