import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, makeFolder, node } from './support/box.ts'

test('programs of the system work: bash, node, python', async () => {
  const { stdout, exitCode } = await bash('node -p 6*7; python3 -c "print(6*7)"; echo $((6*7))')
  expect({ stdout, exitCode }).toEqual({ stdout: '42\n42\n42\n', exitCode: 0 })
})

test('nothing outside of the workspace and the system is there', async () => {
  const data = makeFolder()
  writeFileSync(join(data, 'bobbin.db'), 'secret')
  // With /usr, a checkout below it is there.
  const own = join(process.cwd(), 'package.json')
  const outside = ['/etc/shadow', '/root', '/var', '/run', '/sys', '/mnt', '/srv', '/boot', data, own]
  const places = JSON.stringify(outside.filter((path) => !path.startsWith('/usr/')))
  const { stdout: found } = await node(`console.log(...${places}.filter((path) => fs.existsSync(path)))`)
  expect(found).toBe('\n')
  expect((await bash('ls -A /home /home/*')).stdout).toBe('/home:\nbobbin\n\n/home/bobbin:\n')
  const { stdout } = await bash('ls /')
  const listed = stdout.trim().split('\n')
  expect(listed.filter((name) => !/^(bin|sbin|lib\w*|usr|etc|dev|proc|tmp|home|opt|workspace)$/.test(name))).toEqual([])
})

test('another workspace is not there, by its path, a link or the folder above', async () => {
  const folder = makeFolder()
  for (const name of ['mine', 'theirs']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'theirs', 'plan'), 'secret')
  const { stdout } = await bash(
    `cat ${folder}/theirs/plan ../theirs/plan; ln -s ${folder}/theirs far; ln -s ../theirs near; cat far/plan near/plan; ls -a ..`,
    { workspace: join(folder, 'mine') },
  )
  expect(stdout).not.toContain('secret')
  expect(stdout).not.toContain('theirs')
})

test('only the workspace and what is temporary can be written', async () => {
  const { stdout } = await bash(
    'for place in / /usr /usr/bin /etc /dev /opt /opt/bobbin /opt/bobbin/bin /proc /bin /workspace /tmp /dev/shm /home /home/bobbin; do touch $place/x 2>/dev/null && echo $place; done; for file in /opt/bobbin/bin/node /etc/passwd /usr/bin/id; do (: >> $file) 2>/dev/null && echo $file; done',
  )
  expect(stdout).toBe('/workspace\n/tmp\n/dev/shm\n/home/bobbin\n')
})

test('settings of the kernel cannot be changed, though root owns them', async () => {
  const script = `const fs = require('fs')
    const paths = ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger', '/proc/self/oom_score_adj', '/proc/self/uid_map']
    for (const path of paths) try { fs.closeSync(fs.openSync(path, 'r+')); console.log(path) } catch (thrown) {}`
  expect((await node(script)).stdout).toBe('')
})

test("processes of the machine can't be seen or reached", async () => {
  const other = spawn('sleep', ['300'])
  try {
    const { stdout } = await bash(
      `for p in ${other.pid} ${process.pid}; do kill -0 $p 2>/dev/null && echo $((1 + 1)) found; done; for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done; cat /proc/1/environ`,
      { environment: {} },
    )
    expect(stdout).not.toContain('2 found')
    expect(stdout).not.toMatch(/vitest|sleep 300/)
    expect(stdout).not.toContain('PATH=')
    expect(other.exitCode).toBe(null)
  } finally {
    other.kill()
  }
})

