import { existsSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { eventually, until } from '../support/until.ts'
import { startBeside } from './support.ts'

async function pdf(text: string): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage([595, 842]).drawText(text, { x: 60, y: 700 })
  return document.save()
}

const script = ({ messages }: RequestBody) =>
  messages.at(-1)?.role === 'tool' ? says('Read.') : calls('read_file', { path: 'uploads/a.pdf' })

/** How many documents an index has. */
function documentsIn(file: string): number {
  using database = new DatabaseSync(file, { readOnly: true })
  return Number(database.prepare('SELECT count(*) AS count FROM documents').get()?.count)
}

test('the text of a deleted thread goes from the indexes of other processes too', async () => {
  const options = { script, config: { engine: { clockMs: 20 } } }
  const one = await startTestBot(options)
  const two = await startBeside(one, 'two', options)
  await one.stop()
  const { conversation } = await two.chat.say('Read it.', { files: { 'a.pdf': await pdf('The heron stands.') } })
  const index = join(one.dataDir, 'index-two.db')
  // It may be there before it has tables.
  await eventually(() => expect(documentsIn(index)).toBe(1))
  await two.stop()
  await one.restart()
  const address = `${one.chat.url}/api/v1/agent/conversations/${conversation}`
  expect((await fetch(address, { method: 'DELETE' })).status).toBe(200)
  await until('it is erased', () => rowsIn(one.database, 'select 1 from messages').length === 0)
  await two.restart()
  await until('two has forgotten it', () => documentsIn(index) === 0)
})

test('an index of a process that is gone for days is removed', async () => {
  const bot = await startTestBot()
  const [gone, stopped] = [join(bot.dataDir, 'index-gone.db'), join(bot.dataDir, 'index-stopped.db')]
  await bot.stop()
  for (const file of [gone, `${gone}-wal`, stopped]) await writeFile(file, 'The heron stands.')
  const longAgo = new Date(Date.now() - 4 * 86_400_000)
  for (const file of [gone, `${gone}-wal`]) await utimes(file, longAgo, longAgo)
  await bot.restart()
  await until('it is gone', () => !existsSync(gone) && !existsSync(`${gone}-wal`))
  expect(existsSync(stopped)).toBe(true)
})
