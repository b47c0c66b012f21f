import type { Client } from 'discord.js'
import { reasonOf } from '../../kit/failure.ts'
import type { InboundSink } from '../inbound-sink.ts'
import type { Duty, PlatformDeps } from '../platform.ts'
import { DiscordApi } from './api/api.ts'
import { createRest, type DiscordSettings } from './api/rest.ts'
import { Directory } from './directory/directory.ts'
import { missingPermissions } from './directory/permissions.ts'
import { PostTargets } from './directory/post-targets.ts'
import { SeenMessages } from './directory/seen-messages.ts'
import { Cursor } from './gaps/cursor.ts'
import { ReadBack } from './gaps/read-back.ts'
import { Greeter } from './heard/greet.ts'
import { Hearing } from './heard/hearing.ts'
import { Reactions } from './heard/reactions.ts'
import { toHeard } from './heard/translate.ts'
import { takeInteraction } from './interactions/interactions.ts'
import { Respond } from './interactions/respond.ts'
import type { PostDeps } from './post/message.ts'
import { refuser } from './post/tell.ts'
import { Connection } from './receive/connection.ts'
import { follow } from './receive/events.ts'
import { registerCommands } from './receive/register-commands.ts'
import type { Timing } from './timing.ts'

export interface BuiltWith {
  settings: DiscordSettings
  deps: PlatformDeps
  timing: Timing
}

/** What the adapter has before it is started: enough to post, as soon as we know who we are. */
export interface Parts extends PostDeps {
  directory: Directory
  cursor: Cursor
  /** The gateway, if other processes might keep it. */
  duty: Duty | undefined
}

export function createParts({ settings, deps, timing }: BuiltWith, client: () => Client | undefined): Parts {
  const api = new DiscordApi(createRest(settings, timing.requestMs), { ...deps, token: settings.token })
  const directory = new Directory(client, api)
  const seen = new SeenMessages()
  const targets = new PostTargets(api, directory, seen, (message, thread) => toHeard(message, thread, directory).text)
  const duty = deps.others?.duty('discord gateway')
  const notes = duty?.notes ?? deps.notes
  const cursor = new Cursor({ ...deps, notes, settled: (is, except) => duty?.settled(is, except) }, timing.cursorMs)
  return { api, directory, seen, self: () => directory.self, targets, client, cursor, duty }
}

/** What it has once it is started. */
export interface Running {
  connection: Connection
  hearing: Hearing
  readBack: ReadBack
}

/** Builds what receives. Nothing comes in before the connection is started. */
export function receiving(
  { settings, deps, timing }: BuiltWith,
  parts: Parts,
  sink: InboundSink,
  signal: AbortSignal,
): Running {
  const { log, catchUpDays } = deps
  const { api, client, directory } = parts
  const hearing = new Hearing({ ...parts, sink, log, signal, refuse: refuser({ ...parts, log }) })
  const mayRead = (channel: string) =>
    missingPermissions(client(), channel, ['ViewChannel', 'ReadMessageHistory']).length === 0
  const readBack = new ReadBack({ ...parts, sink, hearing, mayRead, catchUpDays, againMs: timing.againMs, log, signal })
  const retryRefused = (where: Parameters<InboundSink['changed']>[0]) =>
    sink
      .changed(where)
      .catch((thrown) => log.error({ error: reasonOf(thrown) }, 'what is waiting could not be tried again'))
  api.onAccepted = () => retryRefused({})
  const answering = { ...parts, sink, respond: new Respond(api, log), log }
  const listeners = follow({
    hearing,
    readBack,
    reactions: new Reactions({ ...answering, ...deps, hearing }),
    greeter: new Greeter({ ...deps, api, client, notes: parts.duty?.notes ?? deps.notes }),
    directory,
    client,
    log,
    interaction: (interaction) => takeInteraction(answering, interaction),
    ready: (application) => registerCommands(application, { ...deps, api }),
    retryRefused,
  })
  return { connection: new Connection(settings, deps, listeners, timing), hearing, readBack }
}
