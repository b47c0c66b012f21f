import { reasonOf } from '../../kit/failure.ts'
import { type ChatPlatform, type InboundSink, NotPosted, type PlatformDeps } from '../platform.ts'
import { Api } from './api/api.ts'
import { ofToken } from './api/refusals.ts'
import { createRest, type DiscordSettings } from './api/rest.ts'
import { firstIdAt, isNewer } from './api/snowflakes.ts'
import { Directory } from './directory/directory.ts'
import { elsewhere } from './directory/elsewhere.ts'
import { hasRole } from './directory/groups.ts'
import { linkTo, messageIn } from './directory/links.ts'
import { missingPermissions } from './directory/permissions.ts'
import { Places } from './directory/post-targets.ts'
import { Echoes } from './directory/seen-messages.ts'
import { download } from './files/download.ts'
import { Cursor } from './gaps/cursor.ts'
import { Gaps } from './gaps/read-back.ts'
import { readHistory } from './gaps/thread-history.ts'
import { Inbound } from './heard/hearing.ts'
import { Reactions } from './heard/reactions.ts'
import { registerCommands } from './interactions/command-list.ts'
import { takeInteraction } from './interactions/interactions.ts'
import { Respond } from './interactions/respond.ts'
import { Live, type LiveDeps } from './live/live-reply.ts'
import { asPage } from './pages/page.ts'
import { pagesOf } from './pages/pages.ts'
import { findPosting } from './post/find.ts'
import { editPage, postPage, removeMessage } from './post/message.ts'
import { refuser } from './post/tell.ts'
import { Connection } from './receive/connection.ts'
import { follow } from './receive/events.ts'
import { type Timing, usualTiming } from './timing.ts'

export type { DiscordSettings } from './api/rest.ts'

/** Discord: servers, their channels and threads, and direct messages. */
export function discordPlatform(
  settings: DiscordSettings,
  deps: PlatformDeps,
  timing: Timing = usualTiming,
): ChatPlatform {
  const { log, show } = deps
  const stopping = new AbortController()
  const rest = createRest(settings)
  const api = new Api(rest, { ...deps, token: settings.token })
  const client = () => connection?.client
  const directory = new Directory(client, api)
  const echoes = new Echoes()
  const places = new Places(api, directory, echoes)
  const cursor = new Cursor(deps, timing.cursorMs)
  const posting = { api, places, echoes, client }
  /** Messages of ours are known by our id: without it, nothing is posted, or looked for. */
  const knowOurselves = async () => {
    if (connection === undefined) throw new NotPosted('later', 'Discord is not connected yet', { afterMs: 1_000 })
    await directory.learnSelf().catch((thrown: unknown) => {
      throw new NotPosted('later', 'Discord cannot be reached', { cause: thrown, afterMs: 1_000 })
    })
  }
  const live: LiveDeps = { ...posting, self: () => directory.self, knowOurselves, show, log }
  let connection: Connection | undefined
  let inbound: Inbound | undefined
  let gaps: Gaps | undefined

  return {
    name: 'discord',
    progress: 'posted',

    async start(sink: InboundSink) {
      if ((await cursor.load()) === undefined) await cursor.first(firstIdAt(deps.clock.now()))
      const { signal } = stopping
      inbound = new Inbound({ sink, cursor, directory, places, echoes, log, signal, refuse: refuser(posting) })
      const mayRead = (channel: string) =>
        missingPermissions(client(), channel, ['ViewChannel', 'ReadMessageHistory']).length === 0
      gaps = new Gaps({ api, sink, cursor, echoes, inbound, mayRead, log, signal })
      const mended = (where: Parameters<InboundSink['changed']>[0]) =>
        sink.changed(where).catch((thrown) => log.error({ error: reasonOf(thrown) }, 'what waits was not looked at'))
      api.onAccepted = () => mended({})
      const answering = { sink, api, directory, places, respond: new Respond(api, log), log }
      const listeners = follow({
        inbound,
        gaps,
        reactions: new Reactions(answering),
        directory,
        client,
        log,
        interaction: (interaction) => takeInteraction(answering, interaction),
        ready: (application) => registerCommands(application, { ...deps, api }),
        mended,
      })
      connection = new Connection(settings, deps, listeners, timing)
      await connection.start()
    },

    async stop() {
      stopping.abort()
      await connection?.stop()
      await inbound?.idle()
      await api.stop()
      await cursor.keep()
    },

    health() {
      if (api.lockedOut) return { ok: false, detail: `${ofToken.why} any more`, remedy: `${ofToken.remedy}.` }
      return connection?.health() ?? { ok: false, detail: 'not started' }
    },

    pages: (saying) => pagesOf(saying, show.mostMessages),

    async post(thread, page, how) {
      await knowOurselves()
      return await postPage(posting, thread, asPage(page), how)
    },

    async find(_thread, how) {
      await knowOurselves()
      return await findPosting({ api, echoes, self: directory.self }, how)
    },

    async edit(thread, id, page, postpone) {
      await knowOurselves()
      const place = (await places.existing(thread)) ?? { channel: thread.project }
      await editPage(posting, place.channel, id, asPage(page), postpone)
    },

    async remove(thread, id) {
      await knowOurselves()
      const place = (await places.existing(thread)) ?? { channel: thread.project }
      await removeMessage(posting, place.channel, id)
    },

    elsewhere: (thread, person) => elsewhere(api, thread, person),
    isLater: isNewer,

    live: (thread, options) => new Live(live, thread, options),

    catchUp: (thread) => gaps?.catchUp(thread),

    async history(thread, before, limit) {
      await knowOurselves()
      return await readHistory({ api, directory, places }, thread, before, limit)
    },
    link: (thread, message) => linkTo(thread, message, directory),
    messageIn,
    download: (file) => download(file, { api, apiUrl: settings.apiUrl }),
    isMember: (thread, person, group) => hasRole(api, thread, person, group),
  }
}
