import { setTimeout as sleep } from 'node:timers/promises'
import type { BotProcess } from './process.ts'
import { isAboutToPost, isBeingWritten } from './spy.ts'

/**
 * SIGSTOP, at a moment when no transaction is open: SQLite's own lock would keep everybody out. And when no message is about
 * to be posted: that call would be made at the thaw, after another process had posted, and no fence reaches so far.
 */
export async function freezeBetweenWrites(bot: BotProcess, databaseFile: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    bot.signal('SIGSTOP')
    await sleep(5)
    if (!isBeingWritten(databaseFile) && !isAboutToPost(databaseFile)) return tries
    bot.signal('SIGCONT')
    await sleep(3)
  }
}
