import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { shownPackage } from '../../src/capabilities/skills/shown-package.ts'

const main = '---\nname: notes\ndescription: Keeps notes.\n---\nKeep notes.\n'

async function shown(files: Record<string, string>, limits = { bytes: 1_000_000, files: 100 }) {
  const zip = new JSZip()
  for (const [path, text] of Object.entries(files)) zip.file(path, text)
  const all = await shownPackage(await zip.generateAsync({ type: 'uint8array' }), limits, async () => undefined)
  return new Map(all.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]))
}

test.each([
  ['its body', main.replace('Keep', 'Keep\0')],
  ['what loads it', main.replace('---\nKeep', 'metadata:\n  triggers: "no\0tes"\n---\nKeep')],
  ['a part that isn’t looked at', `${main}${'x'.repeat(9_000)}\0`],
])('a SKILL.md with a zero in %s is refused: nobody would see what the model reads', async (_, text) => {
  await expect(shown({ 'SKILL.md': text })).rejects.toMatchObject({ code: 'unsafe_skill' })
})

test('files that aren’t shown are named as such', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`references/${at}.md`, 'Text.']))
  const all = await shown({ 'SKILL.md': main, 'references/odd.md': 'Do this.\0', ...many })
  const about = all.get('About this skill') ?? ''
  expect([...all.keys()].slice(0, 2)).toEqual(['About this skill', 'notes/SKILL.md'])
  expect(about).toContain('references/odd.md (9 bytes, not shown below)')
  expect(about).toContain('references/0.md (5 bytes)')
  expect(about).toContain('references/29.md (5 bytes, not shown below)')
  expect(all.has('notes/references/29.md')).toBe(false)
})

test('a skill that is too large to be installed isn’t shown to anybody', async () => {
  const files = { 'SKILL.md': main, 'references/a.md': 'Text.' }
  await expect(shown(files, { bytes: 1_000_000, files: 1 })).rejects.toMatchObject({ code: 'unsafe_skill' })
  expect([...(await shown(files, { bytes: 1_000_000, files: 2 })).keys()]).toContain('notes/references/a.md')
})
