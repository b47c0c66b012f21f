/** A write of a turn whose lease another process holds by now. It ends the work quietly: nothing was written. */
export class LeaseLost extends Error {
  constructor(session: string) {
    super(`another process runs session ${session} now`)
    this.name = 'LeaseLost'
  }
}
