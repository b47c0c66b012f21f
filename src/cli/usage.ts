/** An invalid command line: exit code 2. `usage` says what is possible. */
export class UsageFault extends Error {
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.name = 'UsageFault'
    this.usage = usage
  }
}
