import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mountPoints, prepare } from '../../src/kit/sandbox/paths.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { openTurns } from '../../src/kit/sandbox/turns.ts'
import { bash, makeFolder, runOf } from './support/box.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

test('what a command writes lies in the workspace, and it starts where it is told', async () => {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'reports/june'), { recursive: true })
  const { stdout } = await bash('pwd; echo sum > total', { workspace, directory: 'reports/june' })
  expect(stdout).toBe('/workspace/reports/june\n')
  expect(readFileSync(join(workspace, 'reports/june/total'), 'utf8')).toBe('sum\n')
  await expect(bash(':', { workspace, directory: 'none' })).rejects.toMatchObject({ code: 'no_directory' })
})

test("what isn't writable stays as it is", async () => {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'skills/tax'), { recursive: true })
  writeFileSync(join(workspace, 'skills/tax/SKILL.md'), 'old')
  const { stdout } = await bash(
    'echo new > skills/tax/SKILL.md; touch skills/x; mv skills s; rm -rf skills; mkdir -p skills/more; ln skills/tax/SKILL.md outputs/copy && echo new > outputs/copy; chmod 777 skills; cat skills/tax/SKILL.md',
    { workspace, writable: ['outputs'] },
  )
  expect(stdout).toBe('old')
  expect(readdirSync(workspace).sort()).toEqual(['outputs', 'skills'])
  expect(readdirSync(join(workspace, 'outputs'))).toEqual([])
  expect(readFileSync(join(workspace, 'skills/tax/SKILL.md'), 'utf8')).toBe('old')
})

test('pinned files have their bytes, whatever lies there and whatever the command does', async () => {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'scripts'))
  writeFileSync(join(workspace, 'scripts/run.sh'), 'echo exchanged')
  const script =
    'bash scripts/run.sh; echo echo evil > scripts/run.sh; rm -f scripts/run.sh; mv scripts other; mv -f /dev/null scripts/run.sh; cp -f /etc/hosts scripts/run.sh; ln -sf /etc/hosts scripts/run.sh; bash scripts/run.sh; bash new/made.sh; ./scripts/run.sh'
  const { stdout } = await bash(script, {
    workspace,
    pinned: [
      { path: 'scripts/run.sh', bytes: bytes('#!/bin/bash\necho approved') },
      { path: 'new/made.sh', bytes: bytes(`echo ${'x'.repeat(300_000)} | wc -c`) },
    ],
  })
  expect(stdout).toBe('approved\napproved\n300001\napproved\n')
  expect(readFileSync(join(workspace, 'scripts/run.sh'), 'utf8')).toBe('echo exchanged')
})

test('a pinned file in a folder that is not writable does not open it', async () => {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'skills/tax'), { recursive: true })
  writeFileSync(join(workspace, 'skills/tax/run.sh'), 'echo no')
  const { stdout } = await bash('touch skills/tax/x; mv skills/tax skills/y; bash skills/tax/run.sh; ls skills/tax', {
    ...{ workspace, writable: ['outputs'], pinned: [{ path: 'skills/tax/run.sh', bytes: bytes('echo yes') }] },
  })
  expect(stdout).toBe('yes\nrun.sh\n')
})

test('links on the way are refused, and nothing is made behind them', async () => {
  const outside = makeFolder()
  const workspace = makeFolder()
  symlinkSync(outside, join(workspace, 'skills'))
  symlinkSync('/etc/passwd', join(workspace, 'file'))
  const pin = (path: string) => ({ workspace, pinned: [{ path, bytes: bytes('x') }] })
  const refused = { code: 'bad_path' }
  await expect(bash(':', { workspace, writable: ['skills'] })).rejects.toMatchObject(refused)
  await expect(bash(':', { workspace, writable: ['skills/deep'] })).rejects.toMatchObject(refused)
  for (const path of ['skills/x', 'skills/a/b', 'file', '../x', '/etc/passwd', 'a/../../x', './x', 'a\0b']) {
    await expect(bash(':', pin(path)), path).rejects.toMatchObject(refused)
  }
  mkdirSync(join(workspace, 'folder'))
  await expect(bash(':', pin('folder'))).rejects.toMatchObject(refused)
  expect(readdirSync(outside)).toEqual([])
  await expect(bash(':', { workspace: join(workspace, 'skills') })).rejects.toMatchObject(refused)
})

