import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delegatedGroup, openGroup } from '../../src/kit/sandbox/cgroup.ts'
import { remedyFor } from '../../src/kit/sandbox/facts.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { makeFolder, runOf, sandbox } from './support/box.ts'

test('it says which limits apply, and which do not', async () => {
  const facts = await sandbox.facts()
  expect(facts).toMatchObject({ kind: 'bubblewrap', programs: { bash: '/bin/bash', node: '/opt/bobbin/bin/node' } })
  expect(facts.version).toMatch(/^\d+\.\d+/)
  expect(facts.gaps.join('\n')).toContain('kernel is shared')
  expect(facts.gaps.join('\n')).toMatch(
    /size of a workspace is checked .* so between two checks it can exceed its limit/,
  )
  expect(facts.gaps.some((gap) => gap.includes('checked every 50 ms'))).toBe(facts.memory === 'watcher')
  expect(await sandbox.facts()).toBe(facts)
})

/** A bubblewrap of our own. */
function program(text: string): string {
  const path = join(makeFolder(), 'bwrap')
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('without bubblewrap, or with one that is too old, there is no sandbox', async () => {
  const missing = openSandbox({ bwrap: '/nowhere/bwrap' })
  const refused = { code: 'no_sandbox', remedy: expect.stringContaining('apt install bubblewrap') }
  await expect(missing.facts()).rejects.toMatchObject(refused)
  await expect(missing.run(runOf(['true']))).rejects.toMatchObject(refused)
  await expect(openSandbox({ bwrap: program('echo bubblewrap 0.7.9') }).facts()).rejects.toMatchObject(refused)
  await expect(openSandbox({ bwrap: program('echo something 9.9') }).facts()).rejects.toMatchObject(refused)
})

test('a machine that refuses namespaces is reported, and checked again once that has changed', async () => {
  const path = program(
    '[ "$1" = --version ] && exec echo bubblewrap 0.9.0\necho "bwrap: setting up uid map: Permission denied. See <https://deb.li/bubblewrap>." >&2; exit 1',
  )
  const refusing = openSandbox({ bwrap: path })
  await expect(refusing.facts()).rejects.toMatchObject({
    code: 'no_sandbox',
    message: 'bubblewrap is here, but can’t make a sandbox: bwrap: setting up uid map: Permission denied.',
  })
  writeFileSync(path, '#!/bin/sh\nexec bwrap "$@"\n')
  expect((await refusing.facts()).kind).toBe('bubblewrap')
})

test('the remedy fits the refusal', () => {
  const apparmor = (path: string) => path === '/sys/module/apparmor'
  const docker = (path: string) => path === '/.dockerenv'
  expect(remedyFor('bwrap: setting up uid map: Permission denied', apparmor)).toContain('AppArmor')
  const [free, restricted] = [() => false, () => true]
  const uidMap = 'bwrap: setting up uid map: Permission denied'
  expect(remedyFor(uidMap, docker, free)).toContain('--security-opt')
  // The options don't help there.
  expect(remedyFor(uidMap, docker, restricted)).toContain('On the host')
  expect(remedyFor('bwrap: No permissions to create new namespace', docker, restricted)).toContain('--security-opt')
  expect(remedyFor('bwrap: No permissions to create new namespace', () => false)).toContain('user.max_user_namespaces')
  expect(remedyFor("bwrap: Can't mount proc on /newroot/proc", () => false)).toContain('systempaths')
})

test("a failure of bubblewrap itself isn't a result of the command", async () => {
  const path = program('for a; do [ "$a" = --args ] && { echo bwrap: broke >&2; exit 1; }; done; exec bwrap "$@"')
  await expect(openSandbox({ bwrap: path }).run(runOf(['true']))).rejects.toMatchObject({
    code: 'sandbox_failed',
    message: 'The sandbox did not start: bwrap: broke.',
  })
})

const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
/** Below /root, as after a clone under umask 077, nobody else can read the checkout or run its Node. */
const isForOthers = () => {
  const reads = `fs.accessSync(${JSON.stringify(import.meta.filename)}, fs.constants.R_OK)`
  return spawnSync(process.execPath, ['-e', reads], { ...user, cwd: '/' }).status === 0
}

test.skipIf(!isForOthers())('it is the same for a bot that does not run as root', async () => {
  const workspace = makeFolder()
  if (user.uid !== undefined) chownSync(workspace, user.uid, user.gid)
  const script = `import { openSandbox } from ${JSON.stringify(import.meta.resolve('../../src/kit/sandbox/sandbox.ts'))}
    const box = openSandbox()
    const run = { ...JSON.parse(process.argv[1]), output: () => {}, signal: new AbortController().signal }
    const pinned = [{ path: 'a/run.sh', bytes: Buffer.from('echo pinned') }]
    const bomb = { ...run, argv: ['bash', '-c', 'for n in $(seq 300); do sleep 500 & done; wait'], limits: { ...run.limits, processes: 40 } }
    const hog = { ...run, argv: ['python3', '-c', 'x = b"1" * 300_000_000; import time; time.sleep(500)'], limits: { ...run.limits, memoryBytes: 1e8 } }
    console.log(JSON.stringify([await box.run({ ...run, pinned }), await box.run(bomb), await box.run(hog)]))`
  const asked =
    'id -u; bash a/run.sh; touch skills/x; touch y; unshare -U true; ls /root /home/*/*; touch /proc/sys/kernel/hostname'
  const { output: _, signal: __, ...run } = runOf(['bash', '-c', asked], { workspace, writable: ['outputs'] })
  const bot = spawn(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(run)], {
    ...user,
    stdio: 'pipe',
  })
  let said = ''
  bot.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  bot.stderr.pipe(process.stderr)
  await once(bot, 'close')
  const [plain, bomb, hog] = JSON.parse(said)
  expect(plain).toMatchObject({ by: 'itself', stdout: '1000\npinned\n' })
  expect(bomb.by).toBe('processes')
  expect(hog.by).toBe('memory')
})

