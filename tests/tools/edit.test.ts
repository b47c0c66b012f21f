import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdit } from '../../src/capabilities/files/edit/apply.ts'
import { describeChange } from '../../src/capabilities/files/edit/diff.ts'
import { strategies } from '../../src/capabilities/files/edit/strategies.ts'
import { effortMs } from '../support/effort.ts'
import { bench } from './support.ts'

function edited(text: string, old_string: string, new_string: string, replace_all = false) {
  const { replaced: _, ...applied } = applyEdit(text, { old_string, new_string, replace_all }, 'LF')
  return applied
}

const cases = [
  {
    strategy: 'exact',
    text: 'one\ntwo\nthree\n',
    old: 'two',
    new: '2',
    result: 'one\n2\nthree\n',
    ambiguous: 'two\ntwo\n',
    lines: '1, 2',
  },
  {
    strategy: 'escape sequences normalised',
    text: 'say("hi")\nend\n',
    old: 'say(\\"hi\\")\\nend',
    new: 'say(\\"ho\\")\\nend',
    result: 'say("ho")\nend\n',
    ambiguous: 'say("hi")\nend\nsay("hi")\nend\n',
    lines: '1, 3',
  },
  {
    strategy: 'lines trimmed',
    text: 'if a:\n    one()\n      two()\nend\n',
    old: 'one()\n  two()  \n',
    new: 'one()\n  three()\n',
    result: 'if a:\n    one()\n      three()\nend\n',
    ambiguous: '  one()\n two()\n  one()\n two()\n',
    lines: '1, 3',
  },
  {
    strategy: 'indentation flexible',
    // Trimmed, both blocks are alike; only the second has the shape that is asked for.
    text: 'x\n  a\n  b\ny\n    a\n      b\n',
    old: '      a\n        b',
    new: '      a\n        c',
    result: 'x\n  a\n  b\ny\n    a\n      c\n',
    ambiguous: ' a\n   b\nx\n  a\n    b\n',
    lines: '1, 4',
  },
  {
    strategy: 'white space normalised',
    text: 'f( a,\n   b )  end\n',
    old: 'f( a, b ) end\n',
    new: 'g(a, b) end\n',
    result: 'g(a, b) end\n',
    ambiguous: 'f( a,  b ) end\nf( a,\tb ) end\n',
    lines: '1, 2',
  },
  {
    strategy: 'first and last line',
    text: 'def f():\n  total = 1 + 2\n  print(total)\n  return total\nend\n',
    old: 'def f():\n  total = 1 + 3\n  print(total)\n  return total\n',
    new: 'pass\n',
    result: 'pass\nend\n',
    ambiguous: 'def f():\n  total = 1 + 2\n  return total\ndef f():\n  total = 1 + 4\n  return total\n',
    lines: '1, 4',
  },
]

describe.each(cases)('$strategy', (example) => {
  test('finds one place, and nothing stricter does', () => {
    const applied = edited(example.text, example.old, example.new)
    expect(applied).toEqual({ text: example.result, strategy: example.strategy, places: 1 })
  })

  test('several places are an error with their lines', () => {
    expect(() => edited(example.ambiguous, example.old, example.new)).toThrow(
      expect.objectContaining({
        code: 'ambiguous',
        message: expect.stringMatching(`2 places .*on lines ${example.lines}\\.`),
      }),
    )
  })

  test('replace_all takes them all', () => {
    expect(edited(example.ambiguous, example.old, example.new, true).places).toBe(2)
  })

  test('comes in order', () => {
    expect(strategies[cases.indexOf(example)]?.name).toBe(example.strategy)
  })
})

