import type { TestBot, TestBotOptions } from '../support/bot.ts'
import { startTestBot } from '../support/bot.ts'

/** Another process on the database of a bot, as far as a test can tell them apart. */
export const startBeside = (first: TestBot, name: string, options: TestBotOptions = {}): Promise<TestBot> =>
  startTestBot({
    ...options,
    environment: { DATABASE_URL: first.database, BOBBIN_NODE: name, BOBBIN_DATA_DIR: first.dataDir },
  })
