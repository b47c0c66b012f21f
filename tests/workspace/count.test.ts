import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { count } from '../../src/workspace/count.ts'
import { bytesIn, emptyFolder, removeWorkspace } from '../../src/workspace/remove.ts'
import { unpostable } from '../../src/workspace/unpostable.ts'
import { measure } from '../../src/workspace/usage.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { asSomebody } from '../support/as-somebody.ts'
import { codeOf, collect, place } from './support.ts'

/** A path whose last name isn't valid UTF-8. */
const strange = (folder: string, name = 'n'): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/${name}`), Buffer.from([0xff, 0xfe])])

async function putStrange(root: string, bytes = 700): Promise<void> {
  const folder = strange(join(root, 'temp'))
  await mkdir(folder)
  await writeFile(Buffer.concat([folder, Buffer.from('/'), Buffer.from([0xc0, 0x80])]), 'x'.repeat(bytes))
}

/** A folder deeper than any path can address, with one file in it; `mode` is that of most folders above it. */
async function putDeep(root: string, mode = 0o755, bytes = 700): Promise<void> {
  let inner = join(root, 'inner')
  await mkdir(inner)
  await writeFile(join(inner, 'file'), 'x'.repeat(bytes))
  for (let length = 0; length < 12_000; ) {
    const outer = join(root, 'outer')
    const parts = Array.from({ length: 14 }, () => 'd'.repeat(200))
    await mkdir(join(outer, ...parts), { recursive: true })
    await rename(inner, join(outer, ...parts, 'e'))
    for (let depth = parts.length; depth > 0; depth--) await chmod(join(outer, ...parts.slice(0, depth)), mode)
    inner = join(root, 'inner')
    await rename(outer, inner)
    length += 14 * 201
  }
  await rename(inner, join(root, 'temp/deep'))
}

const inWorkspace = (work: (root: string) => Promise<void>): Promise<void> =>
  asSomebody(async (root) => {
    await openWorkspace(root)
    await work(root)
  })

/** One file in a folder of a folder, both with this mode. */
async function putLocked(root: string, mode: number): Promise<void> {
  const folder = join(root, 'temp/locked/in')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'file'), 'x'.repeat(700))
  for (const path of [folder, dirname(folder)]) await chmod(path, mode)
}

const counts = async (root: string): Promise<void> => {
  expect(await measure(root)).toEqual({ bytes: 700, files: 1 })
  expect(await bytesIn(join(root, 'temp'))).toBe(700)
  expect((await count([root], { most: { bytes: 699, files: 10_000 } })).more).toBe(true)
}

const goes = async (root: string): Promise<void> => {
  await emptyFolder(root, 'temp')
  expect(await readdir(join(root, 'temp'))).toEqual([])
  expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([])
}

test('files in a folder whose name isn’t UTF-8 are counted and removed', async () => {
  const { root } = await place()
  await putStrange(root)
  await counts(root)
  await goes(root)
  await putStrange(root)
  const removed = await removeWorkspace(
    root,
    (work) => work().then(() => true),
    async () => {},
    () => {},
  )
  expect(removed).toEqual({ bytes: 700, files: 1 })
  expect(await codeOf(readdir(root))).toBe('ENOENT')
})

test('so are files deeper than any path reaches', async () => {
  const { root } = await place()
  await putDeep(root)
  await counts(root)
  await goes(root)
})

test.each([
  ['be read or entered', 0],
  ['be entered', 0o600],
  ['be read', 0o300],
  ['be changed', 0o500],
])('and files in a folder that can’t %s', (_, mode) =>
  inWorkspace(async (root) => {
    await putLocked(root, mode)
    await counts(root)
    await goes(root)
    await putLocked(root, mode)
    await goes(root)
    await putDeep(root, mode)
    await counts(root)
    await goes(root)
    await putDeep(root, mode)
    await goes(root)
  }),
)

test('when a link replaces a locked folder, nothing outside changes', () =>
  inWorkspace(async (root) => {
    const other = await mkdtemp(join(tmpdir(), 'bobbin-'))
    onTestFinished(() => rm(other, { recursive: true, force: true }))
    await writeFile(join(other, 'file'), 'x'.repeat(700))
    await symlink(other, join(root, 'temp/link'))
    await rm(join(root, 'outputs'), { recursive: true })
    await symlink(other, join(root, 'outputs'))
    await symlink('nowhere', join(other, 'link'))
    expect(await measure(root)).toEqual({ bytes: 0, files: 0 })
    expect(await unpostable(root, 0)).toEqual([])
  }))

test('a write is refused when names of other encodings fill the workspace', async () => {
  const { root, workspace } = await place({ quota: { bytes: 1000, files: 10 } })
  await putStrange(root, 900)
  expect(await codeOf(workspace.write('temp/b', 'x'.repeat(101)))).toBe('quota')
})

test('such names are listed as impossible to open, and a walk continues past them', async () => {
  const { root, workspace } = await place()
  await putStrange(root)
  await workspace.write('temp/z.txt', 'hello')
  expect((await workspace.list('temp')).map(({ path, kind }) => [path, kind])).toEqual([
    ['temp/n\ufffd\ufffd', 'other'],
    ['temp/z.txt', 'file'],
  ])
  expect((await collect(workspace.walk('.'))).map(({ path }) => path)).toEqual(['temp/z.txt'])
})

test('a file counts as large as its size says, whatever is allotted to it', async () => {
  const { root } = await place()
  await writeFile(join(root, 'temp/small'), 'x')
  await writeFile(join(root, 'temp/sparse'), '')
  await truncate(join(root, 'temp/sparse'), 1_000_000)
  expect((await measure(root)).bytes).toBe(1_000_001)
})

test('so does one that grows, but space that was reserved counts too', async ({ skip }) => {
  const { root } = await place()
  const [empty, growing] = [join(root, 'temp/empty'), join(root, 'temp/growing')]
  const reserve = (path: string, megabytes: number): void => {
    const { status } = spawnSync('fallocate', ['--keep-size', '--length', `${megabytes}M`, path])
    skip(status !== 0, 'neither macOS nor ZFS reserves space')
  }
  await writeFile(empty, '')
  reserve(empty, 1)
  expect((await measure(root)).bytes).toBe(1_048_576)
  await writeFile(growing, 'x'.repeat(1_048_576))
  reserve(growing, 3)
  expect((await measure(root)).bytes).toBe(2 * 1_048_576)
  reserve(growing, 4)
  expect((await measure(root)).bytes).toBe(5 * 1_048_576)
})

test('the number of empty folders is limited too', async () => {
  const { root } = await place()
  for (let at = 0; at < 20; at++) await mkdir(join(root, `temp/${at}`))
  const most = { bytes: 1000, files: 20 }
  expect((await count([join(root, 'temp')], { most })).more).toBe(false)
  await symlink('nowhere', join(root, 'temp/link'))
  expect((await count([join(root, 'temp')], { most })).more).toBe(true)
})
