import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, unlinkSync } from 'node:fs'
import { chmod, link, lstat, mkdir, readdir, readFile, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { errnoOf } from '../../src/kit/errno.ts'
import { writeMetadata } from '../../src/workspace/metadata.ts'
import { pathNames } from '../../src/workspace/paths.ts'
import { isAbandoned, temporaryName } from '../../src/workspace/temporary.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { until } from '../support/until.ts'
import { codeOf, collect, place } from './support.ts'

test('what is written is read, in folders that were missing', async () => {
  const { workspace, root } = await place()
  await workspace.write('./outputs//a/b/c.txt', 'one')
  expect(String(await workspace.read('outputs/a/b/c.txt'))).toBe('one')
  await workspace.write('outputs/a/b/c.txt', Buffer.from('two'))
  expect(await readFile(join(root, 'outputs/a/b/c.txt'), 'utf8')).toBe('two')
  expect(await readdir(join(root, 'outputs/a/b'))).toEqual(['c.txt'])
})

test('a stream that breaks leaves the old file and nothing else', async () => {
  const { workspace, root } = await place()
  await workspace.write('uploads/a.bin', 'old')
  const broken = async function* () {
    yield Buffer.from('half')
    throw new Error('the line went dead')
  }
  await expect(workspace.write('uploads/a.bin', broken())).rejects.toThrow('the line went dead')
  expect(String(await workspace.read('uploads/a.bin'))).toBe('old')
  expect(await readdir(join(root, 'uploads'))).toEqual(['a.bin'])
})

test('readers see the old or the new content, never a part', async () => {
  const { workspace } = await place()
  const contents = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
  await workspace.write('temp/x', contents[0] ?? '')
  let writing = true
  const writer = (async () => {
    for (let round = 0; round < 20; round++) await workspace.write('temp/x', contents[round % 2] ?? '')
    writing = false
  })()
  while (writing) expect(contents).toContain(String(await workspace.read('temp/x')))
  await writer
})

test('exclusive takes a free name once, also when many ask at the same time', async () => {
  const { workspace } = await place()
  const tries = await Promise.all(
    Array.from({ length: 20 }, (_, index) => codeOf(workspace.write('uploads/x', `${index}`, { exclusive: true }))),
  )
  expect(tries.filter((result) => result === 'done')).toHaveLength(1)
  expect(tries.filter((result) => result === 'exists')).toHaveLength(19)
  expect(await workspace.list('uploads')).toHaveLength(1)
  await workspace.read('uploads/x')
})

test('a file that is just being created, and has two names for a moment, is read', async () => {
  const { workspace, root } = await place()
  await workspace.write('uploads/x', 'whole')
  await link(join(root, 'uploads/x'), join(root, 'uploads/second'))
  setTimeout(() => unlinkSync(join(root, 'uploads/second')), 5)
  expect(String(await workspace.read('uploads/x'))).toBe('whole')
})

test('permissions survive a replacement', async () => {
  const { workspace, root } = await place()
  await workspace.write('temp/run.sh', 'one')
  await chmod(join(root, 'temp/run.sh'), 0o755)
  await workspace.write('temp/run.sh', 'two')
  expect((await lstat(join(root, 'temp/run.sh'))).mode & 0o777).toBe(0o755)
})

test('a killed writer’s leftovers are invisible, and gone after the workspace is next opened', async () => {
  const { workspace, root } = await place()
  const writer = fork(new URL('./writer.ts', import.meta.url), [root])
  onTestFinished(() => void writer.kill('SIGKILL'))
  await once(writer, 'message')
  const left = async () => (await readdir(join(root, 'outputs/deep')).catch(() => [])).length
  await until('a file that is being written', async () => (await left()) === 1)
  expect(await collect(workspace.walk('.', { all: true }))).toEqual([])
  expect(await workspace.list('outputs/deep')).toEqual([])
  await openWorkspace(root)
  expect(await left(), 'a living writer keeps its file').toBe(1)

  writer.kill('SIGKILL')
  await once(writer, 'exit')
  await openWorkspace(root)
  expect(await left()).toBe(0)
})

test('only files that no living writer on this machine can hold count as left over', () => {
  const now = Date.now()
  const own = temporaryName()
  expect(isAbandoned(own, now, now)).toBe(false)
  // In a container, the restarted bot has the same process id.
  expect(isAbandoned(own, now - process.uptime() * 1000 - 5000, now)).toBe(true)
  expect(isAbandoned(own.replace(/-[0-9a-f]{8}-/, '-00000000-'), now - 60_000, now)).toBe(false)
  expect(isAbandoned(own.replace(/-[0-9a-f]{8}-/, '-00000000-'), now - 4_000_000, now)).toBe(true)
})

test('the temporary names cannot be used', async () => {
  const { workspace } = await place()
  expect(await codeOf(workspace.write(`temp/${temporaryName()}`, 'x'))).toBe('path_refused')
})

test('names: 255 bytes fit, 256 are a clear error', async () => {
  const { workspace } = await place()
  await workspace.write(`outputs/${'ü'.repeat(127)}x`, 'fits')
  expect(await workspace.list('outputs')).toHaveLength(1)
  await expect(workspace.write(`outputs/${'ü'.repeat(128)}`, 'x')).rejects.toThrow(
    'has a name of 256 bytes; 255 are allowed',
  )
  expect(await codeOf(workspace.read(`outputs/${'x/'.repeat(70)}a`))).toBe('path_refused')
})

test('a name with accents is found however its folder writes them, if only one looks like it', async () => {
  const { root, workspace } = await place()
  const [asked, mac] = ['temp/Büro/Übersicht.md', 'temp/Büro/Übersicht.md'.normalize('NFD')]
  await mkdir(join(root, dirname(mac)), { recursive: true })
  await writeFile(join(root, mac), 'from a Mac')
  expect(String(await workspace.read(asked))).toBe('from a Mac')
  expect(await workspace.stat(asked)).toMatchObject({ size: 10 })
  expect(await collect(workspace.walk('temp/Büro'))).toHaveLength(1)
  await workspace.write(asked, 'changed')
  expect(await codeOf(workspace.write(asked, 'new', { exclusive: true }))).toBe('exists')
  expect(String(await readFile(join(root, mac)))).toBe('changed')
  expect(await readdir(join(root, 'temp'))).toHaveLength(1)

  // What is there as it was asked for comes first.
  await writeFile(join(root, dirname(mac), 'Übersicht.md'), 'another')
  expect(String(await workspace.read(asked))).toBe('another')
  expect(String(await workspace.read(`temp/Büro/${basename(mac)}`))).toBe('changed')
  expect(await codeOf(workspace.read('temp/Büro/Über.md'))).toBe('not_found')

  await symlink('/etc', join(root, 'temp', 'Außen é'.normalize('NFD')))
  expect(await codeOf(workspace.read('temp/Außen é/passwd'))).toBe('path_refused')
  expect(await codeOf(workspace.stat('temp/Außen é'))).toBe('path_refused')
})

test('a missing file, or one of another kind, has its own error', async () => {
  const { workspace } = await place()
  await workspace.write('outputs/a.txt', 'x')
  expect(await workspace.stat('outputs/none')).toBeUndefined()
  expect(await workspace.stat('outputs/a.txt/below')).toBeUndefined()
  expect(await codeOf(workspace.read('outputs/none'))).toBe('not_found')
  expect(await codeOf(workspace.read('outputs'))).toBe('not_a_file')
  expect(await codeOf(workspace.read('outputs/a.txt/x'))).toBe('not_a_folder')
  expect(await codeOf(workspace.list('outputs/a.txt'))).toBe('not_a_folder')
  expect(await codeOf(workspace.list('none'))).toBe('not_found')
  expect(await codeOf(workspace.write('outputs/a.txt/x', 'x'))).toBe('not_a_folder')
  await workspace.write('outputs/folder/a', 'x')
  expect(await codeOf(workspace.write('outputs/folder', 'x'))).toBe('not_a_file')
})

test('read has a limit, readRange reads as much as there is', async () => {
  const { workspace, root } = await place({ readBytes: 100 })
  await workspace.write('temp/x', '0123456789')
  expect(await codeOf(workspace.read('temp/x', 9))).toBe('too_large')
  expect(String(await workspace.read('temp/x', 10))).toBe('0123456789')
  expect(String(await workspace.readRange('temp/x', 8, 1000))).toBe('89')
  expect(await workspace.readRange('temp/x', 80, 10)).toHaveLength(0)
  await expect(workspace.readRange('temp/x', -1, 10)).rejects.toThrow(RangeError)
  await truncate(join(root, 'temp/x'), 50_000_000_000)
  expect(await codeOf(workspace.read('temp/x'))).toBe('too_large')
  expect(await workspace.readRange('temp/x', 40_000_000_000, 4)).toHaveLength(4)
})

test('list sorts by name and gives kinds, sizes and times', async () => {
  const { workspace, root } = await place()
  await workspace.write('outputs/b.txt', 'four')
  await workspace.write('outputs/a/x', 'x')
  await utimes(join(root, 'outputs/b.txt'), 1000, 1000)
  const entries = await workspace.list('outputs')
  expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
    ['outputs/a', 'directory'],
    ['outputs/b.txt', 'file'],
  ])
  expect(entries[1]).toMatchObject({ size: 4, modifiedAt: 1_000_000 })
  expect((await workspace.list('.')).map(({ path }) => path)).toEqual(['outputs', 'skills', 'temp', 'uploads'])
})

