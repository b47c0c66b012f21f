import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { openFindings } from '../doctor/open-to-others.ts'
import { Failure, reasonOf, sentencesOf } from '../kit/failure.ts'
import type { Log } from '../kit/log.ts'
import { lateSandbox } from '../kit/sandbox/late.ts'
import { createSecrets } from '../kit/secrets/secrets.ts'
import { growYoungSpace } from '../kit/young-space.ts'
import { type Bot, startBot } from '../main.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { createLog } from '../wiring/log.ts'
import { stackOf } from '../wiring/reports.ts'
import { ownSecrets } from '../wiring/secrets.ts'
import { requiresSandbox } from '../wiring/settings.ts'
import { envFileFindings, loneNode } from './env-file.ts'
import { type Home, homeLines } from './home.ts'
import { loadOrThrow } from './load.ts'
import { modelRefusal } from './model-refusal.ts'
import { takesNone } from './usage.ts'
import { cliWords } from './words.ts'

/** The sandbox is checked once the bot is idle, because that starts programs, ms. */
const sandboxAfterMs = 1_000

/** By then everything a turn needs is loaded, even on a busy machine, ms. */
const loadedAfterMs = 5_000

/** Whoever waits for another process is told so, ms. */
const slowAfterMs = 3_000

/** How long a replaced process may still write, ms. */
const lastWordsMs = 1_000

/**
 * Runs the bot until it is told to stop, and then ends the process: a tool that ignores its signal might keep it alive.
 */
export async function startCommand(args: string[], home: Home): Promise<number> {
  takesNone('start', args, cliWords.addressRemedy())
  // Nobody may read its output any more, or the disk for it may be full: that ends no bot.
  process.stdout.removeAllListeners('error')
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const config = loadOrThrow()
  tellOfEnvironment(home, config)
  // Whether there is any data yet is only known before.
  const where = homeLines(home, process.env.DATABASE_URL)
  // The bot's own log also knows the secrets of plug-ins, and those that come later.
  let log: Log = createLog(config.logLevel, createSecrets(ownSecrets(config, builtinCapabilities)).mask)
  // The platforms' libraries leave rejected promises behind when a connection breaks. That is no reason to end a bot
  // with running turns.
  process.on('unhandledRejection', (thrown) => {
    log.error({ error: reasonOf(thrown), stack: stackOf(thrown) }, 'a background promise failed')
  })
  const leaving = untilToldToLeave()
  let bot: Bot
  const slow = setTimeout(() => {
    process.stdout.write(`${cliWords.startIsSlow({ dataDir: config.dataDir })}\n`)
  }, slowAfterMs)
  try {
    bot = await startBot(config, {
      leaving,
      drained() {
        process.stdout.write('Drained: other processes do the work now. Start this one again to undo it.\n')
      },
      lostToAnother() {
        process.stderr.write(`${cliWords.lostToAnother()}\n`)
        // Leaves time to check the messages it was changing when it froze, so that the other process can set them
        // right.
        setTimeout(() => process.exit(1), lastWordsMs)
      },
    })
  } catch (thrown) {
    if (leaving.aborted) process.exit(0)
    throw thrown
  } finally {
    clearTimeout(slow)
  }
  log = bot.log
  const stop = () => void bot.stop().finally(() => process.exit(0))
  if (leaving.aborted) stop()
  leaving.addEventListener('abort', stop)
  if (bot.asksForToken) where.unshift(...aboutToken(bot.url))
  process.stdout.write(`${cliWords.bobbinReady({ url: bot.url, where: where.join('\n') })}\n`)
  if (!config.rules.approvals) {
    process.stdout.write(`${cliWords.approvalsOff()}\n`)
  }
  if (bot.model.practice) {
    process.stdout.write(`${cliWords.practiceModelAnswers()}\n`)
  } else {
    process.stdout.write(`Model: ${bot.model.name}\n`)
  }

  // Node writes its compile cache only at a normal exit, and a bot may be killed at any time.
  flushCompileCache()
  await sleep(sandboxAfterMs)
  flushCompileCache()
  // Nothing that is only looked at ends a bot that runs, such as want of descriptors.
  await tellWhatLacks(config).catch((thrown: unknown) => {
    log.warn({ error: reasonOf(thrown), stack: stackOf(thrown) }, 'looking at the sandbox and the model failed')
  })
  await sleep(loadedAfterMs)
  flushCompileCache()
  growYoungSpace()
  return new Promise(() => {})
}

/** Says what the sandbox and the model lack. */
async function tellWhatLacks(config: Config): Promise<void> {
  const sandbox = await lateSandbox()
    .facts()
    .catch((thrown: unknown) => thrown)
  if (sandbox instanceof Failure) {
    const { message, remedy } = sandbox
    const said = requiresSandbox(config) ? cliWords.sandboxMissingClosed : cliWords.sandboxMissingOpen
    process.stdout.write(`${said({ reason: message, remedy })}\n`)
  }

  const refused = await modelRefusal(config)
  if (refused !== undefined) process.stdout.write(`${cliWords.modelRefused({ refused })}\n`)
}

/** Before the start, which may fail because of it. */
function tellOfEnvironment(home: Home, { variables }: Config): void {
  const { envFile } = home
  const ofFile = envFile === undefined ? [] : envFileFindings(envFile, Object.keys(variables))
  for (const { fact, remedy } of [...ofFile, ...openFindings(home), ...loneNode(process.env)])
    process.stdout.write(`${sentencesOf({ message: fact, remedy: remedy.join(' ') })}\n`)
}

/** The first token is printed when it is made, and never again. */
const aboutToken = (url: string): string[] =>
  url.includes('?token=') ? [cliWords.tokenInAddress()] : [cliWords.consoleTokenRemedy()]

/** Aborted by the first signal; a second one ends the process at once. */
function untilToldToLeave(): AbortSignal {
  const leaving = new AbortController()
  const leave = () => {
    if (leaving.signal.aborted) process.exit(1)
    process.stdout.write('Stopping. Unfinished work continues at the next start.\n')
    leaving.abort()
  }
  process.on('SIGINT', leave)
  process.on('SIGTERM', leave)
  // The terminal was closed. Its shell and bin.js may say so again, which doesn't mean "at once".
  process.on('SIGHUP', () => {
    if (!leaving.signal.aborted) leave()
  })
  return leaving.signal
}
