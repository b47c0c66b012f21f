import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { filesInFolder, hashOfFiles, mainText } from '../../src/kit/skills/contents.ts'
import { filesInZip } from '../../src/kit/skills/zip.ts'
import { scratch } from '../support/store.ts'

const limits = { bytes: 100_000, files: 10 }
const main = '---\nname: a\ndescription: x\n---\nBody\n'

type Entry = string | { text: string; options: JSZip.JSZipFileOptions }

async function zipOf(entries: Record<string, Entry>, platform: 'UNIX' | 'DOS' = 'DOS'): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const [name, entry] of Object.entries(entries)) {
    const { text, options } = typeof entry === 'string' ? { text: entry, options: {} } : entry
    zip.file(name, text, { createFolders: false, ...options })
  }
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE', platform })
}

/** JSZip tidies names, so these are written into its bytes; both have the same length. */
async function renamed(name: string, to: string): Promise<Uint8Array> {
  const bytes = Buffer.from(await zipOf({ 'SKILL.md': main, [name]: 'x' }))
  return Buffer.from(bytes.toString('latin1').replaceAll(name, to), 'latin1')
}

describe('a zip archive', () => {
  test.each([
    ['at its top', ''],
    ['in a folder', 'a/'],
  ])('has the skill %s', async (_, folder) => {
    const zip = await zipOf({
      [`${folder}SKILL.md`]: main,
      [`${folder}scripts/x.py`]: 'print()',
      '__MACOSX/._SKILL.md': 'litter',
      [`${folder}.DS_Store`]: 'litter',
    })
    const files = await filesInZip(zip, limits)
    expect([...files.keys()].toSorted()).toEqual(['SKILL.md', 'scripts/x.py'])
    expect(mainText(files)).toBe(main)
  })

  test.each<[string, () => Promise<Uint8Array>]>([
    ['leads out of its folder', () => renamed('aaaaaa/evil.sh', '../../bin/x.sh')],
    ['leads out in the middle', () => renamed('a/bbbb/evil.sh', 'a/../../evil/x')],
    ['is absolute', () => renamed('aaaa/evil.sh', '/etc/evil.sh')],
    ['has backslashes', () => renamed('aaaa/evil.sh', '..\\..\\evl.sh')],
    [
      'is a link',
      () =>
        zipOf({ 'SKILL.md': main, passwd: { text: '/etc/passwd', options: { unixPermissions: 0o120777 } } }, 'UNIX'),
    ],
    ['is there twice but for its case', () => zipOf({ 'SKILL.md': main, 'skill.MD': main })],
    ['is also a folder', () => zipOf({ 'SKILL.md': main, references: 'x', 'References/a.md': 'x' })],
    ['is also a folder further down', () => zipOf({ 'SKILL.md': main, 'a/b/c/d': 'x', 'a/b': 'x' })],
    ['is too deep', () => zipOf({ 'SKILL.md': main, [`${'a/'.repeat(20)}x`]: 'x' })],
    ['has an invisible name', () => zipOf({ 'SKILL.md': main, 'a\u202eb': 'x' })],
    ['is a bomb', () => zipOf({ 'SKILL.md': main, zeros: '0'.repeat(5_000_000) })],
    ['has too many beside it', () => zipOf(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 'x'])))],
  ])('is refused when a file %s', async (_, zip) => {
    await expect(filesInZip(await zip(), limits)).rejects.toMatchObject({ code: 'unsafe_skill' })
  })

  test('that is cut off is refused', async () => {
    const zip = await zipOf({ 'SKILL.md': main })
    await expect(filesInZip(zip.subarray(0, 40), limits)).rejects.toMatchObject({ code: 'no_skill' })
  })
})

describe('a folder', () => {
  test('is read without what tools leave in it, and has the hash of the same zip', async () => {
    const folder = await scratch()
    await mkdir(join(folder, 'scripts'))
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, 'SKILL.md'), main)
    await writeFile(join(folder, 'scripts/x.py'), 'print()')
    await writeFile(join(folder, '.git/config'), 'x')
    const files = await filesInFolder(folder, limits)
    const same = await filesInZip(await zipOf({ 'scripts/x.py': 'print()', 'SKILL.md': main }), limits)
    expect(hashOfFiles(files)).toBe(hashOfFiles(same))
  })

  test('with a link in it is refused', async () => {
    const folder = await scratch()
    await writeFile(join(folder, 'SKILL.md'), main)
    await symlink('/etc/passwd', join(folder, 'data'))
    await expect(filesInFolder(folder, limits)).rejects.toMatchObject({ code: 'unsafe_skill' })
  })

  test.each(['nonexistent', 'file'])('that is none is refused: %s', async (name) => {
    const folder = await scratch()
    await writeFile(join(folder, 'file'), 'x')
    await expect(filesInFolder(join(folder, name), limits)).rejects.toMatchObject({ code: 'no_skill' })
  })
})
