import { join } from 'node:path'
import type { SessionId } from '../domain/ids.ts'
import type { Workspace } from '../domain/workspace.ts'
import type { Session } from '../store/sessions.ts'
import { writeMetadata } from '../workspace/metadata.ts'
import { bytesIn, emptyFolder, removeWorkspace } from '../workspace/remove.ts'
import { openWorkspace } from '../workspace/workspace.ts'

/** The sessions' directories, below one. */
export interface Workspaces {
  open(session: Session): Promise<Workspace>
  /** Bytes of all files. */
  size(session: Session): Promise<number>
  /** Removes everything in one of the folders. */
  empty(session: Session, folder: 'temp'): Promise<void>
  /** Removes the directory unless `still` says no at the last moment. Resolves with its bytes; undefined when it stays, or is not there. */
  remove(session: Session, still: () => Promise<boolean>): Promise<number | undefined>
}

/** How many opened ones are remembered: opening again is cheap, but their queues should be shared. */
const kept = 500

export function workspacesIn(directory: string, report: (thrown: unknown) => void): Workspaces {
  const pathOf = (session: Session) => join(directory, session.id)
  const opened = new Map<SessionId, Promise<Workspace>>()

  async function open(session: Session): Promise<Workspace> {
    const workspace = await openWorkspace(pathOf(session))
    // For people who look at the disk: no turn waits for it.
    writeMetadata(workspace.root, {
      session: session.id,
      ...session.thread,
      person: session.person.id,
      created_at: new Date(session.createdAt).toISOString(),
    }).catch(report)
    return workspace
  }

  return {
    size: (session) => bytesIn(pathOf(session)),
    empty: (session, folder) => emptyFolder(pathOf(session), folder),
    remove(session, still) {
      opened.delete(session.id)
      return removeWorkspace(pathOf(session), still)
    },
    open(session) {
      const known = opened.get(session.id) ?? open(session)
      opened.delete(session.id)
      opened.set(session.id, known)
      known.catch(() => opened.delete(session.id))
      const oldest = opened.keys().next().value
      if (opened.size > kept && oldest !== undefined) opened.delete(oldest)
      return known
    },
  }
}