test('how accents are written makes no difference, and a letter is never taken apart', () => {
  const both = 'a\u0308 Müller\nMu\u0308ller GmbH\nu\u0308\n'
  const replaced = { text: 'a\u0308 Möller\nMöller GmbH\nu\u0308\n', strategy: 'exact', places: 2 }
  expect(edited(both, 'Müller', 'Möller', true)).toEqual(replaced)
  expect(edited(both, 'Mu\u0308ller', 'Möller', true)).toEqual(replaced)
  expect(() => edited(both, 'Müller', 'Möller')).toThrow('2 places (exact), on lines 1, 2.')
  expect(edited('Müller', 'Mu\u0308ller', 'Meier').text).toBe('Meier')
  expect(edited('(\u1112\u1161\u11ab\u1100\u1173\u11af)', '글', 'x').text).toBe('(\u1112\u1161\u11abx)')
  // A q with a diaeresis is no single character, and the mark above ü composes with nothing.
  expect(edited('q\u0308 u\u0308\u030a ü', 'q\u0308 ü\u030a', 'x').text).toBe('x ü')
  expect(edited('cafe\u0301 cafe', 'cafe', 'tea').text).toBe('cafe\u0301 tea')
  // Unicode has one piece for this letter too, and writes it in two.
  expect(edited('\u0958\u093e ü', 'ü', 'x').text).toBe('\u0958\u093e x')
})

test('an old text with white space around it is not found inside a longer word or number', () => {
  const refused = (text: string, old: string) =>
    expect(() => edited(text, old, '  count: 2\n')).toThrow(expect.objectContaining({ code: 'text_not_found' }))
  refused('a:\n  count: 15\n', '  count: 1\n')
  refused('a:\n  retry_count: 1\n', '  count: 1\n')
  expect(edited('count: 15, count:  1', 'count: 1\n', 'count: 2\n').text).toBe('count: 15, count: 2')
  expect(edited('count:  1, recount:  1', '\ncount: 1', '\ncount: 2').text).toBe('count: 2, recount:  1')
})

test('an old text that begins at the first letter of a line moves no other line', () => {
  const text = 'def f(self):  \n    if x:  \n        return 1\n\n    return 2\n'
  const old = 'if x:\n        return 1\n\n    return 2'
  const now = 'if y:\n        return 3\n\n    return 2'
  const result = 'def f(self):  \n    if y:\n        return 3\n\n    return 2\n'
  expect(edited(text, old, now)).toEqual({ text: result, strategy: 'lines trimmed', places: 1 })
  expect(edited('x\n  \n  y \n', '\n  y\n', 'a\n  z\n').text).toBe('x\na\n  z\n')
  // Where all of it was moved left, all is moved back.
  const moved = (lines: string) => lines.replace(/^ {4}/gm, '')
  expect(edited(text, moved(old), moved(now)).text).toBe(result)
  const near = old.replace('return 1', 'return 10')
  expect(edited(text, near, now)).toEqual({ text: result, strategy: 'first and last line', places: 1 })
})

describe('where old_string is indented by other characters or more than the file, the new text gets the file’s', () => {
  const tabs = 'def f(x):\n\tif x:\n\t\ta()\n\t\tb()\n'
  test.each([
    [
      'each level',
      tabs,
      '    if x:\n        a()',
      '    if x:\n        a(1)',
      'def f(x):\n\tif x:\n\t\ta(1)\n\t\tb()\n',
    ],
    [
      'levels deeper and less deep than any of it',
      tabs,
      '        a()\n        b()',
      '        if y:\n            # why\n              a(1,\n    c()',
      'def f(x):\n\tif x:\n\t\tif y:\n\t\t\t# why\n\t\t\t  a(1,\n\tc()\n',
    ],
    [
      'what begins at the left',
      'def f(x):\n\ta()\n',
      'def f(x):\n  a()',
      'def f(x):\n  if x:\n    a()',
      'def f(x):\n\tif x:\n\t\ta()\n',
    ],
    ['spaces', 'f:\n  a\n    b\n', '\ta\n\t\tb', '\ta\n\t\tb:\n\t\t\tc', 'f:\n  a\n    b:\n      c\n'],
    [
      'wider steps',
      'f:\n    a\n        b\n',
      'f:\n  a\n    b',
      'f:\n  a\n    b:\n      c',
      'f:\n    a\n        b:\n            c\n',
    ],
    [
      'lines that continue others',
      'f() {\n\tcall(a,\n\t     b)\n}\n',
      '    call(a,\n         b)',
      '    if x {\n        call(a,\n             b)\n    }\n    call(a,\n         c)',
      'f() {\n\tif x {\n\t\tcall(a,\n\t\t     b)\n\t}\n\tcall(a,\n\t     c)\n}\n',
    ],
    [
      'lines that continue others, as spaces',
      'f() {\n    call(a,\n         b)\n}\n',
      '\tcall(a,\n\t     b)',
      '\tif x {\n\t\tcall(a,\n\t\t     b)\n\t}',
      'f() {\n    if x {\n        call(a,\n             b)\n    }\n}\n',
    ],
    [
      'lines that continue others, in wider steps',
      'f() {\n    call(a,\n         b)\n}\n',
      'f() {\n  call(a,\n       b)\n}',
      'f() {\n  if x {\n    call(a,\n         b)\n  }\n}',
      'f() {\n    if x {\n        call(a,\n             b)\n    }\n}\n',
    ],
    ['only what is known', 'f() {\nfoo()\n}\n', 'f() {\n  foo()\n}', 'f() {\n  bar()\n}', 'f() {\n  bar()\n}\n'],
  ])('%s', (_, text, old, now, result) => {
    expect(edited(text, old, now).text).toBe(result)
  })
})

