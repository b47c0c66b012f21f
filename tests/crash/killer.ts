import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../support/until.ts'
import { freezeBetweenWrites } from './freeze.ts'
import type { Keeper } from './keeper.ts'
import type { Ledger } from './ledger.ts'
import type { Moment, PlannedKill } from './plan.ts'
import { type BotProcess, type Surroundings, spawnBot } from './process.ts'
import { lockHolder } from './spy.ts'

export interface Killing {
  surroundings: Surroundings
  databaseFile: string
  /** Checks its lock so rarely that it doesn't notice a takeover for seconds. */
  numbConfigDir: string
  keeper: Keeper
  ledger: Ledger
  say(line: string): void
  /** Resolves when such an event happens, or after a long wait. Only used if the plan has such kills. */
  moment?(what: Moment): Promise<void>
  /** Every process, for the clean-up. */
  lives: BotProcess[]
}

export interface Killed {
  complaints: string[]
  frozen: number
  /** Freezes that hit an open transaction are released and tried again, because SQLite's lock would block everybody. */
  inTransaction: number
}

/** Kills as planned, and leaves a running bot at the end. */
export async function killAsPlanned(
  plan: PlannedKill[],
  killing: Killing,
): Promise<{ bot: BotProcess; killed: Killed }> {
  const { surroundings, keeper, say } = killing
  const killed: Killed = { complaints: [], frozen: 0, inTransaction: 0 }
  let bot: BotProcess | undefined

  const spawn = (numb = false) => {
    const started = spawnBot(numb ? { ...surroundings, configDir: killing.numbConfigDir } : surroundings)
    killing.lives.push(started)
    started.ended.then(() => killed.complaints.push(...started.complaints))
    return started
  }
  const running = async (numb = false): Promise<BotProcess> => {
    const started = spawn(numb)
    keeper.isReady(started, await started.ready)
    return started
  }

  for (const [at, kill] of plan.entries()) {
    say(`kill ${at + 1} of ${plan.length}: ${JSON.stringify(kill)}`)
    if (kill.kind === 'freeze') {
      // A process can only be made numb when it starts.
      if (kill.numb && bot !== undefined) await end(bot, killing)
      const first: BotProcess = kill.numb || bot === undefined ? await running(kill.numb) : bot
      await sleep(kill.afterMs)
      bot = await freeze(first, kill, running, killed, killing)
      continue
    }
    if (kill.kind === 'starting') {
      if (bot !== undefined) await end(bot, killing)
      const started = spawn()
      await Promise.race([sleep(kill.afterMs), started.ended])
      await end(started, killing)
      bot = undefined
      continue
    }
    bot ??= await running()
    if (kill.kind === 'moment') await killing.moment?.(kill.what)
    await sleep(kill.afterMs)
    await end(bot, killing)
    bot = undefined
  }
  return { bot: bot ?? (await running()), killed }
}

async function end(bot: BotProcess, { keeper, ledger }: Killing): Promise<void> {
  bot.signal('SIGKILL')
  const how = await bot.ended
  keeper.lost(bot)
  if (how !== 'SIGKILL') ledger.fault('ended', `process ${bot.pid} ended by itself: ${how}`)
}

async function freeze(
  first: BotProcess,
  { workMs }: Extract<PlannedKill, { kind: 'freeze' }>,
  running: () => Promise<BotProcess>,
  killed: Killed,
  { databaseFile, keeper, ledger, say }: Killing,
): Promise<BotProcess> {
  say(`process ${first.pid} freezes`)
  const holder = await lockHolder(databaseFile)
  killed.inTransaction += await freezeBetweenWrites(first, databaseFile)
  killed.frozen++
  const second = await running()
  say(`process ${second.pid} took over`)
  keeper.lost(first)
  await sleep(workMs)
  first.signal('SIGCONT')
  const how = await Promise.race([first.ended, sleep(patienceMs, 'still there')])
  if (how !== 1) ledger.fault('thawed', `process ${first.pid} (${holder}) was thawed and ended so: ${how}`)
  if (how === 'still there') first.signal('SIGKILL')
  return second
}
