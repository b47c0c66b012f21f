import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { type Config, databasePlace } from '../../src/config/config.ts'
import { type Bot, type Surroundings, startBot } from '../../src/main.ts'
import { Client } from './client.ts'
import { onPostgres, postgresDatabase } from './database.ts'
import { type ModelScript, type ModelServer, startModelServer } from './model-server.ts'
import { sectionsWith, shippedConfig } from './shipped.ts'
import { layDatabase } from './sqlite-template.ts'
import { patienceMs } from './until.ts'

type Section = 'agent' | 'budgets' | 'engine' | 'tools' | 'uploads' | 'server' | 'show' | 'access' | 'keep'

export interface TestBotOptions extends Surroundings {
  /** Replies of a scripted model behind a real socket; without it, the practice model answers. */
  script?: ModelScript
  /** That model takes what other providers than OpenAI have added to the API. */
  foreign?: boolean
  /** Environment variables besides the model's, such as a platform's tokens. */
  environment?: Record<string, string>
  /** Where Slack's requests arrive without Socket Mode. */
  slackHttp?: { host: string; port: number }
  config?: { [Key in Section]?: Partial<Config[Key]> } & {
    /** Sections of capabilities, as in the file. */
    sections?: Record<string, object>
    rules?: Partial<Config['rules']>
    tiers?: Config['tiers']
    attempts?: number
    idleTimeoutMs?: number
  }
}

export interface TestBot {
  chat: Client
  dataDir: string
  /** Its database: a file, or the address of a server. */
  database: string
  config: Config
  model: ModelServer
  /** Stops the bot and starts it again on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A bot for tests that need nothing but a conversation of their own: the first starts it, and it ends after the last. */
export function sharedTestBot(options: TestBotOptions): () => Promise<TestBot> {
  let bot: Promise<TestBot> | undefined
  let end = async () => {}
  afterAll(() => end())
  return () => {
    bot ??= startTestBot(options, (leave) => {
      end = leave
    })
    return bot
  }
}

/** A complete bot on loopback with its own data, removed after the test. */
export async function startTestBot(
  options: TestBotOptions = {},
  atEnd: (leave: () => Promise<void>) => void = onTestFinished,
): Promise<TestBot> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bobbin-test-'))
  const database: Record<string, string> = onPostgres
    ? { DATABASE_URL: await postgresDatabase(), BOBBIN_NODE: 'one' }
    : {}
  const model = await startModelServer(options.script ?? [], options)
  const config = testConfig(dataDir, { ...options, environment: { ...database, ...options.environment } }, model)
  const own = join(dataDir, 'bobbin.db')
  if (databasePlace(config) === own) await layDatabase(own)
  const surroundings = { ...(await patientSlack(config)), ...options }
  let bot: Bot | undefined = await startBot(config, surroundings)
  const chat = new Client(bot.url)

  async function stop(): Promise<void> {
    await bot?.stop()
    bot = undefined
  }
  atEnd(async () => {
    await stop()
    await model.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  })
  return {
    chat,
    dataDir,
    database: databasePlace(config),
    config,
    model,
    stop,
    async restart() {
      await stop()
      bot = await startBot(config, surroundings)
      chat.url = bot.url
    },
  }
}

/** Names of people, and whatever Slack waits for, may take as long as a busy machine takes. */
async function patientSlack({ slack, discord }: Config): Promise<Surroundings> {
  if (slack === undefined || discord !== undefined) return {}
  const { slackPlatform } = await import('../../src/platforms/slack/slack.ts')
  const { usualTiming } = await import('../../src/platforms/slack/timing.ts')
  const timing = { ...usualTiming, nameMs: patienceMs, ackMs: patienceMs }
  return { platforms: (deps) => [slackPlatform(slack, deps, timing)] }
}

/** Beside others on a database, nobody is taken for silent, however busy the machine is. */
const patient = { silentMs: 600_000 }

function testConfig(
  dataDir: string,
  { script, environment, slackHttp, config = {} }: TestBotOptions,
  model: ModelServer,
): Config {
  const shipped = shippedConfig(
    {
      BOBBIN_PORT: '0',
      BOBBIN_DATA_DIR: dataDir,
      BOBBIN_LOG_LEVEL: 'silent',
      ...(script && { MODEL_BASE_API_KEY: 'test-key', MODEL_BASE_BASE_URL: model.url, MODEL_BASE_ID: 'scripted' }),
      ...environment,
    },
    dataDir,
  )
  const { slack } = shipped
  const { attempts = 3, idleTimeoutMs = 600_000, rules, tiers, sections = {}, ...own } = config
  const changed = Object.fromEntries(
    Object.entries(own).map(([name, values]) => [name, { ...shipped[name as Section], ...values }]),
  )
  const silence = { firstOutputTimeoutMs: idleTimeoutMs, idleTimeoutMs }
  const patience = { ...shipped.model.patience, attempts, ...silence, baseDelayMs: 10, maxDelayMs: 50 }
  return {
    ...shipped,
    ...changed,
    engine: { ...shipped.engine, ...(environment?.BOBBIN_NODE !== undefined && patient), ...config.engine },
    sections: sectionsWith(shipped, sections),
    slack: slackHttp && slack?.http ? { ...slack, http: slackHttp } : slack,
    rules: { ...shipped.rules, ...rules },
    tiers: { ...shipped.tiers, ...tiers },
    model: { ...shipped.model, patience },
  }
}
