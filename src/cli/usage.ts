/** An invalid command line: exit code 2. `usage` says what is possible. */
export class UsageFault extends Error {
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.name = 'UsageFault'
    this.usage = usage
  }
}

/** For a command that takes no arguments. */
export function takesNone(command: string, args: readonly string[]): void {
  if (args.length > 0) throw new UsageFault(`${command} takes no arguments.`, `Usage: ${command}`)
}
