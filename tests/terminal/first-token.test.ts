import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { freePort } from '../support/free-port.ts'

test('a first start that fails does not use up the first token', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '0.0.0.0')
  await once(other, 'listening')
  const place = await openPlace({ environment: { BOBBIN_HOST: '0.0.0.0', BOBBIN_PORT: `${port}` } })
  const failed = place.launch()
  expect(await failed.ended).toBe(1)
  expect(failed.said()).toContain('is in use')
  other.close()
  await once(other, 'close')
  expect((await place.start()).said()).toMatch(/^Bobbin is ready: \S+\?token=\S/m)
})
