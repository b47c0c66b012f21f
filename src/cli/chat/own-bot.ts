import { type Config, databasePlace } from '../../config/config.ts'
import { answerOf } from '../../doctor/address.ts'
import { Failure } from '../../kit/failure.ts'
import { locksOfNodes } from '../../store/lock.ts'
import { hasDatabase } from '../../store/open-database.ts'
import { seeNodes } from '../../store/see-nodes.ts'
import { loadOrThrow } from '../load.ts'
import { openStore } from '../open-store.ts'
import { cliWords } from '../words.ts'

/** As long as a busy Bobbin may take, ms. */
const askMs = 30_000

/** Where the Bobbin of this home listens. Throws `other_bobbin` if one of another home does. */
export async function ownAddress(): Promise<string> {
  const config = loadOrThrow()
  const { host, port } = config.server
  // Whoever listens everywhere can be reached here.
  const near = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${near.includes(':') ? `[${near}]` : near}:${port}`
  if (isAnyMeant(config) || (await mayRunHere(config))) return url
  if ((await answerOf({ host: near, port }, '/healthz', askMs)) === undefined) return url
  const fact = cliWords.otherBobbin({ url, dataDir: config.dataDir })
  throw new Failure('other_bobbin', fact, cliWords.otherBobbinRemedy({ url }))
}

/** Who has a token for it, or names no home and has none here, means whoever listens there: a service, a container. */
function isAnyMeant(config: Config): boolean {
  const { BOBBIN_TOKEN, BOBBIN_HOME, BOBBIN_DATA_DIR } = process.env
  return !!BOBBIN_TOKEN || !(BOBBIN_HOME || BOBBIN_DATA_DIR || hasDatabase(databasePlace(config)))
}

/** Data that can't be looked into tells nothing, so one may. */
async function mayRunHere(config: Config): Promise<boolean> {
  try {
    const place = databasePlace(config)
    if (!hasDatabase(place)) return false
    const store = await openStore(place)
    try {
      const read = () => locksOfNodes(store.db)
      return (await seeNodes(await read(), 0, read)).some(({ pulse }) => pulse !== 'ended')
    } finally {
      await store.close()
    }
  } catch {
    return true
  }
}
