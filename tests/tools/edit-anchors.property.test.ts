import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdit } from '../../src/capabilities/files/edit/apply.ts'

const line = fc.constantFrom('foo(1)', 'bar = baz', 'return x', '', 'x.y(z)', 'end', 'a = `', '/*', '*/', ')')

/** Code of nested blocks; its indentation may be missing. */
const code = fc
  .letrec<{ block: string[]; lines: string[] }>((tie) => ({
    lines: fc
      .array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          line.map((one) => [one]),
          tie('block'),
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .map((all) => all.flat()),
    block: fc
      .tuple(fc.constantFrom('f() {', 'if (a) {', 'begin'), tie('lines'), fc.constantFrom(0, 2))
      .map(([head, inner, by]) => [head, ...inner.map((one) => ' '.repeat(by) + one), head === 'begin' ? 'end' : '}']),
  }))
  .lines.filter((lines) => lines.length >= 3)

test('by its first and last line, exactly the block that was meant is replaced, or none', () => {
  const meant = fc.tuple(code, fc.nat(), fc.nat(), fc.nat(), fc.constantFrom('other', 'gone', 'flush', 'more'))
  let replaced = 0
  fc.assert(
    fc.property(meant, ([lines, start, length, place, slip]) => {
      const from = start % (lines.length - 2)
      const to = from + 2 + (length % (lines.length - from - 2))
      const between = from + 1 + (place % (to - from - 1))
      const old = lines.slice(from, to + 1)
      if (slip === 'other') old[between - from] += ' // other'
      if (slip === 'gone') old.splice(between - from, 1)
      if (slip === 'more') old.splice(between - from, 0, '  more')
      const given = slip === 'flush' ? old.map((one, at) => (at === between - from ? `${one};` : one).trim()) : old
      let applied: ReturnType<typeof applyEdit>
      try {
        applied = applyEdit(
          lines.join('\n'),
          { old_string: given.join('\n'), new_string: 'NEW', replace_all: false },
          'LF',
        )
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: expect.stringMatching(/^(ambiguous|text_not_found|bad_edit)$/) })
        return
      }
      if (applied.strategy !== 'first and last line') return
      replaced++
      const is = applied.text.split('\n').map((one) => one.trim())
      expect(is).toEqual([...lines.slice(0, from), 'NEW', ...lines.slice(to + 1)].map((one) => one.trim()))
    }),
    { numRuns: 5000 },
  )
  // Otherwise nothing was shown.
  expect(replaced).toBeGreaterThan(100)
})
