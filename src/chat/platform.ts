import type { Incoming, Outgoing, RemoteFile, ThreadRef } from '../domain/chat.ts'

/** A message on a platform, by the platform's own id. */
export interface PostedRef {
  thread: ThreadRef
  id: string
}

/** Where a platform brings what it received. */
export interface InboundSink {
  /** When it resolves, the message is stored, and only then may it be acknowledged. Duplicates resolve too. */
  receive(incoming: Incoming): Promise<{ kind: 'new' | 'duplicate' }>
}

/**
 * A chat platform. No member is optional: what a platform lacks, it does as nothing, and the contract suite says so.
 */
export interface ChatPlatform {
  readonly name: string
  start(sink: InboundSink): Promise<void>
  stop(): Promise<void>
  /** Throws when it did not post. */
  post(thread: ThreadRef, message: Outgoing, key: string): Promise<PostedRef>
  /** Whether a message with this key was posted before a crash. */
  find(thread: ThreadRef, key: string): Promise<PostedRef | undefined>
  download(file: RemoteFile): Promise<ReadableStream<Uint8Array>>
}
