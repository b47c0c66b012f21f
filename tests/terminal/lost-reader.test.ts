import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'

test('a bot whose output nobody reads any more goes on, and stops in order when its terminal is closed', async () => {
  const place = await openPlace({ script: [status(401), says('Still here.')] })
  const life = await place.start()
  life.deafen()
  const { conversation: thread } = await life.chat.say('this fails, which is logged')
  await life.chat.say('and this?', { conversation: thread })
  await until('the answer', async () =>
    ofType(await life.chat.events(thread), 'message').some(({ data }) => data.text === 'Still here.'),
  )
  const locks = () => rowsIn(join(place.dataDir, 'bobbin.db'), 'select holder from locks')
  expect(locks()).toHaveLength(1)
  life.signal('SIGHUP')
  // A shell and the terminal may both tell it.
  life.signal('SIGHUP')
  expect(await life.ended).toBe(0)
  expect(locks()).toEqual([])
})
