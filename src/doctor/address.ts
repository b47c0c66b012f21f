import { once } from 'node:events'
import { createServer } from 'node:net'
import { broken, type Finding, fine } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'
import { doctorWords } from './words.ts'

const askMs = 2_000

export interface Address {
  host: string
  port: number
}

/** Whether the console can listen where it is told to, or the Bobbin of this data directory does already. */
export async function* addressFindings(
  { host, port }: Address,
  runsHere: () => Promise<boolean>,
): AsyncGenerator<Finding> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    yield fine(doctorWords.addressFree({ host, port }))
  } catch (thrown) {
    const isTaken = (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (isTaken && (await isBobbin({ host, port })))
      yield (await runsHere())
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

async function isBobbin(address: Address): Promise<boolean> {
  const answer = await answerOf(address, '/healthz')
  return typeof answer === 'object' && answer !== null && 'status' in answer
}

/** What a Bobbin answers without a token; undefined if nobody answers, or in another way. */
export async function answerOf(
  { host, port }: Address,
  path: '/healthz' | '/readyz',
  withinMs = askMs,
): Promise<unknown> {
  try {
    const address = host.includes(':') ? `[${host}]` : host
    return await (await fetch(`http://${address}:${port}${path}`, { signal: AbortSignal.timeout(withinMs) })).json()
  } catch {
    return undefined
  }
}
