import { Routes } from 'discord.js'
import type { Send } from './api.ts'
import { Code, codeOf } from './errors.ts'

/** Posting unarchives a thread; everything else is refused until somebody has done that. */
export async function unarchiving<T>(send: Send, channel: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    if (codeOf(thrown) !== Code.InvalidActionOnArchivedThread) throw thrown
    await send({ method: 'PATCH', route: Routes.channel(channel), body: { archived: false } })
    return await run()
  }
}
