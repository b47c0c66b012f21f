import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openUnconfined } from '../../src/kit/sandbox/unconfined.ts'
import { makeFolder, sandbox as real, runOf } from './support/box.ts'

const sandbox = import.meta.resolve('../../src/kit/sandbox')

/** A process of its own: nobody else should be short of descriptors meanwhile. */
const prelude = `
  import { subscribe } from 'node:diagnostics_channel'
  import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { delegatedGroup, openGroup } from "${sandbox}/cgroup.ts"
  import { openPipes } from "${sandbox}/pipes.ts"
  import { openProxy } from "${sandbox}/proxy/proxy.ts"
  import { openUnconfined } from "${sandbox}/unconfined.ts"
  import { endMarked } from "${sandbox}/../../capabilities/mcp/process/marks.ts"

  const taken = []
  function take(left) {
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch {}
    give(left)
  }
  function give(count = taken.length) {
    for (const one of taken.splice(0, count)) closeSync(one)
  }
  const waits = () => process.getActiveResourcesInfo().includes('Timeout')`

async function ran(script: string, ...args: string[]): Promise<string> {
  const command = [process.execPath, '--input-type=module', '-e', `${prelude}\n${script}\nprocess.exit()`, ...args]
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...command], {
    env: { ...process.env, TMPDIR: makeFolder() },
  })
  return stdout
}

test('what cannot be opened for want of descriptors leaves nothing behind', async () => {
  const stdout = await ran(`
  const leadsTo = (descriptor) => {
    try {
      return readlinkSync('/proc/self/fd/' + descriptor)
    } catch {
      return 'the list itself'
    }
  }
  async function without(what, open) {
    const failed = await open().then(() => 'it could be opened', ({ code }) => code)
    give()
    const stillOpen = readdirSync('/proc/self/fd').filter((one) => leadsTo(one).startsWith(tmpdir()))
    const timers = process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    console.log(JSON.stringify({ what, failed, open: stillOpen.length, timers, files: readdirSync(tmpdir()) }))
  }

  // At the last moment, since Node itself still closes files while the program begins.
  subscribe('tracing:net.server.listen:asyncStart', () => take(0))
  await without('proxy', () => openProxy(['example.com'], {}))
  await without('group', async () => {
    take(0)
    openGroup(tmpdir(), 'run-1', { memoryBytes: 1, processes: 1 })
  })
  // As many as let one pipe be opened, and half of the other.
  subscribe('child_process', ({ process: maker }) => maker.once('close', () => take(3)))
  await without('pipes', () => openPipes(2))`)
  const nothing = { failed: 'EMFILE', open: 0, timers: 0, files: [] }
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(['proxy', 'group', 'pipes'].map((what) => ({ what, ...nothing })))
})

test('a machine that cannot be looked at for want of descriptors does not count as one without a sandbox', async () => {
  const short = Object.assign(new Error('spawn bwrap EMFILE'), { code: 'EMFILE' })
  const sandbox = openUnconfined({ ...real, facts: () => Promise.reject(short) })
  await expect(sandbox.run(runOf(['true']))).rejects.toBe(short)
  await expect(sandbox.facts()).rejects.toBe(short)
  const stdout = await ran(`
    take(0)
    try {
      delegatedGroup()
    } catch ({ code }) {
      give()
      console.log(code)
    }`)
  expect(stdout).toBe('EMFILE\n')
})

test('a command whose home cannot be removed at once has run all the same', async () => {
  const stdout = await ran(
    `
    const isOver = new AbortController()
    const giveSoon = () => (waits() || isOver.signal.aborted ? give() : setImmediate(giveSoon))
    subscribe('child_process', ({ process: command }) => {
      command.once('close', () => {
        take(0)
        setImmediate(giveSoon)
      })
    })
    const none = { facts: () => Promise.reject(Object.assign(new Error(), { code: 'no_sandbox' })) }
    const wanted = { ...JSON.parse(process.argv[1]), output() {}, signal: new AbortController().signal }
    const told = await openUnconfined(none).run(wanted).then(({ stdout }) => stdout, ({ code }) => code)
    isOver.abort()
    give()
    console.log(told, readdirSync(tmpdir()))`,
    JSON.stringify(runOf(['sh', '-c', 'echo ran; touch $HOME/left'])),
  )
  expect(stdout).toBe('ran\n []\n')
})

test('what an MCP server started is found and ended once there are descriptors again', async () => {
  const stdout = await ran(`
    const { spawn } = await import('node:child_process')
    const { once } = await import('node:events')
    const mark = process.pid + '/1'
    const left = spawn('sleep', ['300'], { env: { PATH: process.env.PATH, BOBBIN_MCP_SERVER: mark } })
    await once(left, 'spawn')
    take(0)
    const ending = endMarked(mark).catch(({ code }) => code)
    give()
    const ended = await ending
    left.kill()
    console.log(ended)`)
  expect(stdout).toBe('1\n')
})
