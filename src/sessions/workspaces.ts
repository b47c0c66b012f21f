import { join } from 'node:path'
import type { SessionId } from '../domain/ids.ts'
import type { Workspace } from '../domain/workspace.ts'
import type { Session } from '../store/sessions.ts'
import { writeMetadata } from '../workspace/metadata.ts'
import { openWorkspace } from '../workspace/workspace.ts'

/** The sessions' directories, below one. */
export interface Workspaces {
  open(session: Session): Promise<Workspace>
}

/** How many opened ones are remembered: opening again is cheap, but their queues should be shared. */
const kept = 500

export function workspacesIn(directory: string, report: (thrown: unknown) => void): Workspaces {
  const opened = new Map<SessionId, Promise<Workspace>>()

  async function open(session: Session): Promise<Workspace> {
    const workspace = await openWorkspace(join(directory, session.id))
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
