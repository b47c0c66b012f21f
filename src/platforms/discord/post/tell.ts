import type { Heard } from '../../../domain/chat.ts'
import type { Failure } from '../../../kit/failure.ts'
import { type PostDeps, postPage } from './message.ts'

/** Tells the person, in the thread, why their message can't be accepted. Once for each message. */
export const refuser =
  (deps: PostDeps) =>
  async (heard: Heard, why: Failure): Promise<void> => {
    const page = { kind: 'text', content: `${why.message} ${why.remedy}`, files: [] } as const
    const key = `refused-${heard.message}`
    const nothing = { remember: async () => {}, postpone: async () => {}, isOther: async () => false }
    const posting = { key, note: undefined, since: heard.at, ...nothing }
    await postPage(deps, heard.thread, { ...page, files: [] }, posting)
  }
