import { type Config, databasePlace } from '../../config/config.ts'
import { answerOf } from '../../doctor/address.ts'
import { Failure } from '../../kit/failure.ts'
import { locksOfNodes } from '../../store/lock.ts'
import { hasDatabase } from '../../store/open-database.ts'
import { seeNodes } from '../../store/see-nodes.ts'
import { loadOrThrow } from '../load.ts'
import { openStore } from '../open-store.ts'
import { cliWords } from '../words.ts'

/** Where the Bobbin of this home listens. Throws `other_bobbin` if one of another home does. */
export async function ownAddress(): Promise<string> {
  const config = loadOrThrow()
  const { host, port } = config.server
  // Whoever listens everywhere can be reached here.
  const near = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${near.includes(':') ? `[${near}]` : near}:${port}`
  if ((await answerOf({ host: near, port }, '/healthz')) === undefined || (await mayRunHere(config))) return url
  const fact = cliWords.otherBobbin({ url, dataDir: config.dataDir })
  throw new Failure('other_bobbin', fact, cliWords.otherBobbinRemedy({ url }))
}

/** Data that can't be looked into tells nothing, so one may. */
async function mayRunHere(config: Config): Promise<boolean> {
  try {
    const place = databasePlace(config)
    if (!hasDatabase(place)) return false
    const store = await openStore(place)
    try {
      const read = () => locksOfNodes(store.db)
      return (await seeNodes(await read(), config.engine.silentMs, read)).some(({ pulse }) => pulse !== 'ended')
    } finally {
      await store.close()
    }
  } catch {
    return true
  }
}
