import { setTimeout as sleep } from 'node:timers/promises'
import type { Heard, RemoteFile, ThreadRef } from '../../domain/chat.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import type { InboundSink } from '../inbound-sink.ts'
import type { ChatPlatform, Content, Health, LiveOptions, LiveReply, PlatformDeps, Posting } from '../platform.ts'
import { linkTo, messageIn } from './directory/links.ts'
import { platformName } from './directory/thread-refs.ts'
import { download } from './files/download.ts'
import { historyOf } from './gaps/thread-history.ts'
import { notYet, notYetLive } from './not-connected.ts'
import { asPage } from './pages/page.ts'
import { pagesOf } from './pages/pages.ts'
import { findPage } from './post/find.ts'
import { editMessage, postPage } from './post/message.ts'
import { removeMessage } from './post/remove.ts'
import { renameSession } from './post/rename.ts'
import { type Running, run } from './run.ts'
import type { SlackSettings } from './settings.ts'
import { type Timing, usualTiming } from './timing.ts'

export type { SlackSettings } from './settings.ts'

/** Slack as a chat platform: one workspace, the one that the bot token belongs to. */
export function slackPlatform(settings: SlackSettings, deps: PlatformDeps, timing: Timing = usualTiming): ChatPlatform {
  return new SlackPlatform(settings, deps, timing)
}

class SlackPlatform implements ChatPlatform {
  readonly name = platformName
  readonly progress = 'posted'
  readonly #settings: SlackSettings
  readonly #deps: PlatformDeps
  readonly #timing: Timing
  readonly #stopping = new AbortController()
  readonly #started = Promise.withResolvers<void>()
  #starting: Promise<void> | undefined
  #running: Running | undefined
  #trouble = 'not started'

  constructor(settings: SlackSettings, deps: PlatformDeps, timing: Timing) {
    this.#settings = settings
    this.#deps = deps
    this.#timing = timing
  }

  async start(sink: InboundSink): Promise<void> {
    try {
      await this.#run(sink)
    } catch (thrown) {
      if (!isUnreachable(thrown)) throw thrown
      this.#trouble = reasonOf(thrown)
      this.#starting = this.#startLater(sink)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#starting
    await this.#running?.stop()
  }

  health(): Health {
    const running = this.#running
    if (running === undefined) return { ok: false, detail: this.#trouble }
    return running.standing.health() ?? running.intake.health()
  }

  pages(content: Content): unknown[] {
    return pagesOf(content, this.#deps.show.mostMessages)
  }

  async post(thread: ThreadRef, page: unknown, posting: Posting): Promise<string> {
    const { mailer, homes } = this.#now
    const id = await postPage(mailer, thread, asPage(page), posting)
    homes.changed()
    return id
  }

  async find(thread: ThreadRef, posting: Posting): Promise<string | undefined> {
    return findPage(this.#now.mailer, thread, posting)
  }

  async edit(thread: ThreadRef, id: string, page: unknown): Promise<void> {
    const shown = asPage(page)
    // Files stay what they are.
    if (shown.kind === 'message') await editMessage(this.#now.mailer, thread, id, shown)
    this.#now.homes.changed()
  }

  remove = async (thread: ThreadRef, id: string) => removeMessage(this.#now.mailer, thread, id)

  async rename({ project, thread }: ThreadRef, title: string): Promise<void> {
    if (this.#running) await renameSession(this.#running.slack, { channel: project, thread }, title)
  }

  live(thread: ThreadRef, options: LiveOptions): LiveReply {
    return this.#running?.lives.open(thread, options) ?? notYetLive(options)
  }

  async elsewhere({ platform, tenant, project }: ThreadRef, person: string): Promise<ThreadRef[]> {
    // Slack accepts a person in place of the channel: their direct messages.
    const places = project.startsWith('D') ? [person] : [person, project]
    return places.map((place) => ({ platform, tenant, project: place, thread: '' }))
  }

  isLater(message: string, than: string): boolean {
    return Number(message) > Number(than)
  }

  catchUp(thread: ThreadRef): Promise<void> | undefined {
    return this.#running
      ? this.#running.readBack.catchUp(thread)
      : this.#started.promise.then(() => this.catchUp(thread))
  }

  async history(thread: ThreadRef, before: string, limit: number): Promise<Heard[]> {
    const { slack, hearing } = this.#now
    return historyOf(slack, hearing, thread, before, limit)
  }

  link = (thread: ThreadRef, message?: string) => this.#running && linkTo(this.#running.slack.me, thread, message)

  messageIn = messageIn

  async download(file: RemoteFile): Promise<ReadableStream<Uint8Array>> {
    return download({ api: this.#now.slack.api, apiUrl: this.#settings.apiUrl }, file)
  }

  async isMember(thread: ThreadRef, person: string, group: string): Promise<boolean> {
    const { slack, groups } = this.#now
    return thread.tenant === slack.me.team && groups.has(group, person)
  }

  get #now(): Running {
    if (this.#running === undefined) throw notYet()
    return this.#running
  }

  async #run(sink: InboundSink): Promise<void> {
    this.#running = await run(this.#settings, this.#deps, this.#timing, sink)
    this.#started.resolve()
  }

  /** Slack can't be reached yet: keep trying until it can. */
  async #startLater(sink: InboundSink): Promise<void> {
    const { signal } = this.#stopping
    const { firstWaitMs, longestWaitMs } = this.#timing
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      await sleep(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await this.#run(sink)
        return
      } catch (thrown) {
        this.#trouble = reasonOf(thrown)
        this.#deps.log.warn({ platform: platformName, reason: this.#trouble }, 'could not start')
      }
    }
  }
}

const isUnreachable = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === 'slack_unreachable'
