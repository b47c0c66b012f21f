import type { RemoteFile } from '../../domain/chat.ts'
import type { ChatPlatform, LiveReply } from '../platform.ts'
import { chatWords } from '../words/words.ts'

export const consoleName = 'console'

const nothing: LiveReply = {
  show: () => {},
  begun: false,
  finish: async () => '',
  leave: async () => {},
}

/**
 * The web console as a chat platform. It receives through the HTTP interface, and its screens follow the events, so
 * there is nothing to post.
 */
export function consolePlatform(open: (file: RemoteFile) => ReadableStream<Uint8Array>): ChatPlatform {
  return {
    name: consoleName,
    progress: 'followed',
    start: async () => {},
    stop: async () => {},
    health: () => ({ ok: true, detail: chatWords.consoleAvailable() }),
    pages: () => [],
    post: async () => '',
    find: async () => undefined,
    edit: async () => {},
    remove: async () => {},
    rename: async () => {},
    live: () => nothing,
    elsewhere: async () => [],
    isLater: () => true,
    catchUp: () => undefined,
    history: async () => [],
    link: () => undefined,
    messageIn: () => undefined,
    download: async (file) => open(file),
    // The console has no groups.
    isMember: async () => false,
  }
}
