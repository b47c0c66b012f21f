import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdFile } from '../../src/store/sqlite/hold-file.ts'
import { bobbinHere } from '../commands/support.ts'
import { withoutSandbox } from '../support/sandbox.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { launch, standingStillAt, unprivileged } from './support.ts'

async function dataDirectory(): Promise<string> {
  const directory = await scratch()
  await layDatabase(join(directory, 'bobbin.db'))
  return directory
}

async function archiveOf(dataDir: string): Promise<string> {
  const file = join(await scratch(), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  return file
}

/** What has been restored in a thread's folder from a backup in which some of it is missing, and what was said of that. */
async function throughBackup(dataDir: string): Promise<{ out: string; restored: string[] }> {
  const file = join(await scratch(), 'a.tar.gz')
  const made = await bobbinHere(dataDir, 'backup', file)
  expect(made).toMatchObject({ code: 0, err: '' })
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  return { out: made.out, restored: (await readdir(join(there, 'workspace/ses_1'), { recursive: true })).toSorted() }
}

/** Runs a command in a thread's folder. */
function inThread(dataDir: string, command: string): string {
  const folder = join(dataDir, 'workspace/ses_1')
  execFileSync('bash', ['-c', `mkdir -p ${folder} && cd ${folder} && ${command}`])
  return folder
}

test.each([
  [
    'folders nested too deep',
    'd=$(printf %0200d); for i in {1..30}; do mkdir $d; cd $d; done; echo b > b',
    /^ {2}\/[^\n]*\/ses_1\/0{200}\/0+…\n$/,
  ],
  [
    'a name that isn’t UTF-8',
    "mkdir $'x\\xff'; echo b > $'x\\xff/b'; echo c > $'c\\xfe'",
    /^( {2}\/[^\n]*\/ses_1\/[cx]\uFFFD\n){2}$/,
  ],
  ['a name with a backslash', "mkdir 'x\\y'; echo b > 'x\\y/b'", /^ {2}\/[^\n]*\/ses_1\/x\\y\n$/],
])('%s: everything else is in the backup, and this is named', async (_, command, named) => {
  const dataDir = await dataDirectory()
  const folder = inThread(dataDir, `echo a > a; ${command}`)
  const { out, restored } = await throughBackup(dataDir)
  execFileSync('rm', ['-rf', folder])
  expect(restored.filter((name) => !name.startsWith('0'))).toEqual(['a'])
  const [, missing = ''] = out.split(/^Not in it, .*:\n/m)
  expect(missing).toMatch(named)
})

test('a repository whose folders git has emptied is one after a restore, too', async () => {
  const dataDir = await dataDirectory()
  const git = 'git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main'
  inThread(
    dataDir,
    `echo a > a; ${git} init -q; ${git} add a; ${git} commit -qm one; ${git} pack-refs --all; mkdir empty`,
  )
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', await archiveOf(dataDir))).toMatchObject({ code: 0, err: '' })
  const folder = join(there, 'workspace/ses_1')
  const log = execFileSync('git', ['-C', folder, '-c', 'safe.directory=*', 'log', '--format=%s'], { encoding: 'utf8' })
  expect(log).toBe('one\n')
  expect(await readdir(join(folder, 'empty'))).toEqual([])
})

/** A backup that has listed the files and is being written. */
async function begunBackup(dataDir: string) {
  const file = join(await scratch(), 'a.tar.gz')
  const made = launch(dataDir, ['backup', file], standingStillAt(1))
  await made.untilStill()
  return { file, made }
}

test('a file that is replaced by a longer one meanwhile is whole in the backup, or named', async () => {
  const dataDir = await dataDirectory()
  const folder = inThread(dataDir, 'mkdir in && echo old > in/replaced && echo old > in/huge')
  const { file, made } = await begunBackup(dataDir)
  await writeFile(join(folder, 'in/new'), 'n'.repeat(100_000))
  await rename(join(folder, 'in/new'), join(folder, 'in/replaced'))
  await truncate(join(folder, 'in/huge'), 1e9)
  made.goOn()
  expect(await made.ended).toBe(0)
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  const restored = join(there, 'workspace/ses_1/in')
  expect(await readFile(join(restored, 'replaced'), 'utf8')).toBe('n'.repeat(100_000))
  expect(await readFile(join(restored, 'huge'), 'utf8')).toBe('old\n')
  const [, cut] = made.said().split(/^Only the beginning of these is in it, .*:\n/m)
  expect(cut).toBe(`  ${join(folder, 'in/huge')}\n`)
})

test('uploads that turns take over while a backup is written are in it', async () => {
  const dataDir = await dataDirectory()
  const incoming = join(dataDir, 'incoming')
  await mkdir(incoming)
  for (let number = 0; number < 3; number++) await writeFile(join(incoming, `${number}`), randomBytes(1_000))
  const { file, made } = await begunBackup(dataDir)
  await rm(incoming, { recursive: true })
  made.goOn()
  expect([await made.ended, made.said()]).toEqual([0, expect.not.stringContaining('Not in it')])
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  const sizes = (await readdir(join(there, 'incoming'))).map(
    async (name) => (await stat(join(there, 'incoming', name))).size,
  )
  expect(await Promise.all(sizes)).toEqual(Array(3).fill(1_000))
})

test('backups kept in a folder of the data directory don’t contain each other', async () => {
  const dataDir = await dataDirectory()
  inThread(dataDir, 'echo a > a')
  const backups = join(dataDir, 'backups')
  await mkdir(backups)
  await writeFile(join(backups, 'earlier.tar.gz'), randomBytes(100_000))
  const file = join(backups, 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect((await readdir(there)).toSorted()).toEqual(['bobbin.db', 'restored', 'workspace'])
})

test('what another bot is still writing into the same folder stays, and what it has left goes a day later', async () => {
  const dataDir = await dataDirectory()
  const folder = await scratch()
  // Ids of processes in other containers, which mean nothing here.
  const [writing, starting, left] = ['4194301-a', '4194302-b', 'box-4194303-c'].map((end) => `.bobbin-backup-${end}`)
  for (const name of [writing, starting, left]) await mkdir(join(folder, `${name}`))
  onTestFinished(holdFile(join(folder, `${writing}`, 'lock')) ?? (() => {}))
  for (const name of [writing, left]) await utimes(join(folder, `${name}`), 0, 0)
  expect(await bobbinHere(dataDir, 'backup', join(folder, 'a.tar.gz'))).toMatchObject({ code: 0, err: '' })
  expect((await readdir(folder)).toSorted()).toEqual([writing, starting, 'a.tar.gz'])
})

test('a backup into a thread’s folder has everything else that is there', async () => {
  const dataDir = await dataDirectory()
  const file = join(inThread(dataDir, 'echo a > a'), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', file)).toMatchObject({ code: 0, err: '' })
  const there = await scratch()
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
  expect(await readdir(join(there, 'workspace/ses_1'))).toEqual(['a'])
})

test.skipIf(withoutSandbox).each([
  ['the first file', -1],
  ['the database', 0],
  ['the archive', 500_000],
])('a disk that gets full with %s of a backup is named', async (_, more) => {
  const [dataDir, target] = [await dataDirectory(), await scratch()]
  await mkdir(join(dataDir, 'workspace'))
  await writeFile(join(dataDir, 'workspace/noise'), randomBytes(1_000_000))
  const { size } = await stat(join(dataDir, 'bobbin.db'))
  const bytes = more > 0 ? size + more : more === 0 ? 65_536 : 4_096
  const disk = ['bwrap', '--dev-bind', '/', '/', '--size', `${bytes}`, '--tmpfs', target]
  const look = [
    'sh',
    '-c',
    `[ ${bytes} -gt 4096 ] || echo > ${target}/filler; "$@"; code=$?; echo "Left: $(ls -A ${target})."; exit $code`,
    'sh',
  ]
  const { ended, said } = launch(dataDir, ['backup', join(target, 'a.tar.gz')], [...disk, ...look])
  expect(await ended).toBe(1)
  expect(said()).toMatch(/Nothing can be written in \S+: [^\n]+\. Make room there[^\n]+\n/)
  expect(said()).toMatch(/Left: (filler)?\.\n$/)
  expect(said()).toContain(target)
  expect(said()).not.toContain('Bobbin’s data')
})

test('what can’t be read, or isn’t a file, is no archive', async () => {
  const file = await archiveOf(await dataDirectory())
  const folder = await bobbinHere(await scratch(), 'restore', await scratch())
  expect(folder).toMatchObject({ code: 1, err: expect.stringContaining('Name an archive of `bobbin backup`.') })
  await chmod(file, 0)
  const closed = launch(await scratch(), ['restore', file], unprivileged)
  expect(await closed.ended).toBe(1)
  expect(closed.said()).toMatch(/^\S+a\.tar\.gz can’t be read: EACCES[^\n]*\. Make it readable for [^\n]+\n$/)
})

test('a restore that was killed is repeated without the settings that were put there since', async () => {
  const file = await archiveOf(await dataDirectory())
  const there = await scratch()
  for (const folder of ['.restoring/moved/workspace', 'config', 'lost+found', 'workspace/half'])
    await mkdir(join(there, folder), { recursive: true })
  await writeFile(join(there, 'config/bobbin.yaml'), 'agent:\n  max_steps: 7\n')
  await writeFile(join(there, '.env'), 'BOBBIN_PORT=3100\n')
  expect(await bobbinHere(there, 'restore', file, { BOBBIN_HOME: there })).toMatchObject({ code: 0, err: '' })
  expect(await readFile(join(there, 'config/bobbin.yaml'), 'utf8')).toContain('max_steps: 7')
  expect(await readFile(join(there, '.env'), 'utf8')).toContain('3100')
  expect(await readdir(there)).toContain('lost+found')
  expect(await readdir(there)).not.toContain('workspace')
})

test('a new disk’s lost+found doesn’t keep it from being restored to', async () => {
  const file = await archiveOf(await dataDirectory())
  const there = await scratch()
  await mkdir(join(there, 'lost+found'))
  expect(await bobbinHere(there, 'restore', file)).toMatchObject({ code: 0, err: '' })
})
