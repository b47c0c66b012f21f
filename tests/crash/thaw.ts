import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../support/client.ts'
import { type ModelScript, startModelServer } from '../support/model-server.ts'
import { patienceMs, until } from '../support/until.ts'
import { type Rows, readRows } from './check/rows.ts'
import { startEffects } from './effects.ts'
import { freezeBetweenWrites } from './freeze.ts'
import { type BotProcess, spawnBot } from './process.ts'
import { untilQuiet } from './quiet.ts'
import { realDisk } from './real-disk.ts'
import { writeConfig } from './settings.ts'
import { installSpy } from './spy.ts'
import { storedIn } from './stored.ts'

const never = 2 ** 31 - 1

/**
 * Freezes a bot in the middle of a turn, lets another take over and end the turn, and thaws the first, which can learn
 * of it only from the fence. Returns all rows from before the thaw, and from a while after it, or once they have changed.
 */
export async function thawAfterTakeover(
  root: string,
  script: ModelScript,
  frozenAt: string,
  upTo: 'a while' | 'a write' = 'a while',
): Promise<{ before: Rows; after: Rows; requests: number }> {
  const directory = await mkdtemp(join(realDisk, 'bobbin-thaw-'))
  const effects = await startEffects(() => 1)
  const model = await startModelServer(script)
  const dataDir = join(directory, 'data')
  await mkdir(dataDir)
  const databaseFile = join(dataDir, 'bobbin.db')
  const stored = storedIn(databaseFile)
  const deaf = { silent_ms: never, sweep_ms: never, clock_ms: never }
  const surroundings = { root, dataDir, modelUrl: model.url, logFile: join(directory, 'bot.log') }
  const lives: BotProcess[] = []
  const start = async (name: string, engine: object): Promise<{ bot: BotProcess; chat: Client }> => {
    const bot = spawnBot({ ...surroundings, configDir: await writeConfig(join(directory, name), effects.url, engine) })
    lives.push(bot)
    return { bot, chat: new Client(await bot.ready) }
  }
  try {
    const first = await start('deaf', deaf)
    installSpy(databaseFile)
    const response = await first.chat.send('begin', { user: 'ana' })
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await first.chat.until(conversation, ({ type }) => type === frozenAt)
    await freezeBetweenWrites(first.bot, databaseFile)

    const second = await start('taking-over', { silent_ms: 500, sweep_ms: 200, clock_ms: 100 })
    await second.chat.until(conversation, ({ type, data }) => type === 'message' && data.role === 'assistant')
    // Replies of its model and tool are waiting in its sockets.
    await sleep(1_500)
    await untilQuiet(stored, patienceMs)
    const before = await readRows(stored)
    first.bot.signal('SIGCONT')
    if (upTo === 'a write') {
      const isWritten = async () => JSON.stringify(await readRows(stored)) !== JSON.stringify(before)
      await until('the thawed one to write', isWritten)
    }
    for (let round = 0; upTo === 'a while' && round < 20; round++) {
      await (await fetch(`${first.chat.url}/health`)).arrayBuffer()
      await sleep(50)
    }
    return { before, after: await readRows(stored), requests: model.requests.length }
  } finally {
    for (const life of lives) life.signal('SIGKILL')
    await Promise.all(lives.map(({ ended }) => ended))
    await Promise.all([effects.close(), model.close()])
    await rm(directory, { recursive: true, force: true })
  }
}
