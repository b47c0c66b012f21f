import { setImmediate } from 'node:timers/promises'
import type { SessionId } from '../domain/ids.ts'
import type { Workspace } from '../domain/workspace.ts'
import { typeByName } from '../kit/files/type.ts'
import { endedCalls } from '../store/calls.ts'
import { readEvents } from '../store/events.ts'
import { listRequests } from '../store/list-requests.ts'
import type { Session } from '../store/sessions.ts'
import type { Db, Store } from '../store/store.ts'
import { filesIn } from '../workspace/thread-files.ts'
import { Entries, type Entry } from './entries.ts'

/** A whole thread: the JSON that is exported. */
export interface Exported {
  format: 'bobbin-thread'
  version: 1
  thread: {
    id: string
    title: string
    platform: string
    tenant_id: string
    project_id: string
    thread_id: string
    begun_by: string
    created_at: string
    updated_at: string
  }
  entries: Entry[]
  files: { path: string; size: number; type: string; modified_at: string }[]
}

const pageEvents = 500
/** Masking this many takes a few milliseconds. */
const entriesAtOnce = 20
const mostRequests = 1_000_000

export async function exportThread(
  store: Store,
  session: Session,
  workspace: Workspace | undefined,
): Promise<Exported> {
  const entries = new Entries()
  for (let next = 1; ; ) {
    const events = await readEvents(store.db, session.id, next, pageEvents)
    for (const event of events) entries.take(event)
    const last = events.at(-1)
    if (last === undefined || events.length < pageEvents) break
    next = last.event_id + 1
    // SQLite answers within the same turn of the event loop, so that a long thread would hold up everything else.
    await setImmediate()
  }
  await correctAnswers(entries, store.db, session.id)
  const files: Exported['files'] = []
  if (workspace !== undefined) {
    for await (const { path, size, modifiedAt } of filesIn(workspace, { all: true }))
      files.push({ path, size, type: typeByName(path), modified_at: new Date(modifiedAt).toISOString() })
  }
  const { platform, tenant, project, thread } = session.thread
  return {
    format: 'bobbin-thread',
    version: 1,
    thread: store.mask({
      id: session.id,
      title: session.title,
      platform,
      tenant_id: tenant,
      project_id: project,
      thread_id: thread,
      begun_by: session.person.name,
      created_at: new Date(session.createdAt).toISOString(),
      updated_at: new Date(session.updatedAt).toISOString(),
    }),
    entries: await masked(store, entries.all),
    files: store.mask(files),
  }
}

/** Once more, because some secrets may be known only since. */
async function masked(store: Store, entries: Entry[]): Promise<Entry[]> {
  const all: Entry[] = []
  for (let first = 0; first < entries.length; first += entriesAtOnce) {
    all.push(...store.mask(entries.slice(first, first + entriesAtOnce)))
    await setImmediate()
  }
  return all
}

/** Events keep a person's own words, also after their message was edited or deleted. */
async function correctAnswers(entries: Entries, db: Db, session: SessionId): Promise<void> {
  const requests = await listRequests(db, { state: 'answered', session, limit: mostRequests })
  const answered = requests.filter((one) => one.kind !== 'approval')
  const results = await endedCalls(
    db,
    answered.map(({ call }) => call),
  )
  for (const request of answered) entries.correct(request, results.get(request.call)?.result)
}
