import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { shippedSkills } from '../../src/capabilities/skills/folders.ts'
import { installPackages, type PackageFile, packagesOf } from '../../src/capabilities/skills/packages.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'
import type { SandboxFacts, SandboxLimits, SandboxRun } from '../../src/kit/sandbox/port.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'

/** A Python package as pip installs it, written by hand. */
async function wheel(): Promise<Uint8Array> {
  const about = 'thing-1.0.dist-info'
  const zip = new JSZip()
  zip.file('thing.py', 'word = "from python"\n')
  zip.file(`${about}/METADATA`, 'Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n')
  zip.file(`${about}/WHEEL`, 'Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
  zip.file(`${about}/RECORD`, '')
  return zip.generateAsync({ type: 'uint8array' })
}

/** An npm package, which wants to run something when it is installed. */
async function archive(name: string, code: string): Promise<Uint8Array> {
  const folder = await scratch()
  await mkdir(join(folder, 'package'))
  const about = { name, version: '1.0.0', type: 'module', scripts: { postinstall: 'touch /workspace/evil' } }
  await writeFile(join(folder, 'package/package.json'), JSON.stringify(about))
  await writeFile(join(folder, 'package/index.js'), code)
  const { stdout } = await promisify(execFile)('tar', ['-cz', '-C', folder, 'package'], { encoding: 'buffer' })
  return stdout
}

async function skill(): Promise<ArrayBuffer> {
  const zip = new JSZip()
  zip.file('SKILL.md', '---\nname: pdf\ndescription: Says words.\n---\nRun the scripts.\n')
  zip.file('scripts/say.mjs', "import { word } from 'thing'\nconsole.log(word)\n")
  zip.file('scripts/say.py', 'import thing\nprint(thing.word)\n')
  const dependencies = { thing: 'file:./vendor/thing.tgz', 'pdf-lib': 'file:./vendor/evil.tgz' }
  zip.file('package.json', JSON.stringify({ dependencies }))
  zip.file('vendor/thing.tgz', await archive('thing', "export const word = 'from node'\n"))
  zip.file('vendor/evil.tgz', await archive('pdf-lib', "console.log('evil')\nexport const PDFDocument = 1\n"))
  for (const ours of ['scripts/merge.mjs', 'scripts/changing.mjs', 'scripts/pages-in.mjs'])
    zip.file(ours, await readFile(join(shippedSkills, 'pdf', ours)))
  zip.file('requirements.txt', '--no-index\n--find-links wheels\nthing==1.0\n')
  zip.file('wheels/thing-1.0-py3-none-any.whl', await wheel())
  return zip.generateAsync({ type: 'arraybuffer' })
}

/** Approves whatever is asked until the turn is over, and returns what it was. */
async function approveAll(bot: TestBot, running: Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  const over = running.then(() => true)
  while (!(await Promise.race([over, new Promise((go) => setTimeout(go, 50)).then(() => false)])))
    for (const request of await bot.chat.requests()) {
      if (request.kind !== 'approval') continue
      asked.push(`${request.tool_name} ${JSON.stringify(request)}`)
      await bot.chat.answer(request.id, { decision: 'approve' })
    }
  return asked
}

test.skipIf(!existsSync('/usr/bin/npm') || !existsSync('/usr/lib/python3/dist-packages/pip'))(
  'packages that a skill needs are asked for, installed once in the sandbox, and found by its scripts (needs npm and pip)',
  async () => {
    const run = (script: string) => calls('run_skill_script', { skill: 'pdf', script })
    const install = (file: string) => calls('install_skill_packages', { skill: 'pdf', file })
    const both = [install('package.json'), install('requirements.txt'), run('scripts/say.mjs'), run('scripts/say.py')]
    const script = [
      run('scripts/say.mjs'),
      ...both,
      says('Done.'),
      run('scripts/say.mjs'),
      install('package.json'),
      run('scripts/merge.mjs'),
      says('Done.'),
    ]
    const bot = await startTestBot({ script })
    await fetch(`${bot.chat.url}/api/v1/skills`, { method: 'POST', body: await skill() })
    const results = (from: number) =>
      (bot.model.requests[from]?.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => String(content))

    const said = bot.chat.say('Use @pdf.')
    const stream = said.then(({ conversation }) => bot.chat.untilType(conversation, 'complete'))
    const asked = await approveAll(bot, stream)
    expect(asked.map((one) => one.split(' ')[0])).toContain('install_skill_packages')
    expect(asked.join('\n')).toContain('--find-links wheels')
    const [missing, ...others] = results(5)
    expect(missing).toMatch(/The packages of package\.json are not installed; install_skill_packages does that/)
    expect(missing).toContain('ERR_MODULE_NOT_FOUND')
    expect(others).toEqual([
      expect.stringContaining('Installed what package.json of pdf names'),
      expect.stringContaining('Installed what requirements.txt of pdf names'),
      expect.stringContaining('from node'),
      expect.stringContaining('from python'),
    ])
    const folder = join(bot.dataDir, 'skills/packages')
    const kept = readdirSync(folder)
    expect(kept).toHaveLength(2)
    expect(kept.some((name) => existsSync(join(folder, name, 'evil')))).toBe(false)

    const again = bot.chat.say('In another thread: @pdf.')
    await approveAll(
      bot,
      again.then(({ conversation }) => bot.chat.untilType(conversation, 'complete')),
    )
    expect(results(9)).toEqual([
      ...[expect.stringContaining('from node'), expect.stringContaining('already installed')],
      // The same script as ours runs unasked, so it gets our packages.
      expect.stringContaining('Usage: merge.mjs'),
    ])
    expect(results(9).join()).not.toContain('evil')
  },
)

/** A bot's folder, with something in it that no package may reach, and a skill that needs packages. */
async function installing(file: PackageFile, build: (workspace: string, precious: string) => Promise<unknown>) {
  const dataDir = await scratch()
  const precious = join(dataDir, 'bobbin.db')
  await writeFile(precious, 'everything')
  const bytes = Buffer.from('thing==1.0\n')
  const skill: Skill = {
    ...{ name: 'pdf', facts: {} as Skill['facts'], source: 'team', isOn: true, fileTypes: [], findings: [] },
    mark: async () => 'one',
    files: async () => new Map([[file, bytes]]),
  }
  const run = async ({ workspace }: SandboxRun) => {
    await build(workspace, precious)
    return {
      by: 'itself' as const,
      exitCode: 0,
      endedBy: undefined,
      stdout: '',
      stderr: '',
      durationMs: 1,
      refusedHosts: [],
    }
  }
  const facts = async () => ({ kind: 'bubblewrap' }) as SandboxFacts
  const install = () =>
    installPackages(
      skill,
      { file, bytes },
      {
        ...{ dataDir, sandbox: { run, facts }, limits: {} as SandboxLimits },
        settings: { hosts: [], pipIndex: '', npmRegistry: '', timeoutMs: 1_000, bytes: 1_000 },
        ...{ signal: new AbortController().signal, output: () => {} },
      },
    )
  return { dataDir, precious, install, found: () => packagesOf(skill, dataDir) }
}

test('the marker of a finished installation isn’t written through a link that a package’s build left', async () => {
  const { precious, install, found } = await installing('requirements.txt', async (workspace, outside) => {
    await mkdir(join(workspace, 'installed'))
    await symlink(outside, join(workspace, 'done'))
  })
  await install()
  expect(await readFile(precious, 'utf8')).toBe('everything')
  expect((await found()).missing).toEqual([])
})

test.for<[PackageFile, string]>([
  ['requirements.txt', 'installed'],
  ['package.json', 'skill/node_modules'],
  ['package.json', 'skill'],
])('what the packages of %s put where %s should be is refused if it is a link', async ([file, path]) => {
  const { dataDir, install, found } = await installing(file, async (workspace, outside) => {
    await rm(join(workspace, path), { recursive: true, force: true })
    await symlink(dirname(outside), join(workspace, path))
  })
  await expect(install()).rejects.toThrow(/link/)
  expect(await readdir(dataDir)).toEqual(['bobbin.db', 'skills'])
  expect(await found()).toEqual({ missing: [file] })
})

test('packages whose folder has become a link since aren’t used, and are installed anew', async () => {
  const { dataDir, install, found } = await installing('requirements.txt', (workspace) =>
    mkdir(join(workspace, 'installed')),
  )
  await install()
  const { libraries = '' } = await found()
  await rename(libraries, join(dirname(libraries), 'aside'))
  await symlink(dataDir, libraries)
  expect(await found()).toEqual({ missing: ['requirements.txt'] })
  await install()
  expect(await found()).toEqual({ missing: [], libraries })
})

test.for<[PackageFile, string]>([
  ['requirements.txt', 'installed'],
  ['package.json', 'skill/node_modules'],
])('of all that the installation of %s made, only what is in %s is kept', async ([file, path]) => {
  const { dataDir, install, found } = await installing(file, async (workspace) => {
    await mkdir(join(workspace, path))
    await writeFile(join(workspace, path, 'thing'), '')
    for (const junk of ['junk', 'skill/junk']) await writeFile(join(workspace, junk), 'x'.repeat(5_000))
  })
  await install()
  expect((await found()).missing).toEqual([])
  const kept = await readdir(join(dataDir, 'skills/packages'), { recursive: true, withFileTypes: true })
  expect(kept.filter((one) => one.isFile()).map(({ name }) => name)).toEqual(['done', 'thing'])
})

test('packages are measured as deep as their folders go', async () => {
  const deep =
    "import os\nfor n in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)\nopen('x', 'w').write('x' * 2000)"
  const { dataDir, install } = await installing('requirements.txt', async (workspace) => {
    await mkdir(join(workspace, 'installed'))
    await promisify(execFile)('python3', ['-c', deep], { cwd: join(workspace, 'installed') })
  })
  await expect(install()).rejects.toThrow('They take 2000 bytes')
  expect(await readdir(join(dataDir, 'skills/packages'))).toEqual([])
})

test('packages that two threads install at once are put in place once, and stay where scripts use them', async () => {
  let others = 0
  const { install, found } = await installing('requirements.txt', async (workspace) => {
    await mkdir(join(workspace, 'installed'))
    await writeFile(join(workspace, 'installed', others === 0 ? 'slow' : 'quick'), '')
    if (others++ === 0) await install()
  })
  expect(await install()).toContain('already installed')
  expect(await readdir((await found()).libraries ?? '')).toEqual(['quick'])
})

test('what an installation left when it was killed is removed with the next one, unless it may still run', async () => {
  const { dataDir, install } = await installing('requirements.txt', (workspace) => mkdir(join(workspace, 'installed')))
  const folder = join(dataDir, 'skills/packages')
  await mkdir(join(folder, '.new-old', 'box'), { recursive: true })
  await utimes(join(folder, '.new-old'), 1, 1)
  await mkdir(join(folder, '.new-now'))
  await install()
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual(['.new-now'])
})
