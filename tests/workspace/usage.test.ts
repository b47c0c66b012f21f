import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskUsage, measure } from '../../src/workspace/usage.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { codeOf, place } from './support.ts'

const quota = { bytes: 1000, files: 5 }

async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(bytes)
}

test('writes are counted, and one that does not fit is refused completely', async () => {
  const { workspace } = await place({ quota })
  await workspace.write('temp/a', 'x'.repeat(600))
  const refusal = workspace.write('temp/b', 'x'.repeat(401))
  await expect(refusal).rejects.toMatchObject({
    code: 'quota',
    message: 'The workspace of this thread holds 600 of the 1,000 bytes that are allowed, and this does not fit.',
    remedy: expect.stringContaining('`reset` empties temp/'),
  })
  expect(await workspace.stat('temp/b')).toBeUndefined()
  await workspace.write('temp/b', 'x'.repeat(400))
  expect(await workspace.usage()).toEqual({ bytes: 1000, files: 2, limits: quota })
})

test('a stream that turns out too large leaves nothing and frees its space', async () => {
  const { workspace, root } = await place({ quota })
  expect(await codeOf(workspace.write('uploads/a', pieces(11, 100)))).toBe('quota')
  expect(await workspace.stat('uploads/a')).toBeUndefined()
  expect(await measure(root)).toEqual({ bytes: 0, files: 0 })
  await workspace.write('uploads/a', pieces(10, 100))
  expect(await workspace.usage()).toMatchObject({ bytes: 1000, files: 1 })
})

test('a full workspace still lets a file be overwritten by one of the same size or smaller', async () => {
  const { workspace } = await place({ quota })
  await workspace.write('outputs/a', 'x'.repeat(1000))
  await workspace.write('outputs/a', 'y'.repeat(1000))
  expect(await codeOf(workspace.write('outputs/a', 'y'.repeat(1001)))).toBe('quota')
  await workspace.write('outputs/a', pieces(5, 100))
  expect(await workspace.usage()).toMatchObject({ bytes: 500, files: 1 })
})

test('the number of files is limited too', async () => {
  const { workspace } = await place({ quota })
  for (let at = 0; at < 5; at++) await workspace.write(`temp/${at}`, '')
  await expect(workspace.write('temp/5', '')).rejects.toThrow('holds 5 files, and 5 are allowed.')
  await workspace.write('temp/4', 'more')
})

test('of many writers at once, only as many succeed as fit', async () => {
  const { workspace, root } = await place({ quota: { bytes: 1000, files: 100 } })
  const done = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => workspace.write(`temp/${at}`, 'x'.repeat(300))),
  )
  const { bytes } = await measure(root)
  expect(bytes).toBeLessThanOrEqual(1000)
  expect(bytes).toBe(300 * done.filter(({ status }) => status === 'fulfilled').length)
  await workspace.write('temp/last', 'x'.repeat(100))
})

test('files that others remove free space at once, and files they add are seen before a refusal or after a while', async () => {
  const { workspace, root } = await place({ quota })
  await workspace.write('temp/a', 'x'.repeat(1000))
  await rm(join(root, 'temp/a'))
  await workspace.write('temp/b', 'x'.repeat(1000))
  let now = 0
  const usage = new DiskUsage(root, quota, () => now)
  await usage.current()
  await writeFile(join(root, 'temp/c'), 'x'.repeat(50))
  expect((await usage.current()).bytes).toBe(1000)
  now = 700_000
  expect((await usage.current()).bytes).toBe(1050)
})

test('files that a command left count for the next write', async () => {
  const { workspace, root } = await place({ quota })
  await workspace.write('temp/a', 'x'.repeat(100))
  await writeFile(join(root, 'temp/b'), 'x'.repeat(900))
  workspace.remeasure()
  expect(await codeOf(workspace.write('temp/c', 'x'))).toBe('quota')
})

test('usage is measured again on opening, without following links', async () => {
  const { workspace, root, outside } = await place()
  await workspace.write('temp/deep/a', 'x'.repeat(700))
  await mkdir(join(outside, 'other'))
  await writeFile(join(outside, 'other/big'), 'x'.repeat(5000))
  await symlink(join(outside, 'other'), join(root, 'temp/link'))
  await symlink(join(outside, 'other/big'), join(root, 'temp/file'))
  const again = await openWorkspace(root, { quota })
  expect(await again.usage()).toMatchObject({ bytes: 700, files: 1 })
  expect(await codeOf(again.write('temp/b', 'x'.repeat(301)))).toBe('quota')
})
