import type { SessionId } from './ids.ts'

/** `took` is told under which epoch it holds the session, as soon as it does. */
export type Run = (session: SessionId, signal: AbortSignal, took: (epoch: number) => void) => Promise<void>

/** Decides only when a session runs: it may run one late, twice or for nothing. The store keeps that safe. */
export interface Engine {
  start(run: Run): Promise<void>
  /** Call after the commit. A session runs once at a time; a wake during a run causes another run after it. */
  wake(session: SessionId): void
  /** Ends a session's current run at once, if this process has it. */
  interrupt(session: SessionId): void
  /**
   * Lets runs end between two steps, for at most `graceMs`. Then they are aborted, and the next process continues them.
   */
  stop(graceMs: number): Promise<void>
  /** After this nothing can be woken. What is heard while this process leaves, others do. */
  close(): Promise<void>
  /** Aborted by `stop`. */
  readonly leaving: AbortSignal
}
