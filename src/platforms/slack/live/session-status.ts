import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { oneLine } from '../../../kit/text/text.ts'
import { superseded } from '../../calls/scheduler.ts'
import { type LiveOptions, type NodeNotes, NotPosted } from '../../platform.ts'
import { readJson } from '../../read-json.ts'
import { reasonIn, refusalIn } from '../api/errors.ts'
import { isPersonId } from '../directory/people.ts'
import type { SlackThread } from '../directory/thread-refs.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import type { SessionStatus } from '../pages/page.ts'

/** Some failures concern only this thread; after any other, sessions are left alone for this long, ms. */
const restMs = 10 * 60_000
const ofThread = new Set([
  'channel_not_found',
  'invalid_thread_ts',
  'is_archived',
  'is_inactive',
  'not_in_channel',
  'thread_not_found',
  'user_not_in_channel',
])

/** What couldn't be sent to Slack is sent again after this long, doubled each time: Slack gives up after an hour. */
const firstPauseMs = 1_000
const mostTries = 12

/** How often to look for what other processes have left busy; and how long their last calls may take, ms. */
const lookMs = 2_000
const underWayMs = 1_000

/** Slack accepts 200 characters. */
const longestTitle = 200

export type Working = Pick<LiveOptions, 'reader' | 'title' | 'change'>

const method = 'agents.sessions.setStatus'

const argsOf = ({ channel, thread }: SlackThread) => ({ channel_id: channel, thread_ts: thread })
const keyOf = ({ channel, thread }: SlackThread): string => `${channel} ${thread}`
const callsOf = (place: SlackThread): string => `session ${keyOf(place)}`

const noted = z.array(z.string())

/** Slack's agent sessions: what a thread shows beside its messages. Without them, nothing is done. */
export class SessionStatuses {
  readonly #slack: SlackWorkspace
  /** Threads that are processing, each with the turn that Slack was told of last. */
  readonly #busy = new Map<string, Working>()
  /** Threads that Slack may still consider processing: kept over restarts, or they would look busy for ever. */
  readonly #shown = new Set<string>()
  /** By thread: when to tell Slack again. */
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #noting: Promise<void> = Promise.resolve()
  #restUntil = 0
  #looking: NodeJS.Timeout | undefined
  #stopped = false

  constructor(slack: SlackWorkspace) {
    this.#slack = slack
  }

