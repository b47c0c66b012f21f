import { join } from 'node:path'
import type { SessionId } from '../domain/ids.ts'
import type { JsonObject } from '../kit/json.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import type { Amount } from './count.ts'
import { type LateWorkspace, lateWorkspace } from './late.ts'
import { type Cleaned, readCleaned, writeCleaned, writeMetadata } from './metadata.ts'
import { OpenedWorkspaces } from './opened.ts'
import { keyedQueue } from './queue.ts'
import {
  type Alone,
  bytesIn,
  deleteWorkspace,
  emptyFolder,
  removeWorkspace,
  sweepRemoved,
  type WhileIdle,
} from './remove.ts'
import { type MeasuredWorkspace, openWorkspace } from './workspace.ts'

/** The directories of all sessions. A child works in its parent's. */
export interface Workspaces {
  /** With all its folders in place. */
  open(session: Session): Promise<MeasuredWorkspace>
  /** The same, but opened on first use. */
  late(session: Session): LateWorkspace
  /** Bytes of all files. */
  size(session: Session): Promise<number>
  /** Removes everything in one of the folders. */
  empty(session: Session, folder: 'temp'): Promise<void>
  /**
   * Removes the directory if `whileIdle` lets it. Resolves with what was in it; undefined when it stays, or there was
   * nothing. If there were files, `cleaned` reports them afterwards.
   */
  remove(session: Session, whileIdle: WhileIdle, why: { at: number; days: number }): Promise<Amount | undefined>
  /** Removes the directory of a deleted session, without leaving a record. */
  delete(session: Session): Promise<void>
  /** When its files were last removed, if ever. */
  cleaned(session: Session): Promise<Cleaned | undefined>
  /** Completes removals that a crash of any process interrupted. */
  sweep(): Promise<void>
}

interface Kept {
  /** Applies to each of them. */
  quota?: Amount
  /** Keeps removals of other processes away. */
  alone?: Alone
  /** Throws if another process has taken over: a frozen one that wakes up must not write over what that has written. */
  mayWrite?: (session: SessionId) => Promise<void>
}

export function workspacesIn(
  directory: string,
  report: (thrown: unknown) => void,
  { quota, alone, mayWrite }: Kept = {},
): Workspaces {
  const pathOf = (session: Session) => join(directory, homeOf(session))
  const removalQueue = keyedQueue()
  /** While a workspace is moved aside, nobody may create another in its place. */
  const oneByOne = keyedQueue()
  const sweep = () => removalQueue('removals', () => sweepRemoved(directory, alone))
  let firstSweep: Promise<void> | undefined
  const swept = () => {
    firstSweep ??= sweep().catch(report)
    return firstSweep
  }

  /** Waits for removals: a workspace opened during one would be created in its place, and its files lost. */
  async function open(session: Session): Promise<MeasuredWorkspace> {
    await swept()
    const options = { report, ...(quota && { quota }), ...(mayWrite && { mayWrite: () => mayWrite(session.id) }) }
    const workspace = await oneByOne(homeOf(session), () => openWorkspace(pathOf(session), options))
    // This is for people who look at the disk, so no turn waits for it.
    if (session.parent === undefined)
      oneByOne(session.id, () => writeMetadata(workspace.root, metadataOf(session))).catch(report)
    return workspace
  }

  async function remove(
    session: Session,
    whileIdle: WhileIdle,
    why: { at: number; days: number },
  ): Promise<Amount | undefined> {
    const root = pathOf(session)
    const before = await readCleaned(root)
    const mark = async (removed: Amount) => {
      const cleaned = removed.files === 0 ? before : { ...removed, ...why }
      if (cleaned !== undefined) await writeCleaned(root, metadataOf(session), cleaned)
    }
    return removeWorkspace(root, whileIdle, mark, report)
  }

  const opened = new OpenedWorkspaces(open)
  const openOnce = async (session: Session): Promise<MeasuredWorkspace> => {
    const { workspace, isFirst } = await opened.get(session)
    // A command, or somebody at the disk, may have removed its folders since.
    if (!isFirst) await oneByOne(homeOf(session), () => workspace.mend())
    return workspace
  }

  return {
    open: openOnce,
    late: (session) => lateWorkspace(pathOf(session), () => openOnce(session)),
    size: (session) => bytesIn(pathOf(session)),
    empty: (session, folder) => emptyFolder(pathOf(session), folder),
    cleaned: (session) => oneByOne(homeOf(session), () => readCleaned(pathOf(session))),
    async sweep() {
      await swept()
      await sweep()
    },
    async remove(session, whileIdle, why) {
      await swept()
      return removalQueue('removals', async () => {
        // Anybody who opens it from here on waits for the removal and gets a new one.
        opened.forget(session)
        return oneByOne(homeOf(session), () => remove(session, whileIdle, why))
      })
    },
    async delete(session) {
      await swept()
      await removalQueue('removals', async () => {
        opened.forget(session)
        await oneByOne(homeOf(session), () => deleteWorkspace(pathOf(session)))
      })
    },
  }
}

/** The same, but calls `gone` for each session whose files are removed. */
export const telling = (workspaces: Workspaces, gone: (session: Session) => void): Workspaces => ({
  ...workspaces,
  async remove(session, ...how) {
    const removed = await workspaces.remove(session, ...how)
    if (removed !== undefined) gone(session)
    return removed
  },
  async delete(session) {
    await workspaces.delete(session)
    gone(session)
  },
})

const metadataOf = (session: Session): JsonObject => ({
  session: session.id,
  ...session.thread,
  person: session.person.id,
  created_at: new Date(session.createdAt).toISOString(),
})
