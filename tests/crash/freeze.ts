import { setTimeout as sleep } from 'node:timers/promises'
import type { BotProcess } from './process.ts'
import { isBeingWritten } from './spy.ts'

/** SIGSTOP, at a moment when no transaction is open: SQLite's own lock would keep everybody out. */
export async function freezeBetweenWrites(bot: BotProcess, databaseFile: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    bot.signal('SIGSTOP')
    await sleep(5)
    if (!isBeingWritten(databaseFile)) return tries
    bot.signal('SIGCONT')
    await sleep(3)
  }
}
