import { describe, expect, test } from 'vitest'
import { sentBy } from '../../src/capabilities/commands/run/sent.ts'
import { planOf } from '../../src/kit/shell/plan.ts'
import { boundTo, pinned, scriptBoundTo } from './bound.ts'

describe('a folder or an archive that is run', () => {
  const files = {
    'temp/d/__main__.py': 'print(1)',
    'temp/z.zip': 'PK',
    'temp/j.js/index.js': '1',
    'temp/p/package.json': '{"main":"h.txt"}',
    'temp/x.sh': 'python3 temp/d\n',
  }

  test.each([
    ['python3 temp/d', 'temp/d'],
    ['python3 temp/z.zip/foo', 'temp/z.zip/foo'],
    ['node temp/p', 'temp/p'],
    ['node temp/j.js', 'temp/j.js'],
    ['node -e "require(\'./temp/d\')"; bash temp/x.sh', 'temp/d'],
  ])('is unclear: %s', async (command, path) => {
    const { inspection } = await boundTo(command, files)
    expect(inspection.unclear).toContain(`${path} is a folder or leads through a file, so what it runs can’t be shown`)
  })

  test('is judged anew once it is a folder', async () => {
    const parts = async (files: Record<string, string>) => (await boundTo('python3 temp/d', files)).parts
    expect(await parts({})).not.toEqual(await parts({ 'temp/d/__main__.py': '1' }))
  })

  test('is shown as far as Node’s rules say what it loads', async () => {
    expect(await pinned('node temp/j.js', files)).toEqual(['temp/j.js/index.js'])
    expect(await pinned('node temp/p', files)).toEqual(['temp/p/package.json'])
    expect(await pinned('node temp/k.mjs', { 'temp/k.mjs.js': '1' })).toEqual(['temp/k.mjs.js'])
    expect(await pinned('node -e "require(\'./temp/j.js\')"', files)).toEqual(['temp/j.js/index.js'])
    expect(await pinned('node -e "require(\'./temp/n\')"', { 'temp/n.node': '1' })).toEqual(['temp/n.node'])
  })
})

describe('what JavaScript imports in a deep folder', () => {
  const code = Array.from({ length: 100 }, (_, at) => `import 'p${at}'`).join('\n')

  test.each([
    ['of many parts', `temp/${'a/'.repeat(900)}`],
    ['of long names', `temp/${'a'.repeat(1_900)}`],
  ])('%s isn’t looked up, but named as unclear', async (_, directory) => {
    const { inspection } = await scriptBoundTo(code, {}, directory)
    expect(inspection.alongside).toEqual([])
    expect(inspection.unclear).toContain('what is imported as p99 is not known')
  })

  test('is followed in a few texts of one command only', async () => {
    const command = Array.from({ length: 100 }, () => 'node -e "import \'p\'"').join('; ')
    const { inspection } = await boundTo(command, {}, 'temp/a/b')
    expect(inspection.unclear).toContain('more than 10 texts of JavaScript run, and not all are followed')
    expect(inspection.alongside?.length).toBeLessThan(1_000)
  })
})

describe('what JavaScript imports', () => {
  const files = { 'temp/lib.js': '1', 'temp/index.js': '2', "temp/a'b.js": '3' }
  const odd = `/* ${'x'.repeat(1_000)} */`

  test.each([
    "import { f } from /* helper */ './temp/lib.js'",
    "import // the helper\n // and more\n './temp/lib.js'",
    "await import(/* x * y */ './temp/lib.js' /* z */)",
    "await import(\n// helper\n'./temp/lib.js', { with: {} })",
    "const s = '/*'; require /* x */ ('./temp/lib.js')",
    "require?.('./temp/lib.js')",
    "import // helper\r './temp/lib.js'\nf()",
    "const r = /\\//; import('./temp/lib.js')",
  ])('is bound whatever comments are between: %s', async (code) => {
    const { inspection, pinned } = await scriptBoundTo(code, files)
    expect(pinned.map(({ path }) => path)).toEqual(['temp/lib.js'])
    expect(inspection.unclear.join()).not.toContain('import')
  })

  test('is bound if its name has a quotation mark in it', async () => {
    const { pinned } = await scriptBoundTo('import "./temp/a\'b.js"', files)
    expect(pinned.map(({ path }) => path)).toEqual(["temp/a'b.js"])
  })

  test.each([
    ["await import('./temp/' + 'lib.js')", "imported as './temp/' + 'lib.js')"],
    ["await import('./temp/' + n + '.js'); f()", "imported as './temp/' + n + '.js')"],
    ['await import(name)', 'imported as name)'],
    ["import(new URL('./temp/lib.js', import.meta.url))", "imported as new URL('./temp/lib.js', import.meta.url))"],
    ["require(path.join(__dirname, 'x.js'))", "imported as path.join(__dirname, 'x.js'))"],
    [`import { f } from ${odd} './temp/lib.js'`, 'imported as /* xxx'],
    ["import { createRequire as c } from 'node:module'; c('/workspace/temp/')('./x.js')", 'loaded with node:module'],
    ['import x from "./temp/\\\nlib.js"', 'imported as "./temp/\\ lib.js"'],
    ["import { fork } from 'node:child_process'; fork('./temp/lib.js')", 'loaded with node:child_process'],
    ["require('vm').runInThisContext(code)", 'loaded with vm'],
    ["new (require('worker_threads').Worker)('./temp/lib.js')", 'loaded with worker_threads'],
  ])('is named if the text doesn’t tell: %s', async (code, named) => {
    const { inspection, pinned } = await scriptBoundTo(code, files)
    expect(pinned).toEqual([])
    expect(inspection.unclear.join()).toContain(`what is ${named}`)
  })

  test('is named if its name is longer than what is looked at', async () => {
    const { inspection } = await scriptBoundTo(`import x from '${'./'.repeat(2_100)}temp/lib.js'`, files)
    expect(inspection.unclear.join()).toContain("what is imported as './././")
  })

  test.each([
    "import.meta.dirname; import { from, imported } from 'node:fs'; x = from / 2",
    'requires(x); a.from(b)',
    "s = 'select * from ' + table",
    's = "select * from "\n + table',
    "yargs.option('from', {})",
    "x = 'from'\ny = 1",
    "s = `from ' + x`",
    "// copied from 'the old\n// file'",
    '// we can’t import "',
  ])('isn’t what only looks like it: %s', async (code) => {
    const { inspection } = await scriptBoundTo(code, files)
    expect(inspection.unclear).toEqual(['what a JavaScript script does is not known before it runs'])
  })

  test.each(['from//', 'import/*', 'require(/*\n*/', 'from //\n', 'import(//\n//', 'from\n'])(
    'is found at once in a text of nothing but %j',
    async (part) => {
      const code = part.repeat(Math.floor(99_999 / part.length))
      const { inspection } = await boundTo('node a.mjs', { 'a.mjs': code })
      expect(inspection.unclear).toContain('what a.mjs does is not known before it runs')
    },
    2_000,
  )
})

