import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../domain/chat.ts'
import type { ChatPlatform } from '../platforms/platform.ts'

/** A platform that does not answer keeps a thread waiting for so long, ms: then what it missed is read when it comes. */
const patienceMs = 5_000

/** After a gap, what was said in the thread meanwhile is heard before anything is read. Never throws. */
export async function catchUp(
  platform: ChatPlatform | undefined,
  thread: ThreadRef,
  signal: AbortSignal,
): Promise<void> {
  const catching = platform?.catchUp(thread)
  if (catching === undefined) return
  const patience = sleep(patienceMs, undefined, { signal, ref: false })
  await Promise.race([catching, patience]).catch(() => {})
}
