import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { hang } from '../support/model-server.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere as bobbin } from './support.ts'

test('on SQLite nodes shows the one process and what it runs, and there is nothing to drain', async () => {
  const bot = await startTestBot({ script: () => hang(2) })
  const { headers, body } = await bot.chat.send('Count the sheep')
  await bot.chat.untilType(headers.get('x-conversation-id') ?? '', 'start')
  const { out } = await bobbin(bot.dataDir, 'nodes')
  expect(out).toMatch(
    new RegExp(`^Bobbin +\\w+ .*last beat \\d+ s ago, process ${process.pid} on .*\\n {4}turn {2}Count the sheep`),
  )
  const { code, err } = await bobbin(bot.dataDir, 'nodes', 'drain', 'one')
  expect(code).toBe(1)
  expect(err.trim()).toBe(
    'Without DATABASE_URL there is only one Bobbin, so no other could take over its work. Stop it instead: when it starts again, it continues where it left off.',
  )
  await body?.cancel()
})

test('on a database without bots there is no node', async () => {
  const dataDir = await scratch()
  await layDatabase(join(dataDir, 'bobbin.db'))
  expect(await bobbin(dataDir, 'nodes')).toEqual({ code: 0, out: 'No bot runs on this database.\n', err: '' })
})