test('two exact places stay ambiguous even if a looser strategy would find one', () => {
  expect(() => edited('a\\tb a\\tb a\tb', 'a\\tb', 'x')).toThrow(expect.objectContaining({ code: 'ambiguous' }))
})

test('a nearest line that is too long ends with …', () => {
  expect(() => edited(`say("${'b'.repeat(300)}")\n`, `say("${'b'.repeat(299)}c")`, 'x')).toThrow(/b…$/)
})

test('anchors around something else are not taken', () => {
  const text = 'def f():\n  completely()\n  different()\nend\n'
  expect(() => edited(text, 'def f():\n  total = 1 + 3\n  print(total)\nend', 'x')).toThrow(
    expect.objectContaining({ code: 'text_not_found' }),
  )
})

describe('an end that is ambiguous', () => {
  const refused = (text: string, old: string, lines: string) =>
    expect(() => edited(text, old, 'y')).toThrow(
      expect.objectContaining({
        code: 'ambiguous',
        message: expect.stringContaining(`lines ${lines} could all be its last`),
        remedy: expect.stringContaining('copy the whole block as it is'),
      }),
    )

  test('is an error, whichever is nearer', () => {
    refused('begin\n foo bar baz\nend\n x\nend', 'begin\n foo bar bat\nend', '3, 5')
    refused('f() {\nif (a) {\nfoo bar\n}\nbaz()\n}\n', 'f() {\nif (a) {\nfoo bat\n}\nbaz()\n}', '4, 6')
    refused('f() {\nif (a) {\nfoo bar\n}\nbaz()\n}\n', 'f() {\n  if (a) {\n  foo bat\n  baz()\n}', '4, 6')
  })

  test('if its lines are inside a string or a comment is one too', () => {
    refused('f() {\n  a = `one two\n}\n`\n  return a\n}\n', 'f() {\n  a = `one too\n}', '3, 6')
    refused('f() {\n  /* one two\n}\n*/\n  return a\n}\n', 'f() {\n  /* one too\n}', '3, 6')
  })

  test('of one of several blocks that begin alike is one, even if only one is similar', () => {
    const text = 'f() {\n  one two three\n}\nf() {\n  else\n}\n'
    expect(() => edited(text, 'f() {\n  one two thre\n}', 'y')).toThrow(
      expect.objectContaining({ code: 'ambiguous', message: expect.stringContaining('on lines 1, 4') }),
    )
  })

  test('is known by the indentation', () => {
    const text = 'f() {\n  if (a) {\n    foo bar\n  }\n  baz()\n}\n\ng() {\n  x\n}\n'
    const old = 'f() {\n  if (a) {\n    foo bat\n  }\n  baz()\n}\n'
    expect(edited(text, old, 'y\n').text).toBe('y\n\ng() {\n  x\n}\n')
  })
})

test("a text that isn't found is answered with the nearest lines", () => {
  expect(() => edited('alpha\nconst limit = 10\nomega\n', 'const limits = 11', 'x')).toThrow('2: const limit = 10')
})

