import type { SessionId } from './ids.ts'

/** Liveness only: it may run a session late, twice or for nothing. Safety is in the store. */
export interface Engine {
  start(run: (session: SessionId, signal: AbortSignal) => Promise<void>): Promise<void>
  /** After the caller's commit. A session runs once at a time; a wake while it runs is another run after it. */
  wake(session: SessionId): void
  /** Ends the current run of a session at once, if this process has it. */
  interrupt(session: SessionId): void
  /** Lets runs end between two steps, for at most `graceMs`; then they are aborted and go on in the next process. */
  stop(graceMs: number): Promise<void>
  /** Aborted when `stop` was called. */
  readonly leaving: AbortSignal
}
