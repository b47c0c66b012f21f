import { expect, test } from 'vitest'
import { atMost } from '../../src/kit/sandbox/at-once.ts'
import { until } from '../support/until.ts'
import { runOf, sandbox } from './support/box.ts'

test('a command that waits for descriptors ends with a stop, and is not tried again', async () => {
  const full = Object.assign(new Error('spawn bwrap EMFILE'), { code: 'EMFILE' })
  let tries = 0
  const busy = {
    ...sandbox,
    async run() {
      tries++
      throw full
    },
  }
  const stop = new AbortController()
  const running = atMost(1, busy).run(runOf(['true'], { signal: stop.signal }))
  running.catch(() => {})
  await until('some tries', () => tries > 2)
  stop.abort()
  const tried = tries
  await expect(running).rejects.toBe(full)
  expect(tries).toBe(tried)
})
