import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { rowsIn, tablesIn } from '../support/rows.ts'
import { eventually, until } from '../support/until.ts'
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

test('what a subagent asked is erased with its thread, even if its “always” goes on elsewhere', async () => {
  const command = 'touch outputs/violin.txt'
  const script = family(
    [calls('delegate_task', { task: 'Count.' }), says('Done.')],
    [calls('run_command', { command }), () => says(long('There are three.'))],
  )
  const bot = await startTestBot({ script, config: { engine: { clockMs: 20 } } })
  const said = bot.chat.say('@run_command count', { files: { 'a.txt': 'one' } })
  const asked = await until('the subagent asks', async () => (await bot.chat.requests())[0])
  const always = { pattern: 'exact', scope: 'channel' }
  expect((await bot.chat.answer(asked.id, { decision: 'approve', always, user_id: 'ana' })).status).toBe(200)
  const { conversation } = await said
  await bot.chat.untilType(conversation, 'complete')
  await bot.chat.say('delete yes', { conversation })
  await eventually(() => {
    const left = [...tablesIn(bot.database)].flatMap(([name, rows]) => (rows.includes('violin') ? [name] : []))
    expect(left.sort()).toEqual(['audit', 'grants'])
  })
  expect(await bot.chat.requests('answered')).toMatchObject([{ tool_name: 'run_command', tool_input: {} }])
})
