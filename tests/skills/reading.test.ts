import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { imageSize } from 'image-size'
import { expect, test } from 'vitest'
import { zipOf } from '../documents/office/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

const before = 'export function total(items) {\n  expect(items)\n  return sum(items)\n}\n'
const after = `export function total(items) {
  const password = "hunter2hunter2"
  console.log(items)
  return eval(items)
}
`

test('code-review: a project is unpacked, compared, and what stands out in the change is listed with its lines', async () => {
  const folder = await scratch()
  await writeFile(
    join(folder, 'in.zip'),
    await zipOf({ 'app/src/total.js': after, 'app/node_modules/x/index.js': 'x', 'app/logo.png': 'x' }),
  )
  expect(JSON.parse(await run(folder, 'code-review/unpack', 'in.zip', 'new'))).toMatchObject({
    ...{ files: 1, kinds: { '.js': 1 }, skipped: { node_modules: 1, '.png': 1 } },
  })
  await mkdir(join(folder, 'old/app/src'), { recursive: true })
  await writeFile(join(folder, 'old/app/src/total.js'), before)
  await run(folder, 'code-review/compare', 'old', 'new', 'change.diff')
  expect(await readFile(join(folder, 'change.diff'), 'utf8')).toMatch(/^--- a\/app\/src\/total\.js\n\+\+\+ b\/app/)
  const changes = JSON.parse(await run(folder, 'code-review/changes', 'change.diff'))
  expect(changes).toMatchObject({
    ...{ files: [{ name: 'app/src/total.js', added: 3, removed: 2 }], codeWithoutTests: true },
    toLookAt: [
      { at: 'app/src/total.js:2', what: 'may be a secret' },
      { at: 'app/src/total.js:3', what: 'left from debugging' },
      { at: 'app/src/total.js:4', what: 'runs text as code or as a command' },
      { at: 'app/src/total.js:2 (before)', what: 'a test or assertion is removed' },
    ],
  })
  const change = await readFile(join(folder, 'change.diff'), 'utf8')
  for (const [old = '', now = ''] of [
    ['./old', 'new/'],
    [`../${basename(folder)}/old`, 'old/../new'],
  ]) {
    await run(folder, 'code-review/compare', old, now, 'again.diff')
    expect(await readFile(join(folder, 'again.diff'), 'utf8')).toBe(change)
  }
  expect(await failure(run(folder, 'code-review/changes', 'old/app/src/total.js'))).toContain('holds no unified diff')
})

const draft = `# Plan

We move on [?: Ana, the date]. See [costs](#costs) and [more](#gone).

### Costs

${'word '.repeat(45)}.

## Empty
`

test('writing-together: a draft’s open points and its changes are shown by section', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'a.md'), draft)
  const changed = draft.replace('[?: Ana, the date]', 'Friday').replace('## Empty', '## Who decides\n\n我们决定。')
  await writeFile(join(folder, 'b.md'), changed)
  const { sections, problems } = JSON.parse(await run(folder, 'writing-together/outline', 'a.md'))
  expect(sections[1]).toEqual({ line: 5, section: '### Costs', words: 45 })
  expect(
    problems.map(({ line, problem }: { line: number; problem: string }) => `${line} ${problem.slice(0, 32)}`),
  ).toEqual([
    ...['3 open: [?: Ana, the date]', '3 there is no section #gone', '5 "Costs" skips a level of heading'],
    ...['5 a sentence of 45 words: word wor', '9 "Empty" is empty'],
  ])
  const compared = await run(folder, 'writing-together/compare', 'a.md', 'b.md')
  expect(compared).toMatch(/# Plan: \d+ → \d+ words\nWe move on \[-.*\{\+Friday\+\}/)
  expect(compared).toMatch(/# Who decides: new, \d words\n# Empty: gone, 0 words\n1 of 3 sections are unchanged/)
})

test('writing-together: sections with the same title are compared one by one', async () => {
  const folder = await scratch()
  const text = '# A\n\n## Risks\n\nFirst.\n\n# B\n\n## Risks\n\nSecond.\n'
  await writeFile(join(folder, 'a.md'), text)
  await writeFile(join(folder, 'b.md'), text.replace('Second', 'Third'))
  await writeFile(join(folder, 'c.md'), `${text}\n# C\n\n## Risks\n\nAnother one.\n`)
  const compared = (from: string, to: string): Promise<string> => run(folder, 'writing-together/compare', from, to)
  expect(await compared('a.md', 'b.md')).toBe(
    '# Risks: 1 → 1 words\n[-\nSecond-]{+\nThird+}.\n\n3 of 4 sections are unchanged.\n',
  )
  expect(await compared('a.md', 'c.md')).toBe(
    '# C: new, 0 words\n# Risks: new, 2 words\n4 of 6 sections are unchanged.\n',
  )
  expect(await compared('c.md', 'a.md')).toBe(
    '# C: gone, 0 words\n# Risks: gone, 2 words\n4 of 4 sections are unchanged.\n',
  )
})

