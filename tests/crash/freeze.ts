import { setTimeout as sleep } from 'node:timers/promises'
import type { BotProcess } from './process.ts'
import { isAboutToPost, isBeingWritten } from './spy.ts'

/**
 * Sends SIGSTOP while no transaction is open, because SQLite's lock would block everybody, and while no message is about to
 * be posted, because no fence can stop that call from going out at the thaw, after another process has posted.
 */
export async function freezeBetweenWrites(bot: BotProcess, databaseFile: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    bot.signal('SIGSTOP')
    await sleep(5)
    if (!isBeingWritten(databaseFile) && !(await isAboutToPost(databaseFile))) return tries
    bot.signal('SIGCONT')
    await sleep(3)
  }
}
