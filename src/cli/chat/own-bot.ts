import { databasePlace } from '../../config/config.ts'
import { answerOf } from '../../doctor/address.ts'
import { Failure } from '../../kit/failure.ts'
import { nearUrl } from '../../kit/net/near-url.ts'
import { locksOfNodes } from '../../store/lock.ts'
import { hasDatabase } from '../../store/place.ts'
import { type NodeSeen, seeNodes } from '../../store/see-nodes.ts'
import type { Home } from '../home.ts'
import { loadOrThrow } from '../load.ts'
import { openStore } from '../open-store.ts'
import { cliWords } from '../words.ts'

/** As long as a busy Bobbin may take, ms. */
const askMs = 30_000

/** Where the Bobbin of this home listens. Throws `other_bobbin` if it isn't running, but one of another home is. */
export async function ownAddress({ isNamed }: Home): Promise<string> {
  const config = loadOrThrow()
  const usual = nearUrl(config.server)
  let bots: NodeSeen[] | undefined
  try {
    bots = await botsOn(databasePlace(config))
  } catch {
    // Data that can't be looked into tells nothing.
    return usual
  }
  const urls = (bots ?? []).flatMap(({ url }) => url ?? [])
  const [own] = urls
  if (own !== undefined) return urls.includes(usual) ? usual : own
  // Who has a token for it, or names no home and has no data here, means whoever listens there, such as a container.
  const isAnyMeant = !!process.env.BOBBIN_TOKEN || (bots === undefined && !isNamed)
  // One that is on another machine, or in a container, doesn't say where it is reached from here.
  if (isAnyMeant || (bots !== undefined && bots.length > 0)) return usual
  if ((await answerOf(usual, '/healthz', askMs)) === undefined) return usual
  const fact = cliWords.otherBobbin({ url: usual, dataDir: config.dataDir })
  throw new Failure('other_bobbin', fact, cliWords.otherBobbinRemedy({ url: usual }))
}

/** Those that haven't ended; undefined if there is no database. */
async function botsOn(place: string): Promise<NodeSeen[] | undefined> {
  if (!hasDatabase(place)) return undefined
  const store = await openStore(place)
  try {
    const read = () => locksOfNodes(store.db)
    return (await seeNodes(await read(), 0, read)).filter(({ pulse }) => pulse !== 'ended')
  } finally {
    await store.close()
  }
}
