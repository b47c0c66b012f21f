import { nearestName } from '../kit/nearest.ts'

/** An invalid command line: exit code 2. `usage` says what is possible. */
export class UsageFault extends Error {
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.name = 'UsageFault'
    this.usage = usage
  }
}

/** For a command that takes no arguments. `remedy`: what sets what somebody may want to set with one. */
export function takesNone(command: string, args: readonly string[], remedy?: string): void {
  if (args.length === 0) return
  const fact = `${command} takes no arguments.`
  throw new UsageFault(remedy === undefined ? fact : `${fact} ${remedy}`, `Usage: ${command}`)
}

/** The fewest letters of a command, subcommand or option whose name is guessed. */
const leastLetters = 4

/** The command, subcommand or option that was probably meant. */
export const nearestWord = (written: string, names: readonly string[]): string | undefined =>
  nearestName(written, names, leastLetters)

/** The subcommand or option in `usage` that an argument nearly names. */
export function meantIn(usage: string, command: string, args: readonly string[]): string | undefined {
  const options = usage.match(/--[a-z][a-z-]*/g) ?? []
  const subcommands = Array.from(usage.matchAll(new RegExp(`\\b${command} ([a-z]+)`, 'g')), ([, name = '']) => name)
  const named = args.map((written, place) => {
    const isOption = written.startsWith('--')
    const [name = ''] = isOption ? written.split('=') : [written]
    const names = isOption ? options : place === 0 ? subcommands : []
    return names.includes(name) ? undefined : nearestWord(name, names)
  })
  return named.find((name) => name !== undefined)
}
