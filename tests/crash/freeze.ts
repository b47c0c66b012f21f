import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../support/until.ts'
import type { BotProcess } from './process.ts'
import { isAboutToPost, isBeingWritten } from './spy.ts'

const lookMs = 10

/**
 * Sends SIGSTOP while no transaction is open, because SQLite's lock would block everybody, and while no message is about to
 * be posted, because no fence can stop that call from going out at the thaw, after another process has posted. Returns how
 * many tries that took. Throws if there is no such moment for minutes.
 */
export async function freezeBetweenWrites(bot: BotProcess, databaseFile: string): Promise<number> {
  const end = Date.now() + patienceMs
  for (let tries = 0; Date.now() < end; tries++) {
    // It runs meanwhile: stopped again and again, it would take ever longer to post.
    while ((await isAboutToPost(databaseFile)) && Date.now() < end) await sleep(lookMs)
    bot.signal('SIGSTOP')
    await sleep(5)
    if (!isBeingWritten(databaseFile) && !(await isAboutToPost(databaseFile))) return tries
    bot.signal('SIGCONT')
    await sleep(3)
  }
  throw new Error(`for ${patienceMs} ms, process ${bot.pid} was always about to write or to post`)
}