test('writing-together: a link that holds a per cent sign is looked up as it is', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'a.md'), '# Büro\n\nSee [one](#50%) and [two](#b%C3%BCro).\n')
  const { problems } = JSON.parse(await run(folder, 'writing-together/outline', 'a.md'))
  expect(problems).toEqual([{ line: 3, problem: 'there is no section #50%' }])
})

test('writing-together: an empty section is one however deep later ones are, and anchors are those of GitHub', async () => {
  const folder = await scratch()
  const titles = ['# `run_command`', '# उपयोग की शर्तें', '## Terms', 'Text.', '## Terms', 'Text.', '## Last']
  const links = ['run_command', 'उपयोग-की-शर्तें', 'terms', 'terms-1', 'terms-2', 'last']
  const text = [...titles, links.map((anchor) => `[x](#${anchor})`).join(' ')].join('\n\n')
  await writeFile(join(folder, 'a.md'), text)
  const { problems } = JSON.parse(await run(folder, 'writing-together/outline', 'a.md'))
  expect(problems).toEqual([
    { line: 15, problem: 'there is no section #terms-2' },
    { line: 1, problem: '"`run_command`" is empty' },
    { line: 9, problem: 'there is another section "Terms"' },
  ])
})

const git = `diff --git a/src/old name.ts b/src/new name.ts
similarity index 100%
rename from src/old name.ts
rename to src/new name.ts
diff --git a/run me.sh b/run me.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/icon.png b/icon.png
deleted file mode 100644
index 1..0
GIT binary patch
literal 0
HcmV?d00001

diff --git a/new.txt b/new.txt
new file mode 100644
index 0..1
`
const textual = `diff --git a/src/a.ts b/src/b.ts
similarity index 90%
rename from src/a.ts
rename to src/b.ts
--- a/src/a.ts
+++ b/src/b.ts
@@ -1 +1 @@
-one
+two
`

test('code-review: renames, modes and binary files of a change are listed too', async () => {
  const folder = await scratch()
  const changes = async (diff: string) => {
    await writeFile(join(folder, 'in.diff'), diff)
    return JSON.parse(await run(folder, 'code-review/changes', 'in.diff'))
  }
  const none = { added: 0, removed: 0 }
  const files = [
    { name: 'src/new name.ts', ...none, renamedFrom: 'src/old name.ts' },
    { name: 'run me.sh', ...none, mode: '100644 → 100755' },
    { name: 'logo.png', ...none, binary: true },
    { name: 'icon.png', ...none, deleted: true, binary: true },
    { name: 'new.txt', ...none },
  ]
  const renamed = { name: 'src/b.ts', added: 1, removed: 1, renamedFrom: 'src/a.ts' }
  expect(await changes(git)).toMatchObject({ files, codeWithoutTests: false })
  expect(await changes(`${git}${textual}`)).toMatchObject({ files: [...files, renamed], codeWithoutTests: true })
  expect((await changes('Binary files a/x.png and b/x.png differ\n')).files).toEqual([
    { name: 'x.png', ...none, binary: true },
  ])

  for (const [place, byte] of ['old', 'new'].entries()) {
    await mkdir(join(folder, byte))
    await writeFile(join(folder, byte, 'x.png'), Buffer.from([0, place]))
  }
  expect(JSON.parse(await run(folder, 'code-review/compare', 'old', 'new', 'in.diff'))).toEqual({
    ...{ file: 'in.diff', changed: 0, binary: 1 },
  })
  expect(JSON.parse(await run(folder, 'code-review/changes', 'in.diff')).files).toEqual([
    { name: 'x.png', ...none, binary: true },
  ])
})

test('xlsx: a chart is drawn as an image, from lists and from cells', async () => {
  const folder = await scratch()
  const sheets = [
    {
      name: 'A',
      rows: [
        ['Q1', 1],
        ['Q2', '=B1*3'],
      ],
    },
  ]
  await writeFile(join(folder, 'book.json'), JSON.stringify({ sheets }))
  await run(folder, 'xlsx/make', 'a.xlsx', 'book.json')
  const series = [
    { name: 'Sales & more', values: 'A!B1:B2' },
    { name: 'Costs', values: [2, -1] },
  ]
  await writeFile(join(folder, 'chart.json'), JSON.stringify({ title: 'T', labels: 'A!A1:A2', series }))
  await run(folder, 'xlsx/chart', 'chart.svg', 'chart.json', 'a.xlsx')
  const svg = await readFile(join(folder, 'chart.svg'), 'utf8')
  expect(svg.match(/<rect /g)).toHaveLength(1 + 4 + 2)
  expect(svg).toMatch(/>Q1<.*>Sales &#38; more</s)
  await writeFile(join(folder, 'pie.json'), JSON.stringify({ type: 'pie', labels: ['a'], series: [{ values: [1] }] }))
  await run(folder, 'xlsx/chart', 'pie.png', 'pie.json')
  expect(imageSize(await readFile(join(folder, 'pie.png')))).toMatchObject({ width: 1800, height: 1000, type: 'png' })
})