test('walk leaves out hidden files unless asked for all', async () => {
  const { workspace } = await place()
  const paths = ['.git/x', '.hidden', '__pycache__/x', 'a/b', 'c', 'node_modules/x']
  for (const path of paths) await workspace.write(`temp/${path}`, 'x')
  const walked = async (all: boolean) =>
    (await collect(workspace.walk('temp', { all }))).map(({ path }) => path.slice(5))
  expect(await walked(false)).toEqual(['c', 'a/b'])
  expect((await walked(true)).sort()).toEqual(paths)
})

test('walk ends with too_many at its limit, respects its depth, and opens a folder only when it gets there', async () => {
  const { workspace } = await place({ entries: 5, depth: 2 })
  for (const name of ['1', '2', '3', '4', '5', '6']) await workspace.write(`temp/${name}/x`, 'x')
  expect(await codeOf(collect(workspace.walk('temp')))).toBe('too_many')
  await workspace.write('outputs/a/b/c/deep', 'x')
  await workspace.write('outputs/a/b/near', 'x')
  expect((await collect(workspace.walk('outputs'))).map(({ path }) => path)).toEqual(['outputs/a/b/near'])
  await workspace.write('uploads/a', 'x')
  await workspace.write('uploads/z/later', 'x')
  const seen: string[] = []
  for await (const { path } of workspace.walk('uploads')) {
    seen.push(path)
    if (path === 'uploads/a') await workspace.write('uploads/z/made-meanwhile', 'x')
  }
  expect(seen).toContain('uploads/z/made-meanwhile')
})

