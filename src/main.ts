import { addressFor } from './api/address.ts'
import { createApp } from './api/app.ts'
import { type Listening, listen } from './api/listen.ts'
import type { Config } from './config/config.ts'
import { sinkFor } from './inbound/sink.ts'
import { Jobs } from './jobs/jobs.ts'
import { unlessAborted } from './kit/abort.ts'
import { nearUrl } from './kit/net/near-url.ts'
import { once } from './kit/once.ts'
import { consolePages } from './platforms/console/pages.ts'
import { leaveTimeIfAlone } from './store/deadlines.ts'
import { noteUrl } from './store/lock.ts'
import { releaseAttempts } from './store/outbox.ts'
import { type Assembled, abilitiesOf, assemble } from './wiring/assemble.ts'
import type { Bot, Surroundings } from './wiring/bot.ts'
import { builtinCapabilities } from './wiring/capabilities.ts'
import { drain } from './wiring/drain.ts'
import { type Foundation, layFoundation } from './wiring/foundation.ts'
import { jobKinds, jobLook, startCleaning } from './wiring/looks.ts'
import { allJobs, checkCommands } from './wiring/names.ts'
import { lookAfterNodes } from './wiring/nodes.ts'
import { pluginsFor } from './wiring/plugins.ts'
import { type Step, stopOneByOne } from './wiring/stopping.ts'
import { warnOf } from './wiring/unknown-names.ts'

export type { Bot, Surroundings }

/** Loaded when the bot is ready, or with the first turn. */
const turns = () => import('./turn/work.ts')

const stopGraceMs = 5_000

/** What hasn't ended by then isn't waited for. */
const stopLimitMs = 10_000

/** Builds the whole bot and starts it. */
export async function startBot(config: Config, surroundings: Surroundings = {}): Promise<Bot> {
  const plugins = await pluginsFor(config, surroundings)
  // First, because an older version can't start any more on tables that this one has updated.
  const abilities = abilitiesOf(config, builtinCapabilities, plugins)
  const foundation = await layFoundation(config, abilities.capabilities, surroundings)
  const parts = await assemble(foundation, abilities, surroundings)
  const { store, log, report, lock, clock } = foundation
  const { bot, deliverer, hearDeps, soundness } = parts
  const { model } = parts.answering
  const { host } = config.server
  const jobs = new Jobs({ store, clock, holder: lock.holder, report })
  parts.dueLooks.add(jobLook(jobs, report))
  let listening: Listening | undefined
  const tokens = foundation.isOpen ? (await import('./api/sign-in.ts')).signInWith(store) : undefined
  const access = { tokens, host, port: () => listening?.port ?? config.server.port }
  let isStarted = false
  let token: string | undefined
  const app = await createApp({ ...parts.api, isStarted: () => isStarted }, access, consolePages)
  const stopPlatforms = once(() => Promise.all([...bot.platforms.values()].map((platform) => platform.stop())))
  const ending = { ...parts, jobs, stopPlatforms, closing: parts.closing.signal }
  const draining = once(async () => {
    if (await drain(foundation, ending)) surroundings.drained?.()
  })
  const watching = lookAfterNodes(foundation, { ...parts, jobs, drain: () => void draining() })
  const all = { ...foundation, ...parts, jobs, watching, stopPlatforms, listening: () => listening }
  const stop = () => stopOneByOne(stopLimitMs, report, stepsOf(all))

  try {
    checkCommands(bot, plugins)
    await releaseAttempts(store)
    await leaveTimeIfAlone(store, lock.holder, config.engine.silentMs)
    listening = await listen(app, host, config.server.port)
    await noteUrl(store, lock.holder, nearUrl({ host, port: listening.port }))
    await bot.capabilities.start(bot)
    const kinds = allJobs(bot, jobKinds(parts), plugins)
    warnOf(abilities.idleRules, bot.toolbox, log)
    await bot.engine.start(async (session, signal, took) => (await turns()).runSession(session, signal, bot, took))
    for (const look of [...parts.looks, ...watching]) look.start()
    await startCleaning(store)
    await jobs.run(kinds)
    await soundness?.start()
    const sinkDeps = { ...hearDeps, log, changed: deliverer.changed.bind(deliverer) }
    const starts = [...bot.platforms.values()].map((platform) => platform.start(sinkFor(platform.name, sinkDeps)))
    // A start that is still under way would otherwise continue after the stop and keep the process alive.
    await unlessAborted(surroundings.leaving ?? new AbortController().signal, () => Promise.allSettled(starts))
    await Promise.all(starts)
    await bot.presenter.takeOver()
    token = await foundation.firstToken()
  } catch (thrown) {
    await stop()
    throw thrown
  }
  isStarted = true
  parts.answering.loadSoon(turns)
  const address = addressFor(host, listening.port)
  log.debug({ address, model: model.name }, 'ready')
  return {
    url: token === undefined ? address : `${address}/?token=${token}`,
    asksForToken: foundation.isOpen,
    model,
    log,
    stop,
  }
}

interface Running extends Assembled, Foundation {
  jobs: Jobs
  watching: ReturnType<typeof lookAfterNodes>
  stopPlatforms(): Promise<unknown>
  listening(): Listening | undefined
}

/** The order in which everything ends. */
function stepsOf({
  bot,
  answering,
  lock,
  store,
  deliverer,
  looks,
  watching,
  jobs,
  closing,
  stopPlatforms,
  listening,
  parsers,
  painter,
  library,
  soundness,
  shared,
}: Running) {
  return [
    ['what streams', async () => closing.abort()],
    ['the lock', () => lock.leave()],
    ['what other processes do from now on', async () => shared?.leave()],
    ['waiting for room', async () => store.availability.leave()],
    // At once, so that other processes continue both.
    ['turns and jobs', () => Promise.all([bot.engine.stop(stopGraceMs), jobs.stop()])],
    ['messages of turns that rest', () => bot.presenter.stop()],
    ['models', async () => answering.stop()],
    // While the platforms are still connected.
    ['posting', () => deliverer.leave(stopGraceMs)],
    ['the console', async () => listening()?.close()],
    ['platforms', stopPlatforms],
    ['what is looked at now and then', () => Promise.all([...looks, ...watching].map((look) => look.stop()))],
    ...bot.capabilities.stops(bot).map(([name, stop]): Step => [`capability ${name}`, stop]),
    ['progress', () => Promise.all([bot.outputStream.stop(), bot.textStream.stop(), deliverer.idle()])],
    ['documents', () => parsers.stop()],
    ['pictures', () => painter.stop()],
    ['the document index', () => library.close()],
    ['the mark', async () => soundness?.stop()],
    ['wakes', () => bot.engine.close()],
    ['the lock', () => lock.release()],
    ['the database', () => store.close()],
  ] satisfies Step[]
}
