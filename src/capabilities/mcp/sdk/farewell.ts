import { setTimeout as sleep } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

const farewellMs = 1_000

/** Over HTTP, a server is told that its session has ended. It may ignore that. */
export async function farewell(transport: Transport): Promise<void> {
  if (!('terminateSession' in transport) || typeof transport.terminateSession !== 'function') return
  const ended = Promise.resolve(transport.terminateSession()).catch(() => undefined)
  await Promise.race([ended, sleep(farewellMs)])
}
