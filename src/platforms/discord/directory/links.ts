import type { ThreadRef } from '../../../domain/chat.ts'
import type { Directory } from './directory.ts'
import { directTenant } from './thread-refs.ts'

const site = 'https://discord.com/channels'

/** The address of a thread, or of a message in it. */
export function linkTo(thread: ThreadRef, message: string | undefined, directory: Directory): string {
  const server = thread.tenant === directTenant ? '@me' : thread.tenant
  const isThere = directory.known(thread.thread) !== undefined
  // The message that a thread was made of stands in the channel, and so does all without a thread.
  const isInChannel = message === thread.thread || !isThere
  const channel = isInChannel ? thread.project : thread.thread
  const inChannel = isInChannel && thread.project !== thread.thread ? thread.thread : undefined
  return [site, server, channel, message ?? inChannel].filter((part) => part !== undefined).join('/')
}
