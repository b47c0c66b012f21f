import { once } from 'node:events'
import { createServer } from 'node:net'
import { broken, type Finding, fine } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'
import { nearUrl } from '../kit/net/near-url.ts'
import { doctorWords } from './words.ts'

const askMs = 2_000

export interface Address {
  host: string
  port: number
}

/** Whether the console can listen where it is told to, or the Bobbin of this data directory does already. */
export async function* addressFindings(
  { host, port }: Address,
  isOwn: (port: number) => Promise<boolean>,
): AsyncGenerator<Finding> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    yield fine(doctorWords.addressFree({ host, port }))
  } catch (thrown) {
    const isTaken = (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (isTaken && (await isBobbin(nearUrl({ host, port }))))
      yield (await isOwn(port))
        ? fine(doctorWords.alreadyListening({ host, port }))
        : broken(doctorWords.otherBobbinListens({ host, port }), doctorWords.portTakenRemedy())
    else if (isTaken) yield broken(doctorWords.portTaken({ port, host }), doctorWords.portTakenRemedy())
    else
      yield broken(
        doctorWords.addressUnusable({ host, port, reason: reasonOf(thrown) }),
        doctorWords.addressUnusableRemedy(),
      )
  } finally {
    server.close()
  }
}

async function isBobbin(url: string): Promise<boolean> {
  const answer = await answerOf(url, '/healthz')
  return typeof answer === 'object' && answer !== null && 'status' in answer
}

/** What a Bobbin answers without a token; undefined if nobody answers, or in another way. */
export async function answerOf(url: string, path: '/healthz' | '/readyz', withinMs = askMs): Promise<unknown> {
  try {
    return await (await fetch(`${url}${path}`, { signal: AbortSignal.timeout(withinMs) })).json()
  } catch {
    return undefined
  }
}
