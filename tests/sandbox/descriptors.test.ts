import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeFolder } from './support/box.ts'

const sandbox = join(import.meta.dirname, '../../src/kit/sandbox')

/** A process of its own: nobody else should be short of descriptors meanwhile. */
const script = `
  import { subscribe } from 'node:diagnostics_channel'
  import { closeSync, openSync, readdirSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { openGroup } from '${sandbox}/cgroup.ts'
  import { openPipes } from '${sandbox}/pipes.ts'
  import { openProxy } from '${sandbox}/proxy/proxy.ts'

  const taken = []
  function take(left) {
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch {}
    for (const one of taken.splice(0, left)) closeSync(one)
  }
  async function without(what, open) {
    const before = readdirSync('/proc/self/fd').length
    const failed = await open().then(() => 'it could be opened', ({ code }) => code)
    for (const one of taken.splice(0)) closeSync(one)
    const stillOpen = readdirSync('/proc/self/fd').length - before
    const timers = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    console.log(JSON.stringify({ what, failed, open: stillOpen, timers, files: readdirSync(tmpdir()) }))
  }

  await without('proxy', () => {
    take(0)
    return openProxy(['example.com'], {})
  })
  await without('group', async () => {
    take(0)
    openGroup(tmpdir(), 'run-1', { memoryBytes: 1, processes: 1 })
  })
  // As many as let one pipe be opened, and half of the other.
  subscribe('child_process', ({ process: maker }) => maker.once('close', () => take(3)))
  await without('pipes', () => openPipes(2))
  process.exit()`

test('what cannot be opened for want of descriptors leaves nothing behind', async () => {
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script],
    { env: { ...process.env, TMPDIR: makeFolder() } },
  )
  const nothing = { failed: 'EMFILE', open: 0, timers: 0, files: [] }
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(['proxy', 'group', 'pipes'].map((what) => ({ what, ...nothing })))
})
