import type { TestBot, TestBotOptions } from '../support/bot.ts'
import { startTestBot } from '../support/bot.ts'
import { openPlace, type Place, type ProcessOptions } from '../support/bot-process.ts'
import { atServer, postgresDatabase } from '../support/database.ts'

/** Another process on the database of a bot, as far as a test can tell them apart. */
export const startBeside = (first: TestBot, name: string, options: TestBotOptions = {}): Promise<TestBot> =>
  startTestBot({
    ...options,
    environment: {
      ...options.environment,
      ...{ DATABASE_URL: first.database, BOBBIN_NODE: name, BOBBIN_DATA_DIR: first.dataDir },
    },
  })

/** Nobody is taken for silent, however busy the machine is. A test in which one dies says how long the others wait. */
export const patient = { engine: { silent_ms: 600_000 } }

/**
 * Of one that is about to end, beside others that wait ten seconds for it: it takes none of them for silent so soon, and, as
 * it beats five times as often, isn't taken for silent itself before.
 */
export const steady = { engine: { silent_ms: 25_000 } }

/** A database and a disk for several processes. */
export async function openNodes(common: ProcessOptions = {}) {
  const url = await postgresDatabase()
  return {
    url,
    /** Where one of them is started. */
    place: (name: string, own: ProcessOptions = {}): Promise<Place> =>
      openPlace({
        ...common,
        ...own,
        settings: { ...patient, ...common.settings, ...own.settings },
        environment: { DATABASE_URL: url, BOBBIN_NODE: name, ...common.environment, ...own.environment },
      }),
    /** Who holds the lock of this name. */
    async holder(lock: string): Promise<string | undefined> {
      const [row] = await atServer<{ node: string }>(
        url,
        `select nodes.name as node from locks join locks as nodes on nodes.holder = locks.holder
         where locks.name = '${lock}' and nodes.name like 'node %'`,
      )
      return row?.node.slice('node '.length)
    },
  }
}
