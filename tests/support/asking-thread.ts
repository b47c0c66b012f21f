import { parentPort } from 'node:worker_threads'
import pg from 'pg'
import type { Answer, Ask } from './ask-postgres.ts'

/** The thread behind ask-postgres.ts. It keeps one connection, to the database that was asked last. */
let kept: { url: string; client: pg.Client } | undefined

parentPort?.on('message', async ({ url, statements, port, isAnswered }: Ask) => {
  port.postMessage(await answer(url, statements))
  Atomics.store(isAnswered, 0, 1)
  Atomics.notify(isAnswered, 0)
})

async function answer(url: string, statements: string): Promise<Answer> {
  try {
    const { client } = await connected(url)
    const results = [await client.query<{ found: unknown }>(statements)].flat()
    return { found: results.at(-1)?.rows[0]?.found }
  } catch (thrown) {
    return { failure: String(thrown) }
  }
}

async function connected(url: string): Promise<{ client: pg.Client }> {
  if (kept?.url === url) return kept
  await kept?.client.end()
  const client = new pg.Client(url)
  const here = { url, client }
  // The server ended, or the database was dropped.
  client.on('error', () => {
    if (kept === here) kept = undefined
  })
  kept = undefined
  await client.connect()
  kept = here
  return here
}