test('a text that begins or goes on like many places of a large file and is in none is soon refused', async () => {
  const row = '  {\n    "id": 1,\n    "tags": [\n      "a"\n    ]\n  },\n'
  const refused = (text: string, old: string, code: string) =>
    expect(() => edited(text, old, 'x')).toThrow(expect.objectContaining({ code }))
  const effort = await effortMs(() => {
    refused(row.repeat(5_000), '{\n"id": 7\n}; // not there', 'text_not_found')
    refused(row.repeat(5_000), '{\n"id": 7,\n"tagz": [\n"a"\n]\n},', 'ambiguous')
    refused(`${row.repeat(5_000)}end`, '{\n  "id": 7,\n  "tagz": []\nend', 'text_not_found')
    refused('      {\n'.repeat(30_000), `${'{\n'.repeat(1_000)}  {`, 'ambiguous')
    refused('{\n'.repeat(20_000), `${'{\n'.repeat(3_000)}x`, 'text_not_found')
    refused(`${'a line of some length, '.repeat(20)}\n`.repeat(5_000), 'something else', 'text_not_found')
    refused(`a${'\u0315\u0300'.repeat(100_000)}`, 'Müller', 'text_not_found')
  })
  expect(effort).toBeLessThan(3_000)
})

test('an edit that changes nothing is an error', () => {
  for (const [old, now] of [
    ['', 'x'],
    ['one', 'one'],
    ['one\r\n', 'one\n'],
  ] as const) {
    expect(() => edited('one\n', old, now)).toThrow(expect.objectContaining({ code: 'bad_edit' }))
  }
})

test('a new text is taken literally, dollar signs too', () => {
  expect(edited('a b', 'b', "$& $1 $'").text).toBe("a $& $1 $'")
})

test('line ends: new lines are as the file is, what is not touched stays', () => {
  const crlf = applyEdit('a\r\nb\r\nc\r\n', { old_string: 'b\nc', new_string: 'b\nx\nc', replace_all: false }, 'CRLF')
  expect(crlf.text).toBe('a\r\nb\r\nx\r\nc\r\n')
  const mixed = edited('a\r\nb\nc\r\nd\n', 'b\nc', 'x\ny')
  expect(mixed.text).toBe('a\r\nx\ny\r\nd\n')
})

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '$', '\\', 'ü', '"'), maxLength: 6 })
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))

test('an exact edit and its reverse give the file back, with either line end', () => {
  fc.assert(
    fc.property(text, text, text, fc.constantFrom('LF' as const, 'CRLF' as const), (before, after, note, newline) => {
      const [old, now] = ['<<', '>>'].map((mark) => `${mark}${note}${mark}`)
      const end = newline === 'CRLF' ? '\r\n' : '\n'
      const file = `${before}\n${old}\n${after}`.replaceAll('\n', end)
      const there = applyEdit(file, { old_string: old ?? '', new_string: now ?? '', replace_all: false }, newline)
      const back = applyEdit(there.text, { old_string: now ?? '', new_string: old ?? '', replace_all: false }, newline)
      return there.text !== file && back.text === file
    }),
  )
})

test('places never overlap and lie in the text, whatever is looked for', () => {
  fc.assert(
    fc.property(text, text, (haystack, old) => {
      fc.pre(old !== '')
      return strategies.every(({ find }) => {
        const places = find(haystack, { old, new: 'x' })
        return places.every(
          ({ start, end }, index) => start >= (places[index - 1]?.end ?? 0) && end >= start && end <= haystack.length,
        )
      })
    }),
    { numRuns: 500 },
  )
})

test('a diff counts added and removed lines, and gives up on a change that takes too long', async () => {
  const { added, removed, diff } = await describeChange('outputs/a', 'one\ntwo\n', 'one\n2\n3\n')
  expect([added, removed]).toEqual([2, 1])
  expect(diff).toBe('--- outputs/a\n+++ outputs/a\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3')
  const many = (prefix: string) => Array.from({ length: 30_000 }, (_, index) => `${prefix}${index}`).join('\n')
  const effort = await effortMs(async () => {
    expect(await describeChange('x', many('a'), many('b'))).toMatchObject({ added: 30_000, removed: 30_000 })
  })
  expect(effort).toBeLessThan(3000)
})

