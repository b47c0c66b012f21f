import type { SessionId } from '../domain/ids.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import type { MeasuredWorkspace } from './workspace.ts'

/** How many are remembered. Opening again is cheap, but their queues should be shared. */
const kept = 500

/** The last used workspaces. */
export class OpenedWorkspaces {
  readonly #open: (session: Session) => Promise<MeasuredWorkspace>
  readonly #opened = new Map<SessionId, Promise<MeasuredWorkspace>>()

  constructor(open: (session: Session) => Promise<MeasuredWorkspace>) {
    this.#open = open
  }

  async get(session: Session): Promise<{ workspace: MeasuredWorkspace; isFirst: boolean }> {
    const id = homeOf(session)
    const before = this.#opened.get(id)
    const known = before ?? this.#open(session)
    this.#opened.delete(id)
    this.#opened.set(id, known)
    known.catch(() => this.#opened.delete(id))
    const oldest = this.#opened.keys().next().value
    if (this.#opened.size > kept && oldest !== undefined) this.#opened.delete(oldest)
    return { workspace: await known, isFirst: before === undefined }
  }

  forget(session: Session): void {
    this.#opened.delete(homeOf(session))
  }
}
