import { directTenant, type ThreadRef } from '../../../domain/chat.ts'
import type { Directory } from './directory.ts'

const site = 'https://discord.com/channels'

/** The link to a thread, or to a message in it. */
export function linkTo(thread: ThreadRef, message: string | undefined, directory: Directory): string {
  const server = thread.tenant === directTenant ? '@me' : thread.tenant
  const isThere = directory.known(thread.thread) !== undefined
  // The message that began a thread is in the channel, like everything without a thread.
  const isInChannel = message === thread.thread || !isThere
  const channel = isInChannel ? thread.project : thread.thread
  const inChannel = isInChannel && thread.project !== thread.thread ? thread.thread : undefined
  return [site, server, channel, message ?? inChannel].filter((part) => part !== undefined).join('/')
}
