import type { Heard } from '../../../domain/chat.ts'
import { type Failure, reasonOf } from '../../../kit/failure.ts'
import type { Log } from '../../../kit/log.ts'
import { NotPosted } from '../../platform.ts'
import { type PostDeps, postPage } from './message.ts'

/**
 * Tells the person, in the thread, why their message can't be accepted. Once for each message. Throws only if another
 * attempt may work soon: what follows in the thread waits for it.
 */
export const refuser =
  (deps: PostDeps & { log: Log }) =>
  async (heard: Heard, why: Failure): Promise<void> => {
    const page = { kind: 'text', content: `${why.message} ${why.remedy}`, files: [] } as const
    const key = `refused-${heard.message}`
    const nothing = { remember: async () => {}, postpone: async () => {}, isOther: async () => false }
    const posting = { key, note: undefined, since: heard.at, ...nothing }
    try {
      await postPage(deps, heard.thread, { ...page, files: [] }, posting)
    } catch (thrown) {
      if (thrown instanceof NotPosted && thrown.again === 'later') throw thrown
      deps.log.warn({ platform: 'discord', reason: reasonOf(thrown) }, 'a message to a person could not be posted')
    }
  }
