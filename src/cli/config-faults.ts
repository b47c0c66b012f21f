import type { Complaint } from '../config/config.ts'

/** The configuration is invalid, so nothing was started. */
export class ConfigFaults extends Error {
  readonly complaints: Complaint[]

  constructor(complaints: Complaint[]) {
    super('the configuration has faults')
    this.complaints = complaints
  }
}
