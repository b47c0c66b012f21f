import { expect, test } from 'vitest'
import { once } from '../../src/kit/once.ts'
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

test('what could not be loaded is loaded the next time, and then only once', async () => {
  let tries = 0
  const load = once(async () => {
    if (tries++ === 0) throw new Error('EMFILE')
    return 'there'
  })
  await expect(load()).rejects.toThrow('EMFILE')
  expect([await load(), await load(), tries]).toEqual(['there', 'there', 2])
})
