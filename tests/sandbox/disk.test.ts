import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { containServer } from '../../src/capabilities/mcp/process/contained.ts'
import { nextLookMs } from '../../src/kit/sandbox/disk.ts'
import type { SandboxRun } from '../../src/kit/sandbox/port.ts'
import { makeFolder, runOf, sandbox } from './support/box.ts'

/** What a script says that has `sandbox` and this `run`, whose workspace is a disk of 40 MB. */
async function onSmallDisk({ output: _, signal: __, ...run }: SandboxRun, script: string): Promise<unknown> {
  const outside = `import { PassThrough } from 'node:stream'
    import { openSandbox } from ${JSON.stringify(import.meta.resolve('../../src/kit/sandbox/sandbox.ts'))}
    const sandbox = openSandbox()
    const run = { ...JSON.parse(process.argv[1]), output: () => {}, signal: new AbortController().signal }
    console.log(JSON.stringify(await (async () => { ${script} })()))`
  const disk = ['--dev-bind', '/', '/', '--size', '40000000', '--tmpfs', run.workspace, '--die-with-parent']
  const own = [process.execPath, '--input-type=module', '-e', outside, JSON.stringify(run)]
  const { stdout } = await promisify(execFile)('bwrap', [...disk, ...own])
  return JSON.parse(stdout)
}

test('a command that fills the disk is ended, also when its files are in no folder any more', async () => {
  const script = `import os, time
kept = []
try:
  while True:
    kept.append(open('x', 'wb', buffering=0))
    os.remove('x')
    kept[-1].write(bytes(1_000_000))
    if len(kept) == 5: print('five', flush=True)
except OSError: time.sleep(500)`
  const run = runOf(['python3', '-c', script], { workspace: makeFolder() })
  expect(await onSmallDisk(run, 'return sandbox.run(run)')).toMatchObject({
    by: 'disk',
    endedBy: 'SIGKILL',
    stdout: 'five\n',
  })
})

test('a program that stays is not ended when commands fill the disk', async () => {
  // Each leaves less than half of what was free when the program or the command began.
  const filling = (bytes: number) => ['bash', '-c', `head -c ${bytes} /dev/zero > ${bytes}; sleep 500`]
  const limits = { fileBytes: 40_000_000 }
  const run = runOf(['cat'], { workspace: makeFolder(), limits })
  const script = `
    const talk = { input: new PassThrough(), output: new PassThrough(), errors() {} }
    talk.input.write('there')
    const staying = sandbox.run({ ...run, talk })
    await new Promise((there) => talk.output.once('data', there))
    const ends = []
    const commands = ${JSON.stringify([22_000_000, 10_000_000].map(filling))}
    for (const argv of commands) ends.push(await sandbox.run({ ...run, argv }))
    talk.input.end()
    return [...ends, await staying].map(({ by }) => by)`
  expect(await onSmallDisk(run, script)).toEqual(['disk', 'disk', 'itself'])
})

test('a full disk is named as what ended an MCP server', async () => {
  const ended = { ...{ by: 'disk' as const, exitCode: undefined, endedBy: 'SIGKILL' }, stdout: '', stderr: '' }
  const full = { ...sandbox, run: async () => ({ ...ended, durationMs: 1, refusedHosts: [] }) }
  const { limits, environment, hosts } = runOf([])
  const server = await containServer(full, { command: 'x', args: [], folder: '/x', environment, hosts, limits })
  expect(await server.ended).toBe('it was ended: the disk is nearly full')
})

test('the more room there is, the rarer the looks, up to a second', () => {
  expect([0, 1e9, 1e10, 1e12].map(nextLookMs)).toEqual([50, 150, 1_000, 1_000])
})
