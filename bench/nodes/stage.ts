import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../../src/kit/clock.ts'
import { Store } from '../../src/store/store.ts'
import { type Subject, startSubject } from '../subject.ts'
import { bobbinTurn, type TakeTurn } from '../turn.ts'
import { filling, type Size } from './fill.ts'
import { type Server, startServer } from './server.ts'

const root = resolve(import.meta.dirname, '../..')

/** A bot in a process of its own. */
export interface Bot extends Subject {
  take: TakeTurn
}

export interface BotOptions {
  /** An address of PostgreSQL; without it, it stands on SQLite in the folder. */
  database?: string
  node?: string
  /** How many turns a process runs at the same time. */
  turnsAtOnce?: number
}

export interface Stage {
  server: Server
  /** `name` is the folder of its data. */
  start(name: string, options?: BotOptions): Promise<Bot>
  /** A filled database for a bot on SQLite that starts with this name. */
  fillSqlite(name: string, size: Size): Promise<void>
  fillPostgres(url: string, size: Size): Promise<void>
  stop(): Promise<void>
}

export async function openStage(scratch: string): Promise<Stage> {
  const server = await startServer(join(scratch, 'postgres'))
  const model = await startSubject([join(root, 'bench/model.ts')], '')
  const bots: Bot[] = []
  return {
    server,
    async start(name, { database, node, turnsAtOnce }: BotOptions = {}) {
      const config = join(scratch, `config-${turnsAtOnce}`)
      await mkdir(config, { recursive: true })
      const engine = turnsAtOnce === undefined ? {} : { engine: { turns_at_once: turnsAtOnce } }
      await writeFile(join(config, 'bobbin.yaml'), JSON.stringify(engine))
      const subject = await startSubject([join(root, 'src/bin.js'), 'start'], '/health', {
        MODEL_BASE_BASE_URL: model.url,
        MODEL_BASE_ID: 'bench',
        MODEL_BASE_API_KEY: 'none',
        BOBBIN_PORT: '0',
        BOBBIN_LOG_LEVEL: 'silent',
        BOBBIN_CONFIG_DIR: config,
        BOBBIN_DATA_DIR: join(scratch, name),
        ...(database !== undefined && { DATABASE_URL: database, BOBBIN_NODE: node ?? 'one' }),
      })
      let stopped: Promise<void> | undefined
      const stop = () => {
        stopped ??= subject.stop()
        return stopped
      }
      const bot = { ...subject, stop, take: bobbinTurn(subject.url) }
      bots.push(bot)
      return bot
    },
    async fillSqlite(name, size) {
      await mkdir(join(scratch, name), { recursive: true })
      const place = join(scratch, name, 'bobbin.db')
      await (await Store.open(place, systemClock)).close()
      const database = new Sqlite(place)
      database.pragma('foreign_keys = off')
      for (const statement of filling(size, Date.now())) database.exec(statement)
      database.close()
    },
    async fillPostgres(url, size) {
      await (await Store.open(url, systemClock)).close()
      await server.run(
        url,
        ['set session_replication_role = replica', ...filling(size, Date.now()), 'analyze'].join(';\n'),
      )
    },
    async stop() {
      await Promise.all([...bots, model].map((one) => one.stop()))
      await server.stop()
    },
  }
}
