import { type Shown, shownMessage } from './render.ts'
import type { Slack } from './slack.ts'

/** Asked at once and after each change. */
export function until<T>(slack: Slack, look: () => T | undefined | false | null, timeoutMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const { watchers } = slack.world
  const timer = setTimeout(() => {
    const last = slack.calls.slice(-12).map(({ method, ok, error }) => `${method}${ok ? '' : ` ${error}`}`)
    reject(new Error(`nothing came within ${timeoutMs} ms; last calls: ${last.join(', ') || 'none'}`))
  }, timeoutMs)
  const watch = () => {
    try {
      const found = look()
      if (found) resolve(found)
    } catch (thrown) {
      reject(thrown)
    }
  }
  watchers.add(watch)
  watch()
  return promise.finally(() => {
    clearTimeout(timer)
    watchers.delete(watch)
  })
}

/** A thread, or the top of a channel, as people see it. */
export function viewOf({ world }: Slack, channel: string, threadTs: string | undefined): Shown[] {
  const { id, messages } = world.channel(channel)
  const root = threadTs === undefined ? undefined : messages.get(threadTs)
  const own = threadTs === undefined ? messages.top() : [...(root ? [root] : []), ...messages.replies(threadTs)]
  const hidden = world.ephemerals.filter((one) => one.channel === id && one.threadTs === threadTs)
  return [...own, ...hidden]
    .filter((one) => !one.deleted)
    .toSorted((one, other) => (one.ts < other.ts ? -1 : 1))
    .map(shownMessage)
}
