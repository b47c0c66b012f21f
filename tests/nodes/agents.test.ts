import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { eventually } from '../support/until.ts'
import { startBeside } from './support.ts'

test('an agent that is changed in one process is changed in the others', async () => {
  const one = await startTestBot()
  const two = await startBeside(one, 'two')
  const response = await fetch(`${one.chat.url}/api/v1/agents/explorer`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ steps: 3 }),
  })
  expect(response.status).toBe(200)
  await eventually(async () => expect(await two.chat.get('/agents/explorer')).toMatchObject({ steps: 3 }))
})
