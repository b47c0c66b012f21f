import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Config } from '../../src/config/config.ts'
import { startBot } from '../../src/main.ts'
import type { InboundSink } from '../../src/platforms/inbound-sink.ts'
import { Connection } from '../support/memory/connection.ts'
import { Troubles } from '../support/memory/troubles.ts'
import { World as Place } from '../support/memory/world.ts'
import { type RequestBody, type ScriptedReply, says, startModelServer } from '../support/model-server.ts'
import { sectionsWith, shippedConfig } from '../support/shipped.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import type { Lab } from './lab.ts'
import { limits, type Setting } from './settings.ts'

/** Plays the model in a channel. */
type Answers = (body: RequestBody) => ScriptedReply | undefined

/** A complete bot on an in-memory chat platform. */
export interface HostileBot {
  dataDir: string
  config: Config
  place: Place
  url: string
  sink(): InboundSink
  clock: { now(): number; pass(ms: number): void }
  /** By the channel's id. */
  answers: Map<string, Answers>
  modelRequests: { channel: string; body: RequestBody }[]
  rows(query: string, ...values: string[]): Record<string, unknown>[]
  change(statement: string): void
  restart(): Promise<void>
  stop(): Promise<void>
}

const channelOf = (body: RequestBody): string =>
  /\nPlatform: memory\. Channel: "([a-z0-9-]+)/.exec(`${body.messages[0]?.content}`)?.[1] ?? ''

export async function startHostileBot(lab: Lab, setting: Setting, name: string): Promise<HostileBot> {
  const dataDir = join(lab.directory, name)
  await mkdir(dataDir, { recursive: true })
  const answers = new Map<string, Answers>()
  const modelRequests: HostileBot['modelRequests'] = []
  const model = await startModelServer((body) => {
    const channel = channelOf(body)
    modelRequests.push({ channel, body })
    return answers.get(channel)?.(body) ?? says('I am done.')
  })
  const config = configOf(lab, setting, dataDir, model.url)
  let passed = 0
  const place = new Place(() => Date.now() + passed)
  const clock = {
    now: () => Date.now() + passed,
    pass(ms: number) {
      passed += ms
    },
  }
  let connection: Connection | undefined
  const start = () =>
    startBot(config, {
      clock,
      web: lab.web,
      sandbox: lab.sandbox,
      ...(setting.plugins && { plugins: setting.plugins }),
      platforms: (deps) => {
        connection = new Connection(place, new Troubles(), deps)
        return [connection]
      },
    })
  const file = join(dataDir, 'bobbin.db')
  await layDatabase(file)
  let bot = await start()
  const db = new Database(file, { readonly: true })
  return {
    dataDir,
    config,
    place,
    clock,
    answers,
    modelRequests,
    get url() {
      return bot.url
    },
    sink() {
      if (connection?.sink === undefined) throw new Error('the bot is not connected')
      return connection.sink
    },
    rows: (query, ...values) => db.prepare<string[], Record<string, unknown>>(query).all(...values),
    change(statement) {
      const writing = new Database(file)
      writing.exec(statement)
      writing.close()
    },
    async restart() {
      await bot.stop()
      bot = await start()
    },
    async stop() {
      db.close()
      await bot.stop()
      await model.close()
    },
  }
}

function configOf(lab: Lab, setting: Setting, dataDir: string, modelUrl: string): Config {
  const { slack, discord, model } = lab.canaries
  const config = shippedConfig(
    {
      BOBBIN_PORT: '0',
      BOBBIN_DATA_DIR: dataDir,
      BOBBIN_LOG_LEVEL: 'debug',
      SLACK_BOT_TOKEN: slack,
      SLACK_APP_TOKEN: `xapp-1-${slack.slice(5)}`,
      DISCORD_TOKEN: discord,
      MODEL_BASE_API_KEY: model,
      MODEL_BASE_BASE_URL: modelUrl,
      MODEL_BASE_ID: 'scripted',
    },
    dataDir,
  )
  const { uploads, agent, engine, tools, keep, access } = config
  const own = setting.config ?? {}
  return {
    ...config,
    sections: sectionsWith(config, { ...limits.sections, ...own.sections }),
    uploads: { ...uploads, ...limits.uploads, ...own.uploads },
    agent: { ...agent, ...limits.agent, ...own.agent },
    engine: { ...engine, ...limits.engine, ...own.engine },
    tools: { ...tools, ...own.tools },
    keep: { ...keep, ...own.keep },
    access: { ...access, ...own.access },
    // Only answers and cards, because progress messages come and go.
    show: { ...config.show, firstMs: 600_000 },
    rules: { ...config.rules, ...setting.rules },
    tiers: { ...config.tiers, ...setting.tiers },
    model: {
      ...config.model,
      patience: {
        ...config.model.patience,
        attempts: 2,
        firstOutputTimeoutMs: 600_000,
        idleTimeoutMs: 600_000,
        baseDelayMs: 10,
        maxDelayMs: 50,
      },
    },
  }
}