describe('data that JavaScript names', () => {
  const large = 'x'.repeat(100_001)
  const files = { 'uploads/sales.csv': large, 'uploads/small.csv': 'a,b', 'temp/data.json': '{}' }

  test.each([
    'console.log(\'Rows from "./uploads/sales.csv"\')',
    'query("select * from \'./uploads/sales.csv\'")',
    'query("select * from \'./uploads/small.csv\'")',
    "Buffer.from('/etc/x'); Buffer.from('100%'); Array.from('a?b'); Buffer.from ('./uploads/small.csv')",
    "require('./temp/data.json')",
    "import data from './temp/data.json' with { type: 'json' }",
  ])('is neither shown nor refused: %s', async (code) => {
    const { inspection, pinned } = await scriptBoundTo(code, files)
    expect(pinned).toEqual([])
    expect(inspection.unclear).toEqual(['what a JavaScript script does is not known before it runs'])
  })

  test('is bound where `require` takes it for JavaScript', async () => {
    const { pinned } = await scriptBoundTo("import './temp/c.txt'; require('./temp/c.txt')", { 'temp/c.txt': '1' })
    expect(pinned.map(({ path }) => path)).toEqual(['temp/c.txt'])
  })

  test.each([
    "require('./temp/data.json')",
    "import './temp/data.json'",
    "require('./temp/data')",
    "import './temp/a.csv'",
  ])('is unclear if it is a link, which may lead to a program: %s', async (code) => {
    const links = { 'temp/e.js': '1', 'temp/data.json': null, 'temp/a.csv': null }
    const linked = await scriptBoundTo(code, links)
    expect(linked.inspection.unclear.join()).toMatch(/temp\/(?:data\.json|a\.csv) is a link/)
    expect(linked.pinned).toEqual([])
    const plain = await scriptBoundTo(code, { ...links, 'temp/data.json': '{}', 'temp/a.csv': 'a' })
    expect(plain.inspection.unclear.join()).not.toContain('link')
    expect(plain.parts).not.toEqual(linked.parts)
  })
})

describe('a file that bash reads, whatever it is called', () => {
  const files = { 'temp/a.py': 'bash temp/h.sh\n', 'temp/h.sh': 'rm -rf x\n' }

  test.each([
    'bash temp/a.py -c',
    'bash -x temp/a.py -c',
    'bash -norc temp/a.py',
    'bash -C temp/a.py',
    'bash -o pipefail temp/a.py -c',
    'source temp/a.py -c',
    '. temp/a.py -c',
    'bash -c ./temp/a.py',
    './temp/a.py',
  ])('is followed: %s', async (command) => {
    const { inspection, pinned } = await boundTo(command, files)
    expect(pinned.map(({ path }) => path)).toContain('temp/h.sh')
    expect(inspection.subjects).toContain('rm -rf x')
    expect(inspection.unclear).toContain('what temp/a.py does is not known before it runs')
  })

  test('but not where bash only starts an interpreter', async () => {
    const python = { 'temp/a.py': '#!/usr/bin/env python3\nimport os\n' }
    for (const command of ['bash -o pipefail -c "python3 temp/a.py"', 'bash -euc ./temp/a.py', './temp/a.py'])
      expect((await boundTo(command, python)).inspection.subjects).not.toContain('import os')
  })
})

test('files that curl and wget send are named, also with short or odd options', () => {
  const sent = (line: string) => planOf(line).invocations.flatMap(sentBy)
  expect(sent('wget --loa temp/x https://a.example')).toEqual(['what wget sends from temp/x isn’t shown'])
  expect(sent('wget --load=temp/x https://a.example')).toEqual(['what wget sends from temp/x isn’t shown'])
  expect(sent("curl -F 'a://b=@temp/x' https://a.example")).toEqual(['what curl sends from temp/x isn’t shown'])
  expect(sent("curl --form 'a://b=@temp/x' https://a.example")).toEqual(['what curl sends from temp/x isn’t shown'])
  expect(sent('curl -F a=b https://a.example/?q=@x')).toEqual([])
})
