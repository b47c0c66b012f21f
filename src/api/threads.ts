import type { Context } from 'hono'
import { exportTypes } from '../export/format.ts'
import { deleteThread } from '../inbound/delete-thread.ts'
import { excerptOf, searchWords } from '../kit/text/search-words.ts'
import { searchThreads } from '../store/message-search.ts'
import { changeThread, type ListPlace, listThreads } from '../store/thread-list.ts'
import { parseBody, readBytes, readJson } from './body.ts'
import { shapes } from './conversations.ts'
import { unknownCursor } from './cursor.ts'
import type { Api, ApiDeps } from './deps.ts'
import { checked } from './errors.ts'
import { conversationsQuery, exportQuery, personBody, threadBody } from './schemas.ts'
import { streamed } from './streamed.ts'
import { personIn, personOf, sessionOf } from './who.ts'

/** The list of threads, and what people do with one of them: rename, pin, archive, delete, export. */
export function threadRoutes(api: Api, deps: ApiDeps): void {
  const { store, engine } = deps

  api.get('/agent/conversations', async (context) => {
    const {
      platform,
      tenant_id: tenant,
      project_id: project,
      ...query
    } = checked(conversationsQuery, context.req.query())
    const { q, user_id: person, limit, archived = q === undefined ? 'false' : 'any' } = query
    const after = query.cursor === undefined ? undefined : placeIn(query.cursor)
    const words = q === undefined ? undefined : searchWords(q)
    const search = words && (await searchThreads(store, words))
    const found = await listThreads(store.db, {
      project: { platform, tenant, project },
      person,
      archived: archived === 'any' ? undefined : archived === 'true',
      search,
      after,
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const shaped = await shapes(deps, page)
    const excerpts = new Map<string, string>()
    for (const { id } of search === undefined ? [] : page) {
      const text = await search?.textIn(id)
      if (text !== undefined && words !== undefined) excerpts.set(id, excerptOf(text, words))
    }
    return context.json({
      conversations:
        search === undefined
          ? shaped
          : shaped.map((one) => ({ ...one, excerpt: store.mask(excerpts.get(one.id) ?? null) })),
      next_cursor: last !== undefined && found.length > limit ? cursorOf(last) : null,
    })
  })

  api.patch('/agent/conversations/:id', (context) => change(context, deps))

  api.delete('/agent/conversations/:id', async (context) => {
    const session = await sessionOf(context, deps)
    const bytes = await readBytes(context, 10_000)
    const { user_id } = bytes.length === 0 ? {} : checked(personBody, parseBody(bytes))
    const person = personIn(session, personOf(deps, user_id))
    await store.transaction((tx) => deleteThread(tx, session.id, person, deps.liveTexts))
    engine.interrupt(session.id)
    return context.json({ deleted: true })
  })

  api.get('/agent/conversations/:id/export', async (context) => {
    const session = await sessionOf(context, deps)
    const { format } = checked(exportQuery, context.req.query())
    const { exportAs, exportName } = await import('../export/formats.ts')
    const content = await exportAs(format, store, session, await deps.workspaces.open(session))
    context.header('Content-Type', exportTypes[format])
    context.header(
      'Content-Disposition',
      `attachment; filename="thread.${format}"; filename*=UTF-8''${encodeURIComponent(exportName(session, format))}`,
    )
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Content-Security-Policy', 'sandbox')
    context.header('Cross-Origin-Resource-Policy', 'same-origin')
    context.header('Cache-Control', 'no-store')
    return streamed(context, content, deps)
  })
}

async function change(context: Context, deps: ApiDeps): Promise<Response> {
  const session = await sessionOf(context, deps)
  const wanted = checked(threadBody, await readJson(context, 10_000))
  await deps.store.transaction((tx) => changeThread(tx, session.id, wanted))
  const changed = await sessionOf(context, deps)
  if (changed.title !== session.title)
    deps.platforms.get(changed.thread.platform)?.rename(changed.thread, changed.title).catch(deps.report)
  return context.json((await shapes(deps, [changed]))[0])
}

const cursorOf = ({ isPinned, updatedAt, id }: { isPinned: boolean; updatedAt: number; id: string }): string =>
  `${isPinned ? 'p' : 't'}.${updatedAt}.${id}`

function placeIn(cursor: string): ListPlace {
  const [, kind, updatedAt, id = ''] = /^([pt])\.(\d{1,15})\.(ses_[0-9a-z]+)$/.exec(cursor) ?? []
  if (kind === undefined) throw unknownCursor()
  return { pinned: kind === 'p', updatedAt: Number(updatedAt), id }
}