/** What the kernel shows of control groups, as plain files. */
function groups(controllers: string): { root: string; self: string; bot: string } {
  const root = makeFolder()
  const bot = join(root, 'system.slice/bot.service')
  mkdirSync(join(bot, 'bobbin'), { recursive: true })
  writeFileSync(join(bot, 'cgroup.controllers'), controllers)
  writeFileSync(join(bot, 'cgroup.subtree_control'), '')
  const self = join(root, 'self')
  writeFileSync(self, '0::/system.slice/bot.service/bobbin\n')
  return { root, self, bot }
}

test('a control group is used only if it was delegated', () => {
  const place = groups('cpu memory pids')
  // Plain folders get no files of their own, so the trial finds no limits; but it came that far.
  expect(delegatedGroup(place)).toEqual({ why: 'control groups of the bot get no limits' })
  expect(readFileSync(join(place.bot, 'cgroup.subtree_control'), 'utf8')).toBe('+memory +pids')
  expect(delegatedGroup(groups('cpu pids'))).toEqual({ why: 'the control group of the bot lacks memory' })
  writeFileSync(place.self, '0::/system.slice/bot.service\n')
  expect(delegatedGroup(place)).toEqual({ why: 'no control group was delegated to the bot' })
})

test('a control group gets the limits and tells which one was reached', () => {
  const parent = makeFolder()
  const group = openGroup(parent, 'run-1', { memoryBytes: 1_000_000, processes: 20 })
  const file = (name: string) => join(parent, 'run-1', name)
  expect(readFileSync(file('memory.max'), 'utf8')).toBe('1000000')
  expect(readFileSync(file('pids.max'), 'utf8')).toBe('21')
  group.add(4711)
  expect(readFileSync(file('cgroup.procs'), 'utf8')).toBe('4711')
  writeFileSync(file('memory.events'), 'low 0\noom 0\noom_kill 0\n')
  writeFileSync(file('pids.events'), 'max 0\n')
  expect(group.exceeded()).toBe(undefined)
  writeFileSync(file('pids.events'), 'max 3\n')
  expect(group.exceeded()).toBe('processes')
  writeFileSync(file('memory.events'), 'low 0\noom 1\noom_kill 1\n')
  expect(group.exceeded()).toBe('memory')
})
