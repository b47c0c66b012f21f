import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planOf } from '../../src/kit/shell/plan.ts'
import { commands } from './commands.ts'

describe('the corpus', () => {
  test('is large enough', () => {
    expect(commands.length).toBeGreaterThanOrEqual(320)
    expect(new Set(commands.map(({ command }) => command)).size).toBe(commands.length)
  })

  for (const expected of commands) {
    test(JSON.stringify(expected.command), () => {
      const plan = planOf(expected.command)
      const programs = plan.invocations.map(({ program }) => program)

      if (expected.unclear === undefined) expect(plan.unclear).toEqual([])
      else expect(plan.unclear.join('; ')).toContain(expected.unclear)
      if (expected.programs) expect(programs).toEqual(expected.programs)
      if (expected.among) expect(programs).toEqual(expect.arrayContaining(expected.among))
      if (expected.runs) expect(plan.runs).toEqual(expected.runs)
      if (expected.hosts) expect([...plan.hosts].sort()).toEqual([...expected.hosts].sort())
      if (expected.targets) expect(plan.redirections.map(({ target }) => target)).toEqual(expected.targets)
      if (expected.args) expect(plan.invocations.at(-1)?.args).toEqual(expected.args)
      if (expected.languages) {
        expect(plan.invocations.flatMap(({ code }) => code.map(({ language }) => language))).toEqual(expected.languages)
      }
    })
  }
})

describe('what it tells', () => {
  test('the text is always quoted the same way, without what wraps it', () => {
    const [invocation] = planOf('A="x y" env B=1 nice "./to ol" -f"oo" $X \'a b\' *.ts').invocations
    expect(invocation?.text).toBe("A='x y' B=1 './to ol' -foo $X 'a b' *.ts")
    expect(invocation?.assigns).toEqual(['A', 'B'])
    expect(invocation?.as).toBe('./to ol')
  })

  test("an interpreter's code is given as it is", () => {
    expect(planOf("python3 - x <<'E'\nprint(1)\nE").invocations[0]?.code).toEqual([
      { language: 'python', text: 'print(1)\n' },
    ])
    expect(planOf('perl -ne "print 1" f').invocations[0]?.code).toEqual([{ language: 'perl', text: 'print 1' }])
  })

  test('paths in options, targets and words with expansions', () => {
    const { paths } = planOf('cp --from=/etc/passwd -I/usr @/x "$HOME/.ssh/id_rsa" ~/.aws/* plain "a b/../c" > out.txt')
    expect(paths).toEqual(['out.txt', '/etc/passwd', '/usr', '/x', '"$HOME/.ssh/id_rsa"', '~/.aws/*', 'a b/../c'])
  })

  test('a script is read like a command line', () => {
    const script = '#!/bin/bash\nset -e\ncd web\nnpm ci\n'
    expect(planOf(script).invocations.map(({ program }) => program)).toEqual(['set', 'cd', 'npm'])
    expect(planOf(script).runs).toEqual(['package.json', 'web/package.json'])
  })
})

describe('it always ends', () => {
  const openings = [
    '(',
    '$(',
    '"$(',
    '`',
    '${a:-',
    '{ ',
    'if ',
    '((',
    '[[ ( ',
    '<<A ',
    '<(',
    '$((',
    '{a,',
    '!(',
    'case x in x) ',
    'f() ',
    'coproc ',
    '! ',
    'a[',
    'a=(',
    'eval ',
    'env ',
    'sudo ',
    'while ',
    "$'",
    '|',
    '\\',
    "bash -c '",
    'a;',
    'cat <<E\n$(',
    'find -exec ',
    'cd a && ',
  ]

  test.each(openings)('ten thousand times %j', (opening) => {
    const text = opening.repeat(10_000)
    const { unclear } = planOf(text.slice(0, 30_000))
    if (/^(?:\(|\$\(|"\$\(|<\(|if |\{ |env |eval )$/.test(opening))
      expect(unclear.join()).toMatch(/nested|deep|not valid|run one another|too long/)
    else expect(unclear).toBeInstanceOf(Array)
  })

  test('too long a line is not understood', () => {
    expect(planOf('a '.repeat(20_000)).unclear).toEqual(['it is longer than 32768 characters'])
  })

  // Each text was noted again in every one around it, and everything noted is searched by the rules.
  test.each([
    ['$(echo a ', ')'],
    ['"$(echo a ', ')"'],
    ['cat <(echo a ', ')'],
    ['${a:-b ', '}'],
    ['"${a:-"b ', '"}"'],
    ['(echo a; ', ')'],
    ['a[$(echo b ', ')]=1'],
    ['[[ a =~ $(echo b ', ') ]]'],
    ['${a//$(echo b ', ')/x}'],
    ['eval a $(b ', ')'],
  ])('190 times %j: what is noted stays small', (opens, closes) => {
    for (const width of [1, 100]) {
      const text = `echo ${`${opens}${'x'.repeat(width)} `.repeat(190)}${closes.repeat(190)}`
      expect(JSON.stringify(planOf(text)).length).toBeLessThan(400_000)
    }
  })

  test.each(['cd a;', 'a\n', "'}' ", '"a" '])(
    'many things that open, between %j, are not looked through one by one',
    (between) => {
      for (const opens of ['${a:-', '$((1+(x))', '`', '<<E ', 'a[', '$['])
        expect(planOf(`${between}${opens}`.repeat(3_000).slice(0, 30_000)).unclear, opens).toEqual([
          expect.stringMatching(/too long|too deeply/),
        ])
    },
  )

  test('any text', () => {
    const piece = fc.constantFrom(
      '$(',
      '(',
      ')',
      '"',
      "'",
      '`',
      '${',
      '}',
      '{',
      ';',
      '|',
      '&',
      '<',
      '>',
      '\n',
      ' ',
      '\\',
      'a',
      'if',
      'then',
      'fi',
      'do',
      'done',
      'for',
      'in',
      'case',
      'esac',
      '[[',
      ']]',
      '((',
      '))',
      '<<E',
      '=',
      '*',
      '#',
      '!',
      '$',
      'eval',
      'bash -c',
      'cd',
    )
    const noise = fc.array(piece, { maxLength: 6_000 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(
        fc.oneof(noise, fc.string({ maxLength: 20_000, unit: 'binary' }), fc.string({ maxLength: 20_000 })),
        (text) => {
          expect(planOf(text).unclear).toBeInstanceOf(Array)
        },
      ),
      { numRuns: 150 },
    )
  })
})
