import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { link, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import { descend, openRoot } from '../../src/workspace/folder.ts'
import { codeOf, collect, type Place, place } from './support.ts'

const secret = 'the secret of somebody else'

/** Every operation that takes a path. */
const touches: [string, (place: Place, path: string) => Promise<unknown>][] = [
  ['stat', ({ workspace }, path) => workspace.stat(path)],
  ['read', ({ workspace }, path) => workspace.read(path)],
  ['readRange', ({ workspace }, path) => workspace.readRange(path, 0, 10)],
  ['write', ({ workspace }, path) => workspace.write(path, 'x')],
  ['list', ({ workspace }, path) => workspace.list(path)],
  ['walk', async ({ workspace }, path) => collect(workspace.walk(path))],
]

async function hostilePlace(options?: { descriptors: boolean }): Promise<Place> {
  const made = await place(options)
  await mkdir(join(made.outside, 'secrets'))
  await writeFile(join(made.outside, 'secrets', 'key.txt'), secret)
  await symlink(join(made.outside, 'secrets'), join(made.root, 'outputs', 'folder'))
  await symlink(join(made.outside, 'secrets', 'key.txt'), join(made.root, 'outputs', 'file.txt'))
  await symlink('../../secrets/key.txt', join(made.root, 'uploads', 'relative.txt'))
  await writeFile(join(made.root, 'temp', 'plain.txt'), 'plain')
  await symlink('plain.txt', join(made.root, 'temp', 'inner.txt'))
  return made
}

const escapes = [
  '..',
  '../secrets/key.txt',
  'outputs/../../secrets/key.txt',
  'outputs/..',
  '/etc/passwd',
  '//etc/passwd',
  'C:/Windows/win.ini',
  '',
  'outputs/a\0.txt',
  '..\\secrets\\key.txt',
  'outputs\\..\\..\\secrets',
]
const links = ['outputs/folder', 'outputs/folder/key.txt', 'outputs/file.txt', 'uploads/relative.txt', 'temp/inner.txt']

describe.each([{ descriptors: true }, { descriptors: false }])('the jail, descriptors $descriptors', (options) => {
  test.each(touches)('%s refuses every way out', async (_name, touch) => {
    const hostile = await hostilePlace(options)
    for (const path of [...escapes, ...links]) {
      const thrown = await touch(hostile, path).catch((thrown: unknown) => thrown)
      expect(thrown, path).toBeInstanceOf(Failure)
      expect(thrown, path).toHaveProperty('code', 'path_refused')
      expect((thrown as Failure).message).not.toContain('/proc/')
    }
    expect(await readFile(join(hostile.outside, 'secrets', 'key.txt'), 'utf8')).toBe(secret)
    expect(await readdir(join(hostile.outside, 'secrets'))).toEqual(['key.txt'])
  })

  test('links are listed as other and never walked into', async () => {
    const { workspace } = await hostilePlace(options)
    expect((await workspace.list('outputs')).map(({ kind }) => kind)).toEqual(['other', 'other'])
    expect((await collect(workspace.walk('.'))).map(({ path }) => path)).toEqual(['temp/plain.txt'])
  })

  test('hard links are refused for reading, and writing leaves the other name alone', async () => {
    const { workspace, outside, root } = await hostilePlace(options)
    await link(join(outside, 'secrets', 'key.txt'), join(root, 'outputs', 'hard.txt'))
    expect(await codeOf(workspace.read('outputs/hard.txt'))).toBe('path_refused')
    expect(await codeOf(workspace.readRange('outputs/hard.txt', 0, 5))).toBe('path_refused')
    await workspace.write('outputs/hard.txt', 'mine')
    expect(await readFile(join(outside, 'secrets', 'key.txt'), 'utf8')).toBe(secret)
    expect(String(await workspace.read('outputs/hard.txt'))).toBe('mine')
  })

  test('a FIFO is refused without blocking, for reading and for writing', async () => {
    const { workspace, root } = await place(options)
    execFileSync('mkfifo', [join(root, 'outputs', 'pipe')])
    expect(await codeOf(workspace.read('outputs/pipe'))).toBe('not_a_file')
    expect(await codeOf(workspace.write('outputs/pipe', 'x'))).toBe('not_a_file')
    expect(await workspace.stat('outputs/pipe')).toMatchObject({ kind: 'other' })
  })
})

test('without descriptors, a folder that became a link after it was opened is noticed', async () => {
  const { outside, root } = await place()
  await using folder = await descend(await openRoot(root, false), ['outputs'])
  await folder.confirm()
  await rename(join(root, 'outputs'), join(root, 'moved'))
  await symlink(outside, join(root, 'outputs'))
  await expect(folder.confirm()).rejects.toMatchObject({ code: 'ELOOP' })
})

test('only uploads/, outputs/ and temp/ can be written', async () => {
  const { workspace, root } = await place()
  for (const path of ['skills/x/SKILL.md', 'top.txt', '.metadata.json', 'outputs', 'other/x', '.']) {
    const thrown = await workspace.write(path, 'x').catch((thrown: unknown) => thrown)
    expect(thrown, path).toMatchObject({ code: 'path_refused', remedy: expect.stringContaining('outputs/') })
  }
  expect(await readdir(root)).toEqual(['outputs', 'skills', 'temp', 'uploads'])
})

test('a workspace whose outputs/ became a link opens, but the link is not followed', async () => {
  const { workspace, outside, root } = await place()
  await rm(join(root, 'outputs'), { recursive: true })
  await symlink(outside, join(root, 'outputs'))
  expect(await codeOf(workspace.write('outputs/x', 'x'))).toBe('path_refused')
  expect(await codeOf(workspace.list('outputs'))).toBe('path_refused')
  expect(await readdir(outside)).toEqual(['ws'])
})

test('links that are swapped during an operation lead nowhere', async () => {
  const { workspace, outside, root } = await place()
  const secrets = join(outside, 'secrets')
  await mkdir(secrets)
  await writeFile(join(secrets, 'a.txt'), secret)
  const swapper = fork(new URL('./swapper.ts', import.meta.url), [join(root, 'outputs'), secrets])
  onTestFinished(() => void swapper.kill('SIGKILL'))
  await once(swapper, 'message')

  const seen = { inside: 0, refused: 0 }
  const end = performance.now() + 3000
  // The race proves something only if it met both sides, which takes longer on a busy machine.
  while (performance.now() < end || seen.inside <= 10 || seen.refused <= 10) {
    const read = await workspace.read('outputs/d/a.txt').then(String, codeOfThrown)
    expect(read).not.toBe(secret)
    const range = await workspace.readRange('outputs/f.txt', 0, 100).then(String, codeOfThrown)
    expect(range).not.toBe(secret)
    if (read === 'inside') seen.inside++
    if (read === 'path_refused') seen.refused++
    await workspace.write('outputs/d/made.txt', 'x').catch(codeOfThrown)
    await workspace.write('outputs/d/a.txt', 'inside').catch(codeOfThrown)
    await workspace.write('outputs/f.txt', 'inside').catch(codeOfThrown)
    for await (const { path } of workspace.walk('outputs')) expect(path).not.toContain('only-outside')
  }
  expect(await readFile(join(secrets, 'a.txt'), 'utf8')).toBe(secret)
  expect(await readdir(secrets)).toEqual(['a.txt', 'only-outside'])
  expect((await lstat(join(secrets, 'a.txt'))).nlink).toBe(1)
})

const codeOfThrown = (thrown: { code?: unknown }): unknown => thrown.code

test('no descriptor stays open', async () => {
  const { workspace } = await hostilePlace()
  const open = async () => (await readdir('/proc/self/fd')).length
  const before = await open()
  for (let round = 0; round < 50; round++) {
    for (const path of [...links, 'temp/plain.txt', 'temp/none', 'temp/plain.txt/x']) {
      for (const [, touch] of touches) await touch({ workspace, outside: '', root: '' }, path).catch(codeOfThrown)
    }
  }
  expect(await open()).toBeLessThan(before + 5)
})
