import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { cleanWorkspaces, removals } from '../inbound/clean.ts'
import { measurePrune, pruneAll } from '../inbound/retention.ts'
import { systemClock } from '../kit/clock.ts'
import type { Amount, KeptKind } from '../store/retention.ts'
import { homeOf, idleSessions } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { metadataName } from '../workspace/metadata.ts'
import { workspacesIn } from '../workspace/workspaces.ts'

export interface Pruned {
  kinds: [KeptKind, Amount][]
  /** Threads with files that nobody uses any more. */
  workspaces: Amount
}

const dayMs = 86_400_000

/** Deletes at once what the bot deletes little by little, whether or not it runs; or only says what that would be. */
export async function prune(
  store: Store,
  { dataDir, keep }: Pick<Config, 'dataDir' | 'keep'>,
  { isDry, report }: { isDry: boolean; report: (thrown: unknown) => void },
): Promise<Pruned> {
  const deps = { store, clock: systemClock, keep }
  const workspaces = workspacesIn(join(dataDir, 'workspace'), report, {
    alone: (work) =>
      store.transaction(async (tx) => {
        await tx.alone(removals)
        await work()
      }),
  })
  const kinds = await measurePrune(deps)
  const { idleWorkspaceDays } = keep
  const idle = await idleSessions(store.db, systemClock.now() - idleWorkspaceDays * dayMs)
  const files = { rows: 0, bytes: 0 }
  for (const session of idle) {
    // What a removed workspace leaves is a record of that.
    const record = await stat(join(dataDir, 'workspace', homeOf(session), metadataName)).catch(() => undefined)
    const bytes = (await workspaces.size(session)) - (record?.size ?? 0)
    files.bytes += bytes
    if (bytes > 0) files.rows++
  }
  if (!isDry) {
    await pruneAll(deps)
    await cleanWorkspaces({ store, clock: systemClock, workspaces, idleWorkspaceDays })
  }
  return { kinds, workspaces: files }
}
