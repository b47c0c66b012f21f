import { basename } from 'node:path'
import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { fileType, headBytes, typeByName } from '../kit/files/type.ts'
import { changesOf, changingTurns, latestChanges } from '../store/changes.ts'
import type { Session } from '../store/sessions.ts'
import { chunksOf } from '../workspace/chunks.ts'
import { filesIn } from '../workspace/thread-files.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { streamed } from './streamed.ts'
import { sessionOf } from './who.ts'
import { apiWords } from './words.ts'

const mostFiles = 5_000
/** How many turns are listed, and changes of each. */
const mostTurns = 30
const mostChanges = 100
const chunkBytes = 4 * 1024 * 1024

/** A thread's files: listed, and downloaded in a way that nothing in them can act as a page of the console. */
export function fileRoutes(api: Api, deps: ApiDeps): void {
  api.get('/agent/conversations/:id/files', async (context) => {
    const session = await sessionOf(context, deps)
    const workspace = await deps.workspaces.open(session)
    const { turns, hasMoreTurns, changedIn } = await changesIn(deps, session)
    const files: object[] = []
    let hasMore = false
    for await (const { path, size, modifiedAt } of filesIn(workspace)) {
      if (files.length === mostFiles) {
        hasMore = true
        break
      }
      const modified_at = new Date(modifiedAt).toISOString()
      files.push({ path, size, type: typeByName(path), modified_at, changed_in: changedIn(path) })
    }
    return context.json({ files, has_more: hasMore, turns, has_more_turns: hasMoreTurns })
  })

  api.get('/agent/conversations/:id/files/:path{[\\s\\S]+}', async (context) => {
    const workspace = await deps.workspaces.open(await sessionOf(context, deps))
    const path = context.req.param('path')
    const entry = await fileAt(workspace, path)
    const type = await fileType(path, await workspace.readRange(path, 0, headBytes))
    context.header('Content-Type', type)
    context.header('Content-Length', String(entry.size))
    context.header('Content-Disposition', `attachment; filename*=UTF-8''${encoded(basename(path))}`)
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Content-Security-Policy', 'sandbox')
    // Other sites may not even show it, or run it as a script.
    context.header('Cross-Origin-Resource-Policy', 'same-origin')
    context.header('Cache-Control', 'no-store')
    return streamed(context, chunksOf(workspace, entry, chunkBytes), deps)
  })
}

/** The file at a requested path. Throws `not_found`, `path_refused`. */
export async function fileAt(workspace: Workspace, path: string): Promise<WorkspaceEntry> {
  const entry = await workspace.stat(path)
  if (entry?.kind === 'file') return entry
  throw new ApiError(
    404,
    'not_found',
    apiWords.unknownFile({ path: JSON.stringify(path) }),
    apiWords.unknownFileRemedy(),
  )
}

/** What the latest turns have changed, newest first, and which turn changed each file last. */
async function changesIn({ store: { db } }: ApiDeps, session: Session) {
  const [latest, all] = await Promise.all([latestChanges(db, session.id), changingTurns(db, session.id)])
  const described = new Map(
    all.map(({ turn, person, startedAt }) => [
      turn,
      { turn_id: turn, person, started_at: new Date(startedAt).toISOString() },
    ]),
  )
  const turns = await Promise.all(
    all.slice(0, mostTurns).map(async ({ turn, changes }) => ({
      ...described.get(turn),
      total: changes,
      changes: (await changesOf(db, session.id, turn, mostChanges)).map(({ path, change, size }) => ({
        path,
        change,
        size,
      })),
    })),
  )
  const changedIn = (path: string) => {
    const last = latest.get(path)
    return last === undefined ? null : { ...described.get(last.turn), change: last.change }
  }
  return { turns, hasMoreTurns: all.length > mostTurns, changedIn }
}

const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
