/** Another process now holds the lease of this turn, so nothing was written. It ends the work quietly. */
export class LeaseLost extends Error {
  constructor(session: string) {
    super(`another process runs session ${session} now`)
    this.name = 'LeaseLost'
  }
}
