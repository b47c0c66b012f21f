import type { Outgoing, RemoteFile, ThreadRef } from '../../domain/chat.ts'
import type { ChatPlatform } from '../platform.ts'

export const consoleName = 'console'

export interface ConsoleDeps {
  /** Shows a message in the thread, once for a key, and returns its id. */
  publish(thread: ThreadRef, message: Outgoing, key: string): Promise<string>
  /** The id of what was shown under a key. */
  published(key: string): Promise<string | undefined>
  open(file: RemoteFile): ReadableStream<Uint8Array>
}

/** The web console as a chat platform. What it receives comes in by the HTTP interface; what it posts are events. */
export function consolePlatform({ publish, published, open }: ConsoleDeps): ChatPlatform {
  return {
    name: consoleName,
    start: async () => {},
    stop: async () => {},
    post: async (thread, message, key) => ({ thread, id: await publish(thread, message, key) }),
    async find(thread, key) {
      const id = await published(key)
      return id === undefined ? undefined : { thread, id }
    },
    download: async (file) => open(file),
  }
}
