import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atServer } from '../support/database.ts'
import { says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { openNodes } from './support.ts'

test('a process that has another disk is told so, and does no work; on the same disk it starts', async () => {
  // One that starts beside others waits until they beat, which they do five times in this.
  const settings = { engine: { silent_ms: 30_000 } }
  const nodes = await openNodes({ script: [says('Hello.'), says('Hello.')], settings })
  const home = await nodes.place('one')
  const one = await home.start()
  const elsewhere = await scratch()
  const two = (await nodes.place('two', { environment: { BOBBIN_DATA_DIR: elsewhere } })).launch()
  expect(await two.ended).toBe(1)
  expect(two.said()).toContain(`two doesn’t see the files of one: ${elsewhere} on `)
  expect(two.said()).toContain('Mount the same directory as BOBBIN_DATA_DIR on each machine.')
  expect(await atServer(nodes.url, 'select name from locks')).toEqual([{ name: 'node one' }])
  expect((await one.chat.say('hi')).text).toBe('Hello.')

  await (await nodes.place('two')).start()
  expect(await readdir(join(home.dataDir, 'nodes'))).toHaveLength(2)
})

test('one that is gone for good keeps nobody from starting with another disk', async () => {
  const nodes = await openNodes({ settings: { engine: { silent_ms: 4_000 } } })
  const one = await (await nodes.place('one')).start()
  one.signal('SIGKILL')
  await one.ended
  const BOBBIN_DATA_DIR = await scratch()
  await (await nodes.place('two', { environment: { BOBBIN_DATA_DIR } })).start()
})
