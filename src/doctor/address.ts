import { once } from 'node:events'
import { createServer } from 'node:net'
import { broken, type Finding, fine } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'
import { doctorWords } from './words.ts'

const askMs = 2_000

/** Whether the console can listen where it is told to, or the Bobbin of this data directory does already. */
export async function* addressFindings(
  { host, port }: { host: string; port: number },
  runsHere: () => Promise<boolean>,
): AsyncGenerator<Finding> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    yield fine(doctorWords.addressFree({ host, port }))
  } catch (thrown) {
    const isTaken = (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (isTaken && (await isBobbin(host, port)))
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

/** Asks what any Bobbin answers without a token. */
async function isBobbin(host: string, port: number): Promise<boolean> {
  try {
    const address = host.includes(':') ? `[${host}]` : host
    const signal = AbortSignal.timeout(askMs)
    const answer: unknown = await (await fetch(`http://${address}:${port}/healthz`, { signal })).json()
    return typeof answer === 'object' && answer !== null && 'status' in answer
  } catch {
    return false
  }
}