test('a folder that is replaced after it was looked up is noticed', async () => {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'skills'))
  const prepared = await prepare(workspace, [], ['skills'])
  // This process stands for a sandbox in which nothing is mounted as it should be.
  await expect(prepared.check(process.pid)).rejects.toMatchObject({ code: 'workspace_changed' })
  await prepared.close()
  const lines = '36 35 98:0 / /workspace/a\\040b ro,noatime - ext4 /dev/root rw\n37 36 0:1 / /tmp rw - tmpfs x rw'
  expect([...mountPoints(lines)]).toEqual([
    ['/workspace/a b', 'ro'],
    ['/tmp', 'rw'],
  ])
})

test.each([
  ['a link', 'mkdir a; ln -s "$OUTSIDE" a/skills', 'sandbox_failed'],
  ['another folder', 'mkdir -p a/skills; echo secret > a/skills/secret', 'workspace_changed'],
])('a folder that becomes %s just before it is mounted is not shown', async (_, change, code) => {
  const outside = makeFolder()
  writeFileSync(join(outside, 'secret'), 'secret')
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'a/skills'), { recursive: true })
  const late = join(makeFolder(), 'bwrap')
  const exchange = `OUTSIDE=${outside}; (cd ${workspace}; mv a old; ${change})`
  writeFileSync(late, `#!/bin/sh\nfor a; do [ "$a" = --args ] && { ${exchange}; }; done\nexec bwrap "$@"\n`)
  chmodSync(late, 0o755)
  let heard = ''
  const output = (_: string, text: string) => {
    heard += text
  }
  const run = runOf(['bash', '-c', 'cat a/skills/secret'], { workspace, writable: ['a/skills'], output })
  await expect(openSandbox({ bwrap: late }).run(run)).rejects.toMatchObject({ code })
  expect(heard).not.toContain('secret\n')
})

test('replacing folders with links all the time never lets a command out', async () => {
  const outside = makeFolder()
  writeFileSync(join(outside, 'secret'), 'secret')
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'skills'))
  let tries = 0
  const exchange = setInterval(() => {
    tries++
    try {
      renameSync(join(workspace, 'skills'), join(workspace, `old${tries}`))
      if (tries % 2 === 0) symlinkSync(outside, join(workspace, 'skills'))
      else mkdirSync(join(workspace, 'skills'))
    } catch {}
  }, 1)
  const pinned = (path: string) => [{ path, bytes: bytes('echo approved') }]
  const closed = { workspace, writable: ['temp'], pinned: pinned('skills/run.sh') }
  const open = { workspace, writable: ['skills'], pinned: pinned('run.sh') }
  const ran: string[] = []
  for (let n = 0; n < 30; n++) {
    const wanted = n % 2 === 0 ? closed : open
    const result = await bash('cat skills/secret; touch skills/x; bash skills/run.sh', wanted).catch(() => undefined)
    if (result !== undefined) ran.push(result.stdout)
  }
  clearInterval(exchange)
  expect(ran.join('')).not.toContain('secret')
  expect(readdirSync(outside)).toEqual(['secret'])

  // It was the exchange that kept them from running.
  rmSync(join(workspace, 'skills'), { recursive: true, force: true })
  mkdirSync(join(workspace, 'skills'))
  expect((await bash('bash skills/run.sh', closed)).stdout).toBe('approved\n')
  expect((await bash('touch skills/x; bash run.sh', open)).stdout).toBe('approved\n')
})

test('names of all kinds', async () => {
  const workspace = makeFolder()
  const name = "-a b\\040'$(id)\n\u00e9😀"
  mkdirSync(join(workspace, name))
  const result = await bash('touch x; touch y/z; cat pin*; ls', {
    ...{
      workspace,
      directory: name,
      writable: [name],
      pinned: [{ path: `${name}/pin "1"`, bytes: bytes('ok\n') }],
    },
  })
  expect(result.stdout).toBe('ok\npin "1"\nx\n')
  expect(existsSync(join(workspace, name, 'x'))).toBe(true)
  rmSync(workspace, { recursive: true })
})

