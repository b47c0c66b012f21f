import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { openUnconfined } from '../../src/kit/sandbox/unconfined.ts'
import { keepPrivate } from '../../src/kit/umask.ts'
import { asked, heard, results, yes } from '../scenarios/trust.ts'
import { asSomebody } from '../support/as-somebody.ts'
import { begunBefore } from '../support/begun-before.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'
import { makeFolder, sandbox as real, runOf, type Wanted } from './support/box.ts'

const missing = openSandbox({ bwrap: '/nonexistent' })
const open = openUnconfined(missing)

const bash = (script: string, wanted: Wanted = {}) => open.run(runOf(['/bin/bash', '-c', script], wanted))

function isThere(processId: number): boolean {
  try {
    process.kill(processId, 0)
    // One that has ended and that nobody has asked about yet is none.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${processId}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A process that would live on writes its number, and is gone afterwards. */
const leaves = 'sleep 300 & echo $! > left; '

async function nothingIsLeft(workspace: string): Promise<void> {
  const left = Number(readFileSync(join(workspace, 'left'), 'utf8'))
  expect(left).toBeGreaterThan(1)
  await until('what it left behind to be gone', () => !isThere(left))
}

describe('a command without a sandbox', () => {
  test('runs in its directory, with its own environment', async () => {
    const workspace = makeFolder()
    mkdirSync(join(workspace, 'deep'))
    const seen: string[] = []
    const result = await bash('pwd; echo "$OURS $HOME [$VITEST]"; echo err >&2; exit 3', {
      workspace,
      directory: 'deep',
      environment: { OURS: 'given' },
      output: (stream, text) => void seen.push(`${stream}: ${text}`),
    })
    expect(result).toMatchObject({
      by: 'itself',
      exitCode: 3,
      endedBy: undefined,
      stdout: expect.stringMatching(/^\/.*\/deep\ngiven \/.*\/bobbin-home-\w+ \[\]\n$/),
      stderr: 'err\n',
      refusedHosts: [],
    })
    expect(seen.join('')).toContain('stderr: err')
  })

  test('has the umask that the bot was started with', async () => {
    const [before, undo] = [process.umask(), keepPrivate(makeFolder())]
    try {
      expect(Number.parseInt((await bash('umask')).stdout, 8)).toBe(before)
      expect(process.umask()).toBe(before | 0o077)
    } finally {
      undo()
    }
  })

  test('leaves nothing of its home, although it has locked a part of that', () =>
    asSomebody(async (workspace) => {
      // A shell would take back the rights that the test has dropped.
      const script = `
        const { chmodSync, mkdirSync } = require('node:fs')
        mkdirSync(process.env.HOME + '/cache/deep', { recursive: true })
        chmodSync(process.env.HOME + '/cache', 0)
        console.log(process.env.HOME)`
      const { stdout } = await open.run(runOf([process.execPath, '-e', script], { workspace }))
      expect(stdout).toContain('bobbin-home')
      expect(existsSync(stdout.trim())).toBe(false)
    }))

  test('ends by a signal', async () => {
    expect(await bash('kill -TERM $$')).toMatchObject({ by: 'itself', exitCode: undefined, endedBy: 'SIGTERM' })
  })

  test('takes what it started along when it ends by itself', async () => {
    const workspace = makeFolder()
    expect(await bash(`${leaves} echo done`, { workspace })).toMatchObject({
      by: 'itself',
      exitCode: 0,
      stdout: 'done\n',
    })
    await nothingIsLeft(workspace)
  })

  // It leaves the group, and would keep the pipes open.
  const daemon = 'setsid sleep 300 & echo $! > left; until [ "$(ps -o sid= -p $!)" -eq $! ]; do :; done'

  test.each([
    ['itself', ''],
    ['stop', 'sleep 300'],
  ])('ends by %s although a daemon that it started lives on', async (by, script) => {
    const workspace = makeFolder()
    const stop = new AbortController()
    const output = () => by === 'stop' && stop.abort()
    try {
      const result = await bash(`${daemon}; echo begun; ${script}`, { workspace, signal: stop.signal, output })
      expect(result).toMatchObject({ by, stdout: 'begun\n' })
    } finally {
      process.kill(Number(readFileSync(join(workspace, 'left'), 'utf8')), 'SIGKILL')
    }
  })

  test.each([
    ['timeout', 'sleep 300', {}],
    ['output', 'yes', { outputBytes: 5_000, timeoutMs: 600_000 }],
  ])('is ended by %s, with its group', async (by, script, more) => {
    const workspace = makeFolder()
    const result = await begunBefore(
      (timeoutMs) => bash(`${leaves} ${script}`, { workspace, limits: { timeoutMs, ...more } }),
      () => existsSync(join(workspace, 'left')) && readFileSync(join(workspace, 'left'), 'utf8') !== '',
    )
    expect(result).toMatchObject({ by, exitCode: undefined, endedBy: 'SIGKILL' })
    expect(Buffer.byteLength(result.stdout)).toBeLessThanOrEqual(5_000)
    await nothingIsLeft(workspace)
  })

  test('is ended by a stop, with its group; and by one that came before', async () => {
    const workspace = makeFolder()
    const stop = new AbortController()
    const output = () => stop.abort()
    const result = await bash(`${leaves} echo begun; sleep 300`, { workspace, signal: stop.signal, output })
    expect(result).toMatchObject({ by: 'stop', stdout: 'begun\n' })
    await nothingIsLeft(workspace)
    expect(await bash('sleep 300', { signal: AbortSignal.abort() })).toMatchObject({ by: 'stop', stdout: '' })
  })

  test('runs no file that has changed since it was decided on', async () => {
    const workspace = makeFolder()
    writeFileSync(join(workspace, 'a.sh'), 'echo seen > ran')
    const pinned = [{ path: 'a.sh', bytes: Buffer.from('echo seen > ran') }]
    expect(await bash('bash a.sh; cat ran', { workspace, pinned })).toMatchObject({ stdout: 'seen\n' })
    writeFileSync(join(workspace, 'a.sh'), 'echo other > ran')
    await expect(bash('bash a.sh', { workspace, pinned })).rejects.toMatchObject({ code: 'workspace_changed' })
    expect(readFileSync(join(workspace, 'ran'), 'utf8')).toBe('seen\n')
  })

  test('says that nothing contains it', async () => {
    expect(await open.facts()).toMatchObject({ kind: 'none', memory: 'nothing', processes: 'nothing' })
    expect((await open.facts()).gaps).not.toEqual([])
  })

  test("a missing program is an error, and doesn't end the bot", async () => {
    await expect(open.run(runOf(['/no/such/program']))).rejects.toThrow('ENOENT')
  })
})

test('if there is a sandbox, it is used anyway', async () => {
  const confined = openUnconfined(real)
  expect((await confined.facts()).kind).toBe('bubblewrap')
  expect(await confined.run(runOf(['bash', '-c', 'pwd']))).toMatchObject({ stdout: '/workspace\n' })
})

describe('a bot without a sandbox', () => {
  const command = calls('run_command', { command: 'ls' })
  const start = async (required: boolean) => {
    const bot = await startMemoryBot({
      script: [command, command, says('Done.')],
      sandbox: missing,
      config: { rules: asked(), sections: { sandbox: { required } } },
    })
    const message = await bot.memory.say('ana', '@bobbin @run_command')
    const done = () => bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
    return { bot, memory: bot.memory, message, done }
  }

  test('without a required sandbox, each call is asked as high risk, and once only', async () => {
    const { bot, memory, message, done } = await start(false)
    const first = await memory.untilCard(message)
    expect(first.payload).toMatchObject({ risk: 'high', unclear: ['there is no sandbox to hold it'] })
    expect(first.payload).not.toHaveProperty('grants')
    const always = { pattern: 'exact', scope: 'thread' } as const
    const given = { kind: 'approval', answer: { decision: 'approve', always } } as const
    expect(await memory.click('ben', first, given)).toMatchObject({ kind: 'not-allowed' })
    await memory.click('ben', first, yes)
    await memory.eventually(() => expect(memory.cards(message)).toHaveLength(2))
    await memory.click('ben', await memory.untilCard(message), yes)
    await done()
    expect(results(bot)).toEqual(['done', 'done'])
    expect(heard(bot)).toContain('[Exit code 0')
    expect(bot.rows('select id from grants')).toEqual([])
  })

  test('with a required sandbox, nothing runs, and it says what to install', async () => {
    const { bot, memory, message, done } = await start(true)
    await done()
    expect(memory.cards(message)).toEqual([])
    expect(results(bot)).toEqual(['failed', 'failed'])
    expect(heard(bot)).toMatch(/There is no \/nonexistent on this machine\. Install bubblewrap .* run bobbin doctor/)
  })
})