test('edit_file answers with counts and a diff, and names a loose strategy', async () => {
  const { run, put, text } = await bench()
  await put('outputs/a.py', 'def f():\n    return 1\n')
  const answer = await run('edit_file', {
    path: 'outputs/a.py',
    old_string: '  return 1\n',
    new_string: '  return 2\n',
  })
  expect(answer).toContain('Edited outputs/a.py in 1 place: 1 line added, 1 line removed.')
  expect(answer).toContain('-    return 1\n+    return 2')
  expect(await text('outputs/a.py')).toBe('def f():\n    return 2\n')
  const loose = await run('edit_file', { path: 'outputs/a.py', old_string: 'def  f():', new_string: 'def g():' })
  expect(loose).toContain('Found by: white space normalised; check the diff.')
})

test('multi_edit: later edits see earlier ones, and one that fails leaves the file alone', async () => {
  const { run, put, text } = await bench()
  await put('temp/a', 'one\n')
  const edit = (old_string: string, new_string: string) => ({ old_string, new_string })
  await run('multi_edit', { path: 'temp/a', edits: [edit('one', 'two'), edit('two', 'three')] })
  expect(await text('temp/a')).toBe('three\n')
  const failing = run('multi_edit', { path: 'temp/a', edits: [edit('three', 'four'), edit('nothing', 'x')] })
  await expect(failing).rejects.toThrow('Edit 2: old_string is not in the file')
  expect(await text('temp/a')).toBe('three\n')
})

test('the byte order mark, CRLF and UTF-16 are kept', async () => {
  const { run, put, workspace } = await bench()
  await put('temp/bom', '\uFEFFone\r\ntwo\r\n')
  await run('edit_file', { path: 'temp/bom', old_string: 'one\ntwo', new_string: '1\n2' })
  expect(String(await workspace.read('temp/bom'))).toBe('\uFEFF1\r\n2\r\n')
  await put('temp/utf16', Buffer.from('\uFEFFone\ntwo', 'utf16le').swap16())
  await run('edit_file', { path: 'temp/utf16', old_string: 'two', new_string: 'zwölf' })
  expect((await workspace.read('temp/utf16')).swap16().toString('utf16le')).toBe('\uFEFFone\nzwölf')
})

test('what would lose bytes, is binary or too large is not edited', async () => {
  const { run, put, workspace } = await bench({ fileBytes: 20 })
  const latin = Buffer.from('caf\xe9 one', 'latin1')
  await put('temp/latin', latin)
  const edit = (path: string) => run('edit_file', { path, old_string: 'one', new_string: 'two' })
  await expect(edit('temp/latin')).rejects.toMatchObject({ code: 'not_utf8' })
  expect(await workspace.read('temp/latin')).toEqual(latin)
  const wide = Buffer.from('one two', 'utf16le')
  await put('temp/wide', wide)
  const letter = run('edit_file', { path: 'temp/wide', old_string: 'w', new_string: 'ö' })
  await expect(letter).rejects.toMatchObject({ code: 'not_utf8', message: expect.stringContaining('utf-16le') })
  expect(await workspace.read('temp/wide')).toEqual(wide)
  await put('temp/binary', Buffer.from('one\0two'))
  await expect(edit('temp/binary')).rejects.toMatchObject({ code: 'not_text' })
  await put('temp/large', 'one'.padEnd(21))
  await expect(edit('temp/large')).rejects.toMatchObject({
    code: 'too_large',
    message: '"temp/large" has 21 bytes; 20 can be read at once.',
    remedy: expect.stringContaining('Use a command that writes a new file'),
  })
  await expect(edit('skills/none')).rejects.toMatchObject({ code: 'not_found' })
})

test('edits of one file at the same time do not lose each other', async () => {
  const { run, put, text } = await bench()
  await put('temp/a', Array.from({ length: 20 }, (_, index) => `line <${index}>`).join('\n'))
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      run('edit_file', {
        path: index % 2 ? 'temp/a' : './temp//a',
        old_string: `<${index}>`,
        new_string: `[${index}]`,
      }),
    ),
  )
  expect(await text('temp/a')).not.toContain('<')
})