test('a command with pinned files has the workspace for itself', async () => {
  const turns = openTurns()
  const { signal } = new AbortController()
  const order: string[] = []
  const first = await turns('w', false, signal)
  const second = await turns('w', false, signal)
  const alone = turns('w', true, signal).then((leave) => {
    order.push('alone')
    leave()
  })
  const after = turns('w', false, signal).then(() => order.push('after'))
  await (await turns('other', true, signal))()
  order.push('other')
  first()
  second()
  await Promise.all([alone, after])
  expect(order).toEqual(['other', 'alone', 'after'])
  const waiting = new AbortController()
  const given = turns('w', true, waiting.signal)
  waiting.abort()
  await expect(given).rejects.toThrow()
})

describe('a workspace in which only some folders are writable', () => {
  test('everything else stays as it is, even what is missing', async () => {
    const workspace = makeFolder()
    mkdirSync(join(workspace, 'uploads'))
    writeFileSync(join(workspace, 'uploads/a'), 'kept')
    writeFileSync(join(workspace, '.metadata.json'), '{}')
    const attack =
      'for f in x .metadata.json uploads/a uploads/b outputs/c temp/d; do echo new > $f; done; rm -rf uploads; mv outputs o; mv uploads temp/u; ln -s ../uploads temp/l; echo new > temp/l/a; ln uploads/a temp/h; echo new >> temp/h; chmod 777 .'
    const { stderr } = await bash(attack, { workspace, writable: ['outputs', 'temp'] })
    expect(stderr).toContain('Read-only file system')
    expect(readdirSync(workspace).sort()).toEqual(['.metadata.json', 'outputs', 'temp', 'uploads'])
    expect(readdirSync(join(workspace, 'uploads'))).toEqual(['a'])
    expect(readFileSync(join(workspace, 'uploads/a'), 'utf8')).toBe('kept')
    expect(readFileSync(join(workspace, '.metadata.json'), 'utf8')).toBe('{}')
    expect(readFileSync(join(workspace, 'outputs/c'), 'utf8')).toBe('new\n')
  })

  test('a link in place of one is refused', async () => {
    const workspace = makeFolder()
    symlinkSync('uploads', join(workspace, 'outputs'))
    mkdirSync(join(workspace, 'uploads'))
    const run = bash('touch outputs/x', { workspace, writable: ['outputs'] })
    await expect(run).rejects.toMatchObject({ code: 'bad_path' })
    expect(readdirSync(join(workspace, 'uploads'))).toEqual([])
  })

  test('pinned files there stand as they were decided on, in writable folders too', async () => {
    const workspace = makeFolder()
    mkdirSync(join(workspace, 'outputs/deep'), { recursive: true })
    const { stdout } = await bash(
      'cat run.sh outputs/deep/run.sh; mv outputs/deep outputs/x; rm -f outputs/deep/run.sh; touch outputs/deep/y new; ls outputs/deep',
      {
        ...{ workspace, writable: ['outputs'] },
        pinned: ['run.sh', 'outputs/deep/run.sh'].map((path) => ({ path, bytes: bytes(`${path}\n`) })),
      },
    )
    expect(stdout).toBe('run.sh\noutputs/deep/run.sh\nrun.sh\ny\n')
  })
})

describe('what Python may import', () => {
  const modules = [
    { name: 'helper.py', bytes: bytes('answer = 42\n') },
    { name: 'json.py', bytes: bytes('print("planted")\n') },
  ]
  const script = 'import json, sys\nprint(json.dumps([1]), sys.path[-1])\nimport helper\nprint(helper.answer)'

  test('is what it is given, and nothing of the system’s is replaced', async () => {
    const workspace = makeFolder()
    writeFileSync(join(workspace, 'a.py'), script)
    for (const name of ['helper.py', 'sys.py', 'sitecustomize.py'])
      writeFileSync(join(workspace, name), 'print("planted")')
    const { stdout } = await bash('python3 a.py', { workspace, modules })
    expect(stdout).toBe('[1] /opt/bobbin/modules\n42\n')
    const without = await bash('python3 a.py', { workspace })
    expect(without.stdout).not.toContain('planted')
    expect(without.stderr).toContain("No module named 'helper'")
  })

  test('has a name that leads nowhere else', async () => {
    for (const name of ['../x.py', 'a/b.py', 'x', 'x.pyc'])
      await expect(bash(':', { modules: [{ name, bytes: bytes('') }] })).rejects.toMatchObject({ code: 'bad_command' })
  })
})