  /**
   * Resets what an earlier process has left busy, and then what others leave. A turn that is still running says so
   * itself. Never throws: what isn't reset, Slack itself resets after an hour.
   */
  async restore(): Promise<void> {
    const { notes, nodeNotes, log } = this.#slack
    if (nodeNotes === undefined) {
      try {
        const keys = readJson(await notes.get(this.#name), noted) ?? []
        for (const key of keys) this.#shown.add(key)
        // The last call of the process before may still be under way.
        if (keys.length > 0) setTimeout(() => this.#reset(keys), underWayMs).unref()
      } catch (thrown) {
        log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'what was left at work could not be looked up')
      }
      return
    }
    await this.#inherit(nodeNotes)
    this.#looking = setInterval(() => void this.#inherit(nodeNotes, underWayMs), lookMs).unref()
  }

  async #inherit(nodeNotes: NodeNotes, waitMs = 0): Promise<void> {
    let keys: string[] = []
    this.#noting = this.#noting
      .then(async () => {
        keys = await nodeNotes.inherit(this.#name)
        for (const key of keys) this.#shown.add(key)
      })
      .catch((thrown) => this.#notStored(thrown))
    await this.#noting
    if (keys.length > 0 && waitMs > 0) await sleep(waitMs, undefined, { ref: false })
    for (const key of keys) {
      // Another one continues the turn there.
      if (await nodeNotes.isOthers(this.#name, key).catch(() => false)) await this.#note(() => this.#shown.delete(key))
      else this.#reset([key])
    }
  }

  #reset(keys: string[]): void {
    for (const key of keys) {
      const [channel = '', thread = ''] = key.split(' ')
      // A turn may have said more of it meanwhile.
      const isLeft = this.#shown.has(key) && !this.#busy.has(key)
      if (isLeft && !this.#stopped) void this.set({ channel, thread }, 'active')
    }
  }

  /** A turn is at work there, for the reader. Never throws. */
  async setProcessing(place: SlackThread, working: Working): Promise<void> {
    const { reader, title, change } = working
    const key = keyOf(place)
    const mine = { ...working }
    const isMine = () => this.#busy.get(key) === mine
    this.#forgetTimer(key)
    this.#busy.set(key, mine)
    const wasShown = this.#shown.has(key)
    try {
      await this.#note(() => this.#shown.add(key))
      // The turn may have ended meanwhile, and Slack may have been told; or the next one says it.
      if (!isMine()) return
      // The name counts only if Slack doesn't know the session yet: people may have given it another.
      const named = title === '' ? {} : { title: oneLine(title, longestTitle) }
      const initiator = isPersonId(reader.id) ? { initiator_user_id: reader.id } : {}
      const args = { ...argsOf(place), status: 'processing' as const, ...initiator, ...named }
      const call = { bucket: method, priority: 'progress', coalesce: callsOf(place) } as const
      const done = await this.#slack.api.write(call, (client) => change(() => client.agents.sessions.setStatus(args)))
      if (done === superseded && isMine()) this.#missed(place, wasShown)
      else if (done === 'over') await this.set(place, 'active')
    } catch (thrown) {
      const again = this.#refused(thrown)
      if (isMine() && (again === 'never' || (again === 'repairable' && !wasShown)))
        void this.#note(() => this.#shown.delete(key))
    }
  }

  /** Slack wasn't told that a turn is at work: the next view says so, or Slack is told that it has ended. */
  #missed(place: SlackThread, wasShown: boolean): void {
    const key = keyOf(place)
    this.#busy.delete(key)
    if (wasShown) this.#tellLater(place, 'active')
    else void this.#note(() => this.#busy.has(key) || this.#shown.delete(key))
  }

  /** No turn is at work there any more. Never throws. */
  async set(place: SlackThread, status: SessionStatus): Promise<void> {
    const key = keyOf(place)
    this.#forgetTimer(key)
    this.#busy.delete(key)
    if (this.#slack.clock.now() >= this.#restUntil) await this.#tell(place, status)
    else this.#tellLater(place, status)
  }

  async #tell(place: SlackThread, status: SessionStatus, tries = 0): Promise<void> {
    const key = keyOf(place)
    // A thread that stays busy for ever would be worse than a late answer.
    const call = { bucket: method, priority: 'answer', coalesce: callsOf(place) } as const
    try {
      await this.#slack.api.write(call, (client) => client.agents.sessions.setStatus({ ...argsOf(place), status }))
      this.#forgetTimer(key)
      // Another turn may have begun there meanwhile.
      await this.#note(() => this.#busy.has(key) || this.#shown.delete(key))
    } catch (thrown) {
      if (this.#refused(thrown) === 'never') void this.#note(() => this.#shown.delete(key))
      else this.#tellLater(place, status, tries)
    }
  }

  #refused(thrown: unknown): NotPosted['again'] {
    this.#slack.log.info({ platform: 'slack', reason: reasonIn(thrown) }, 'the session’s status could not be set')
    const again = thrown instanceof NotPosted ? thrown.again : 'later'
    if (again !== 'later' && !ofThread.has(refusalIn(thrown) ?? '')) this.#restUntil = this.#slack.clock.now() + restMs
    return again
  }

  /** Resets a thread, if Slack may still consider it busy. */
  #tellLater(place: SlackThread, status: SessionStatus, tries = 0): void {
    const key = keyOf(place)
    const isOver = this.#busy.has(key) || !this.#shown.has(key)
    if (isOver || this.#stopped || tries === mostTries) return
    this.#forgetTimer(key)
    const pauseMs = Math.max(firstPauseMs * 2 ** tries, this.#restUntil - this.#slack.clock.now())
    const timer = setTimeout(() => void this.#tell(place, status, tries + 1), pauseMs)
    this.#timers.set(key, timer.unref())
  }

  #forgetTimer(key: string): void {
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
  }

  /** What to tell Slack when the thread is reset; undefined if Slack knows. */
  toLeave(place: SlackThread, status: SessionStatus): SessionStatus | undefined {
    const mayBeShown = this.#shown.has(keyOf(place))
    const isNews = mayBeShown || this.isBusy(place) || status === 'suspended'
    const isTaken = mayBeShown || this.#slack.clock.now() >= this.#restUntil
    return isNews && isTaken ? status : undefined
  }

  /** Resolves when no call about it is under way: a late one would have the last word. */
  async quiet(place: SlackThread): Promise<void> {
    // A call is noted before it is made.
    await this.#noting
    await this.#slack.api.letGo(callsOf(place))
  }

  /** The turn that is at work there. */
  workingAt(place: SlackThread): Working | undefined {
    return this.#busy.get(keyOf(place))
  }

  /**
   * Slack learned this status from the message that ended. If another turn has begun there since `before`, nobody knows
   * what Slack heard last, so it is told again.
   */
  ended(place: SlackThread, status: SessionStatus, before: Working | undefined): void {
    const key = keyOf(place)
    const now = this.#busy.get(key)
    if (now !== before) return void (now === undefined ? this.set(place, status) : this.setProcessing(place, now))
    this.#forgetTimer(key)
    this.#busy.delete(key)
    if (this.#shown.has(key)) void this.#note(() => this.#shown.delete(key))
  }

  /** Whether Slack could be told now that a turn is at work there. */
  isDue(place: SlackThread): boolean {
    return !this.isBusy(place) && this.#slack.clock.now() >= this.#restUntil
  }

  isBusy(place: SlackThread): boolean {
    return this.#busy.has(keyOf(place))
  }

  /** The next process corrects what Slack still shows. */
  stop(): void {
    this.#stopped = true
    clearInterval(this.#looking)
    for (const key of this.#timers.keys()) this.#forgetTimer(key)
  }

  get #name(): string {
    return `slack:${this.#slack.me.team}:busy`
  }

  /** Never throws: if it isn't stored, Slack itself resets the thread after an hour. */
  #note(change: () => unknown): Promise<void> {
    this.#noting = this.#noting
      .then(() => {
        change()
        const { notes, nodeNotes } = this.#slack
        const keys = [...this.#shown]
        return nodeNotes === undefined ? notes.set(this.#name, JSON.stringify(keys)) : nodeNotes.set(this.#name, keys)
      })
      .catch((thrown) => this.#notStored(thrown))
    return this.#noting
  }

  #notStored(thrown: unknown): void {
    this.#slack.log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'a note could not be stored')
  }
}
