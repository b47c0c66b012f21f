import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadRef } from '../../domain/chat.ts'
import type { ChatPlatform } from '../../platforms/platform.ts'

/** How long a thread waits for a platform that doesn't answer, ms. What it missed is read later. */
const patienceMs = 5_000

/** After a gap, hears what was said in the thread meanwhile before anything is read. Never throws. */
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