test('the environment is what was listed', async () => {
  process.env.BOBBIN_TEST_SECRET = 'xoxb-secret'
  try {
    const { stdout } = await bash('exec /usr/bin/env', { environment: { CITY: 'Ulm', HOME: '/root', PATH: '/evil' } })
    const names = stdout.trim().split('\n')
    expect(names).toEqual(expect.arrayContaining(['CITY=Ulm', 'HOME=/home/bobbin', 'LANG=C.UTF-8', 'TMPDIR=/tmp']))
    const others = names.filter((line) => !/^(PYTHON|GIT_)/.test(line))
    expect(others.map((line) => line.split('=')[0]).sort()).toEqual(
      ['CITY', 'HOME', 'LANG', 'PATH', 'PWD', 'SHLVL', 'TMPDIR'].sort(),
    )
    expect(stdout).not.toContain('/evil')
  } finally {
    delete process.env.BOBBIN_TEST_SECRET
  }
})

test('settings in the environment run nothing before the limits are set', async () => {
  const workspace = makeFolder()
  writeFileSync(join(workspace, 'early'), 'ulimit -f >> /workspace/seen')
  await bash(':', { workspace, environment: { ENV: '/workspace/early' } })
  const { stdout } = await bash('cat seen', { workspace, environment: { BASH_ENV: '/workspace/early' } })
  expect(stdout).not.toContain('unlimited')
  await expect(bash(':', { environment: { LD_PRELOAD: '/workspace/x.so' } })).rejects.toThrow('LD_PRELOAD')
  await expect(bash(':', { environment: { 'A\0--bind': '/' } })).rejects.toThrow('isn’t a valid variable name')
  await expect(bash(':', { environment: { A: 'b\0--bind\0/\0/host' } })).rejects.toThrow('zero byte')
})

test('no descriptor of the bot is inherited, not even one that it was given itself', async () => {
  const script = `import { openSandbox } from ${JSON.stringify(import.meta.resolve('../../src/kit/sandbox/sandbox.ts'))}
    const run = JSON.parse(process.argv[1])
    const result = await openSandbox().run({ ...run, output: () => {}, signal: new AbortController().signal })
    console.log(result.stdout)`
  const workspace = makeFolder()
  const limits = {
    timeoutMs: 6e5,
    outputBytes: 1e5,
    fileBytes: 1e6,
    memoryBytes: 2e8,
    processes: 50,
    temporaryBytes: 1e6,
  }
  const listing =
    "import os\nprint(*[fd for fd in range(3, 512) if os.path.exists(f'/proc/self/fd/{fd}')], os.readlink('/proc/self/fd/0'))"
  const run = { argv: ['python3', '-c', listing], workspace, directory: '', environment: {}, hosts: [], limits }
  const given = JSON.stringify({ ...run, pinned: [] })
  const kept = join(makeFolder(), 'kept')
  writeFileSync(kept, 'secret')
  const secret = openSync(kept, 'r')
  const stdio = Array.from({ length: 42 }, (_, place) => (place === 1 ? 'pipe' : place === 41 ? secret : 'ignore'))
  const bot = spawn(process.execPath, ['--input-type=module', '-e', script, given], { stdio: stdio as 'pipe'[] })
  let said = ''
  bot.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  await once(bot, 'close')
  expect(said.trim()).toBe('/dev/null')
})

test('no network: not even the loopback of the machine', async () => {
  let reached = 0
  const server = createServer((socket) => {
    reached++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const { stdout } = await bash(
    `for to in 127.0.0.1/${port} 192.0.2.1/80; do (echo > /dev/tcp/$to) 2>/dev/null && echo reached; done; cat /proc/net/dev | tail -n +3 | cut -d: -f1`,
  )
  server.close()
  expect(stdout.trim()).toBe('lo')
  expect(reached).toBe(0)
})

test('no devices, no rights, no namespaces of its own', async () => {
  const workspace = makeFolder()
  const { stdout } = await bash(
    'mknod a c 1 3 && echo device; mknod b b 8 0 && echo disk; unshare -U true && echo namespace; mount -t tmpfs x /tmp && echo mount; cp /usr/bin/id . && chmod 4755 id && ./id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status',
    { workspace },
  )
  const none = '0000000000000000'
  expect(stdout).toBe(`1000\nCapEff:\t${none}\nCapBnd:\t${none}\nNoNewPrivs:\t1\n`)
  expect(readdirSync(workspace)).toEqual(['id'])
})
