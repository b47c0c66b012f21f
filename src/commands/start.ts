import { BobbinError, reasonOf } from '../domain/errors.ts'
import { createLog } from '../log.ts'
import { startBot } from '../main.ts'
import { openSandbox } from '../sandbox/sandbox.ts'
import { loadOrThrow } from './load.ts'

/** Runs the bot until it is told to stop. A second signal ends it without waiting. */
export async function startCommand(): Promise<number> {
  const ended = Promise.withResolvers<number>()
  const config = loadOrThrow()
  const log = createLog(config.logLevel)
  // The platforms' libraries leave promises behind when a connection breaks: that is no reason to end a bot with turns under way.
  process.on('unhandledRejection', (thrown) => {
    const stack = thrown instanceof Error ? thrown.stack : undefined
    log.error({ error: reasonOf(thrown), stack }, 'something failed that nobody waited for')
  })
  const bot = await startBot(config, {
    lostToAnother() {
      process.stderr.write('Another Bobbin has taken over this data directory; this one ends.\n')
      process.exit(1)
    },
  })
  process.stdout.write(`Bobbin is ready: ${bot.url}\n`)
  if (!config.rules.approvals) {
    process.stdout.write('Approvals are off: nothing is asked (approvals in hitl_rules.yaml).\n')
  }
  if (bot.model.practice) {
    process.stdout.write(
      'The practice model answers: it needs no account. For a real one, set MODEL_BASE_API_KEY, MODEL_BASE_BASE_URL and MODEL_BASE_ID (see .env.example).\n',
    )
  } else {
    process.stdout.write(`Model: ${bot.model.name}\n`)
  }

  const sandbox = await openSandbox()
    .facts()
    .catch((thrown: unknown) => thrown)
  if (sandbox instanceof BobbinError) {
    const what = config.sandbox.required ? 'Commands and scripts are refused' : 'Commands run without one'
    process.stdout.write(`There is no sandbox. ${what}. ${sandbox.message} ${sandbox.remedy}\n`)
  }

  let leaving = false
  const leave = () => {
    if (leaving) process.exit(1)
    leaving = true
    process.stdout.write('Stopping; what is under way goes on at the next start.\n')
    bot.stop().then(() => ended.resolve(0), ended.reject)
  }
  process.on('SIGINT', leave)
  process.on('SIGTERM', leave)
  return ended.promise
}
