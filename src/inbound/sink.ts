import type { Change, Heard, Ignored, ThreadRef } from '../domain/chat.ts'
import { messageOfPage } from '../domain/keys.ts'
import type { Log } from '../kit/log.ts'
import { oneLine } from '../kit/text/text.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { BoundedMap } from '../platforms/bounded-map.ts'
import type { GivenCommand, InboundSink, PersonInChannel } from '../platforms/inbound-sink.ts'
import { insertIgnored } from '../store/ignored.ts'
import { keyOfMessage } from '../store/postings.ts'
import type { Changed } from '../store/refused.ts'
import { findSessionByThread, threadsSince } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { changeThread } from '../store/thread-list.ts'
import { barred } from '../trust/admit.ts'
import { answersFor, notAllowed } from './answers-for.ts'
import { hearChange } from './change.ts'
import { misspelt } from './commands/parse.ts'
import { giveFeedback } from './feedback.ts'
import { type HearDeps, hear } from './hear.ts'
import { homeFor } from './home.ts'
import { runGivenCommand } from './run-command.ts'
import { endThread } from './thread-deleted.ts'
import { inboundWords } from './words.ts'

export interface SinkDeps extends HearDeps {
  log: Log
  /** Entries that were refused there may be posted now. */
  changed(platform: string, where: Changed): Promise<void>
}

/** As over HTTP. */
const longestTitle = 200

/** How many recent messages are known to be stored without a look at the database. */
const mostLately = 1_000

/** Where a platform hands in what it receives. Once a call resolves, everything is stored. */
export function sinkFor(platform: string, deps: SinkDeps): InboundSink {
  const { store, access, outages } = deps
  // Slack reports each mention twice, so there is no need to look up the second.
  const lately = new BoundedMap<true>(mostLately)

  return {
    async hear(heard: Heard) {
      if (lately.has(heard.dedupKey)) return { kind: 'duplicate' }
      try {
        const outcome = await hear(heard, deps)
        if (outcome.kind === 'new' || outcome.kind === 'duplicate') lately.set(heard.dedupKey, true)
        return outcome
      } catch (thrown) {
        // Nothing is acknowledged, so the platform sends it again, or the gap is read back later.
        const fault = asUnavailable(thrown)
        if (fault === undefined) throw thrown
        if (heard.mentioned || heard.direct) outages.tell(heard.thread, fault)
        throw fault
      }
    },
    change: (changed: Change) => hearChange(changed, deps),
    ...answersFor(platform, deps),
    changed: (where) => deps.changed(platform, where),
    threads: (since) => threadsSince(store.db, platform, since),
    home: (of) => homeFor(platform, of, deps),
    renamed: (thread, title) => rename(store, thread, oneLine(store.mask(title), longestTitle)),
    threadDeleted: (thread) => endThread(thread, deps),
    ignore: (ignored: Ignored) => store.transaction((tx) => insertIgnored(tx, ignored)),

    async command({ name, argument, thread, tenant, project, ...given }: GivenCommand): Promise<string> {
      const { person } = given
      if (barred({ tenant, project, person }, access) !== undefined) return notAllowed(person)
      const command = deps.commands.find((one) => one.name === name) ?? misspelt(name, deps.commands)
      if (command === undefined) return inboundWords.unknownCommand({ name })
      const session = thread && (await findSessionByThread(store.db, thread))
      return runGivenCommand(
        { command, argument: argument.trim() },
        { ...given, project: { platform, tenant, project }, session },
        deps,
      )
    },

    async feedback({ thread, message, value, reason }, by: PersonInChannel): Promise<void> {
      if (barred(by, access) !== undefined) return
      const session = await findSessionByThread(store.db, thread)
      if (session === undefined) return
      const page = await keyOfMessage(store.db, session.id, message)
      const answer = page === undefined ? message : messageOfPage(page)
      await giveFeedback(store, session.id, message, { answer, value, reason, person: by.person })
    },
  }
}

async function rename(store: Store, thread: ThreadRef, title: string): Promise<void> {
  const session = await findSessionByThread(store.db, thread)
  if (session !== undefined && title !== '') await store.transaction((tx) => changeThread(tx, session.id, { title }))
}
