import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { family, long } from './support.ts'

test('deleting what a subagent said leaves the files of its thread alone', async () => {
  const script = family(
    [calls('delegate_task', { task: 'Count.' }), says('Done.')],
    [() => says(long('There are three.'))],
  )
  const bot = await startTestBot({ script, config: { engine: { clockMs: 20 } } })
  const { conversation } = await bot.chat.say('count', { files: { 'a.txt': 'one' } })
  await bot.chat.untilType(conversation, 'complete')
  const [assigned] = ofType(await bot.chat.events(conversation), 'subagent_assigned')
  const child = `${assigned?.data.conversation_id}`
  const address = `${bot.chat.url}/api/v1/agent/conversations`
  expect((await fetch(`${address}/${child}`, { method: 'DELETE' })).status).toBe(200)
  const left = `select count(*) as count from messages where session_id = '${child}'`
  await until('it is erased', () => (rowsIn(bot.database, left)[0] as { count: number }).count === 0 || undefined)
  expect(await (await fetch(`${address}/${conversation}/files/uploads/a.txt`)).text()).toBe('one')
})