/** Root may open everything, so as root the test runs as nobody. */
async function unprivileged<T>(root: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  for (const directory of [root, dirname(root)]) await chmod(directory, 0o755)
  const nobody = 65_534
  process.seteuid?.(nobody)
  return work().finally(() => process.seteuid?.(0))
}

test('a folder without permission is skipped', async () => {
  const { workspace, root } = await place()
  await workspace.write('temp/shut/x', 'x')
  await workspace.write('temp/y', 'x')
  await chmod(join(root, 'temp/shut'), 0)
  onTestFinished(() => chmod(join(root, 'temp/shut'), 0o755))
  await unprivileged(root, async () => {
    expect(await collect(workspace.walk('temp'))).toHaveLength(1)
    expect(await codeOf(workspace.list('temp/shut'))).toBe('no_access')
  })
})

test('a leftover that can’t be removed is reported, and the workspace works', async () => {
  const { workspace, root } = await place()
  await workspace.write('temp/a', 'hello')
  await mkdir(join(root, '.removed-temp-0123456789ab'))
  // What was only moved aside can't be moved back either.
  await mkdir(join(root, '.removed-old-0123456789ab'))
  await chmod(root, 0o555)
  onTestFinished(() => chmod(root, 0o755))
  const reported: unknown[] = []
  await unprivileged(root, async () => {
    const again = await openWorkspace(root, { report: (thrown) => reported.push(thrown) })
    expect(await again.read('temp/a')).toEqual(Buffer.from('hello'))
  })
  expect(reported).toMatchObject([{ code: 'EACCES' }])
  await chmod(root, 0o755)
  await openWorkspace(root)
  expect((await readdir(root)).filter((name) => name.startsWith('.removed'))).toEqual([])
})

test('exclusively runs the tasks of one path in order, and those of others in parallel', async () => {
  const { workspace } = await place()
  await workspace.write('temp/count', '0')
  const add = () =>
    workspace.exclusively('./temp//count', async () => {
      const count = Number(await workspace.read('temp/count'))
      await workspace.write('temp/count', String(count + 1))
    })
  await Promise.all(Array.from({ length: 25 }, add))
  expect(String(await workspace.read('temp/count'))).toBe('25')
  await expect(workspace.exclusively('temp/count', () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow = workspace.exclusively('temp/a', () => gate.promise)
  await workspace.exclusively('temp/b', async () => void order.push('b'))
  gate.resolve()
  await slow
  expect(order).toEqual(['b'])
  expect(await codeOf(workspace.exclusively('../x', async () => 1))).toBe('path_refused')
})

test('normalize gives each path one spelling', async () => {
  const { workspace } = await place()
  expect(workspace.normalize('./outputs//a/./b.txt/')).toBe('outputs/a/b.txt')
  expect(workspace.normalize('./')).toBe('.')
  const decomposed = 'outputs/a\u0308'
  expect(workspace.normalize(decomposed)).toBe(decomposed)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', '\0', ':', 'C') }), (path) => {
      try {
        const parts = pathNames(path)
        return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\/\0]/.test(part))
      } catch (thrown) {
        return errnoOf(thrown) === 'path_refused'
      }
    }),
  )
})

test('metadata is stored beside the workspace’s folders', async () => {
  const { root } = await place()
  await writeMetadata(root, { session: 'ses_1' })
  expect(JSON.parse(await readFile(join(root, '.metadata.json'), 'utf8'))).toEqual({ session: 'ses_1' })
})

// Linux has /dev/full, a device that is always full.
test.runIf(existsSync('/dev/full'))('a full disk is an error that can be read', async () => {
  const { about } = await import('../../src/workspace/failures.ts')
  const thrown = await about('outputs/big', () => writeFile('/dev/full', 'x')).catch((thrown: unknown) => thrown)
  expect(thrown).toMatchObject({ code: 'disk_full', message: '"outputs/big" cannot be written: the disk is full.' })
})

test('opening twice changes nothing', async () => {
  const { workspace, root } = await place()
  await workspace.write('outputs/a', 'x')
  await mkdir(join(root, 'outputs/b'))
  await openWorkspace(root)
  expect(await workspace.list('outputs')).toHaveLength(2)
})
