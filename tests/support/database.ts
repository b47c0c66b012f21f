import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Tables } from '../../src/store/schema.ts'
import { databaseVariable, doorVariable, majorOf, postgresPrograms } from './postgres.ts'

/** Whether the tests of this project stand on PostgreSQL. */
export const onPostgres = process.env[databaseVariable] === 'postgres'

/** Since version 15 there is another way, which writes all of it into the log as well. */
const copying = majorOf(postgresPrograms ?? '') >= 15 ? 'strategy file_copy' : ''

/** The address of a database of this test's own, with the schema or without. */
export async function postgresDatabase(made: 'with schema' | 'empty' = 'with schema'): Promise<string> {
  const server = await knock()
  const name = `test_${randomBytes(8).toString('hex')}`
  const like = made === 'empty' ? '' : 'template template'
  const atHome = await keeper(server)
  await atHome.query(`create database ${name} ${like} ${copying}`)
  onTestFinished(async () => {
    await atHome.query(`drop database if exists ${name} with (force)`)
  })
  return server.replace('///postgres?', `///${name}?`)
}

let kept: Promise<pg.Client> | undefined

/** One connection for all that a worker's tests make and drop: each costs the server a process. */
function keeper(url: string): Promise<pg.Client> {
  kept ??= (async () => {
    const client = new pg.Client(url)
    client.on('error', () => {
      kept = undefined
    })
    await client.connect()
    return client
  })()
  return kept
}

/** Runs one statement in a database. */
export async function atServer<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** The server is started by the first test that asks. */
async function knock(): Promise<string> {
  const socketPath = process.env[doorVariable]
  if (socketPath === undefined) throw new Error('there is no PostgreSQL for tests')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = request({ socketPath }, async (answer) => {
    const said = await text(answer)
    if (answer.statusCode === 200) resolve(said)
    else reject(new Error(said))
  })
  asked.once('error', reject).end()
  return promise
}

/** What somebody does who wants to change the audit log. */
export const auditUnlocked = onPostgres
  ? ['drop trigger if exists audit_only_grows on audit']
  : ['drop trigger if exists audit_is_never_changed', 'drop trigger if exists audit_is_never_deleted']

/** How the database would run a query, on tables that are too large to be read. */
export const planOf = (db: Kysely<Tables>, query: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    if (onPostgres) await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql.raw(`explain ${onPostgres ? '' : 'query plan'} ${query}`).execute(tx)
    return JSON.stringify(rows)
  })
