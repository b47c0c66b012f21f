/** A command line that cannot be understood: exit code 2. `usage` says what there is. */
export class UsageFault extends Error {
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.name = 'UsageFault'
    this.usage = usage
  }
}
