import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { once } from '../../src/kit/once.ts'
import { atMost } from '../../src/kit/sandbox/at-once.ts'
import { runInBubblewrap } from '../../src/kit/sandbox/bubblewrap.ts'
import type { SandboxRun } from '../../src/kit/sandbox/port.ts'
import { orLater } from '../../src/kit/sandbox/watch.ts'
import { until } from '../support/until.ts'
import { makeFolder, runOf, sandbox } from './support/box.ts'

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

test('a command that was stopped before waits for no place', async () => {
  const mayEnd = Promise.withResolvers<void>()
  const slow = {
    ...sandbox,
    async run(wanted: SandboxRun) {
      if (!wanted.signal.aborted) await mayEnd.promise
      return sandbox.run(wanted)
    },
  }
  const one = atMost(1, slow)
  const first = one.run(runOf(['true']))
  expect(await one.run(runOf(['true'], { signal: AbortSignal.abort() }))).toMatchObject({ by: 'stop' })
  mayEnd.resolve()
  expect(await first).toMatchObject({ by: 'itself', exitCode: 0 })
})

test('a command that did not begin for want of descriptors is tried again; one that ran is not', async () => {
  const lacking = [1, 1, 1]
  const want = (place: number): void => {
    if ((lacking[place] ?? 0) > 0) {
      lacking[place] = 0
      throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
    }
  }
  const folder = makeFolder()
  const group = { add: () => want(1), watch: () => () => {}, exceeded: () => void want(2), remove: () => {} }
  const ready = {
    ...{ program: 'bwrap', options: ['--dev-bind', '/', '/', '--unshare-pid'], data: [] },
    ...{ argv: ['sh', '-c', `echo ran >> ${folder}/log`], check: async () => want(0) },
    ...{ watch: () => () => {}, watchDisk: () => () => {}, group },
  }
  const barely = {
    ...sandbox,
    run: async (wanted: SandboxRun) => ({ ...(await runInBubblewrap(ready, wanted)), refusedHosts: [] }),
  }
  expect(await atMost(1, barely).run(runOf([]))).toMatchObject({ by: 'itself', exitCode: 0 })
  expect(lacking).toEqual([0, 0, 0])
  expect(await readFile(join(folder, 'log'), 'utf8')).toBe('ran\n')
})

test('a watch that finds no descriptor left looks again', () => {
  const look = orLater(() => {
    throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
  })
  expect(look).not.toThrow()
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
