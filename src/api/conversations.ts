import type { SessionEvent } from '../domain/events.ts'
import { lastStored, readEvents } from '../store/events.ts'
import { countPending, pendingRequests } from '../store/list-requests.ts'
import { latestAsking } from '../store/messages.ts'
import type { Session } from '../store/sessions.ts'
import { countTurns, lastTurn, lastTurns, openTurn, type StoredTurn } from '../store/turns.ts'
import { withinBytes } from '../store/within-bytes.ts'
import { resumeTurn } from '../turn/state/resume.ts'
import { stopTurn } from '../turn/state/stop.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { follow } from './follow.ts'
import { eventsQuery, streamQuery } from './schemas.ts'
import { personIn, sessionOf, speaker } from './who.ts'
import { apiWords } from './words.ts'

export function conversationRoutes(api: Api, deps: ApiDeps): void {
  const { store } = deps

  api.get('/agent/conversations/:id', async (context) =>
    context.json((await shapes(deps, [await sessionOf(context, deps)]))[0]),
  )

  api.get('/agent/conversations/:id/events', async (context) => {
    const session = await sessionOf(context, deps)
    const { from_sequence, limit } = checked(eventsQuery, context.req.query())
    const { rows, hasMore } = await withinBytes<SessionEvent>(limit, (last, most) =>
      readEvents(store.db, session.id, last === undefined ? from_sequence : last.event_id + 1, most),
    )
    return context.json({ events: rows, has_more: hasMore })
  })

  api.get('/agent/conversations/:id/stream', async (context) => {
    const session = await sessionOf(context, deps)
    const header = context.req.header('last-event-id')
    const query = checked(streamQuery, header === undefined ? context.req.query() : { last_event_id: header })
    const last = query.last_event_id ?? 0
    // Numbers are never given again, except by a database that was restored.
    if (last > session.lastEvent)
      throw new ApiError(409, 'history_changed', apiWords.historyChanged(), apiWords.historyChangedRemedy())
    return eventStream(context, deps, (signal) => follow(deps, session.id, last + 1, signal))
  })

  api.get('/agent/conversations/:id/execution-status', async (context) => {
    const session = await sessionOf(context, deps)
    const last = (await lastStored(store.db, [session.id])).get(session.id)
    const turn = await openTurn(store.db, session.id)
    const pending = (await pendingRequests(store.db, session.id)).length
    const asked = turn && (await latestAsking(store.db, session.id))
    return context.json({
      is_running: turn !== undefined,
      state: stateOf(turn ?? (await lastTurn(store.db, session.id)), pending, deps),
      last_sequence: last ?? 0,
      current_message: asked?.text ?? null,
    })
  })
}

export function stoppingRoutes(api: Api, deps: ApiDeps): void {
  const { store, engine } = deps

  api.post('/agent/conversations/:id/stop', async (context) => {
    const session = await sessionOf(context, deps)
    const person = personIn(session, await speaker(context, deps))
    const stopped = await store.transaction((tx) => stopTurn(tx, session.id, person, deps.liveTexts))
    if (stopped) engine.interrupt(session.id)
    engine.wake(session.id)
    return context.json({ stopped })
  })

  api.post('/agent/conversations/:id/resume', async (context) => {
    const session = await sessionOf(context, deps)
    const person = personIn(session, await speaker(context, deps))
    const outcome = await store.transaction((tx) => resumeTurn(tx, session.id, person))
    if (outcome === 'resumed') engine.wake(session.id)
    if (outcome === 'nothing-to-resume') {
      throw new ApiError(404, 'nothing_to_resume', apiWords.nothingToResume(), apiWords.nothingToResumeRemedy())
    }
    if (outcome === 'waits-for-a-person') {
      throw new ApiError(409, 'waits_for_a_person', apiWords.waitsForPerson(), apiWords.waitsForPersonRemedy())
    }
    return context.json({ status: 'resumed' }, 202)
  })
}

/** Sessions as the interface shows them. */
export async function shapes(deps: ApiDeps, sessions: Session[]) {
  const { db } = deps.store
  const ids = sessions.map(({ id }) => id)
  // Before the states: the end of a turn that still seems to run must come after it.
  const sequences = await lastStored(db, ids)
  const [turns, lasts, pending] = await Promise.all([countTurns(db, ids), lastTurns(db, ids), countPending(db)])
  return sessions.map((session) => ({
    id: session.id,
    title: session.title,
    platform: session.thread.platform,
    tenant_id: session.thread.tenant,
    project_id: session.thread.project,
    thread_id: session.thread.thread,
    link: deps.platforms.get(session.thread.platform)?.link(session.thread) ?? null,
    parent:
      session.parent === undefined ? null : { conversation_id: session.parent.session, name: session.parent.name },
    user: session.person,
    state: stateOf(lasts.get(session.id), pending.get(session.id), deps),
    created_at: new Date(session.createdAt).toISOString(),
    updated_at: new Date(session.updatedAt).toISOString(),
    messages: session.messages,
    turns: turns.get(session.id) ?? 0,
    pending_requests: pending.get(session.id) ?? 0,
    last_sequence: sequences.get(session.id) ?? 0,
    pinned: session.isPinned,
    archived: session.isArchived,
  }))
}

/** A session's state, as in O1. */
function stateOf(turn: StoredTurn | undefined, pending: number | undefined, { statuses }: ApiDeps): string {
  if (turn === undefined || turn.state === 'stopped') return 'idle'
  if (turn.state === 'running') {
    const status = statuses.get(turn.session) ?? 'thinking'
    return status === 'waiting' ? 'waiting_permission' : status
  }
  // Only subagents are waited for.
  if (turn.state === 'waiting' && !pending) return 'acting'
  return { waiting: 'waiting_permission', done: 'completed', failed: 'error' }[turn.state]
}
