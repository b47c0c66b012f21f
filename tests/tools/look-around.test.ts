import { describe, expect, test } from 'vitest'
import { bench } from './support.ts'

const text = 'price: 5 EUR\nprice: 7 USD\nsum: 5 EUR\nhello hello\n'

describe('what RE2 has not', () => {
  test.each([
    ['looks behind', '(?<=price: )\\d', ['1', '2']],
    ['looks behind for what is not there', '(?<!price: )\\d EUR', ['3']],
    ['looks ahead', '\\d(?= EUR)', ['1', '3']],
    ['looks ahead for what is not there', 'price(?!.*EUR)', ['2']],
    ['refers back', '(\\w+) \\1', ['4']],
    ['refers back by name, as Python writes it', '(?P<word>\\w+) \\k<word>', ['4']],
  ])('%s: grep_files and search_file find it', async (_, pattern, lines) => {
    const { put, run } = await bench()
    await put('temp/a.txt', text)
    const grep = await run('grep_files', { pattern })
    expect(Array.from(grep.matchAll(/^(\d+): /gm), ([, line]) => line)).toEqual(lines)
    const search = await run('search_file', { query: pattern, path: 'temp/a.txt', use_regex: true })
    expect(Array.from(search.matchAll(/, line (\d+) /g), ([, line]) => line)).toEqual(lines)
  })

  test('case matters to grep_files by default, and not to search_file', async () => {
    const { put, run } = await bench()
    await put('temp/a.txt', text)
    const pattern = '(?<=PRICE: )5'
    expect(await run('grep_files', { pattern })).toBe('[No match.]')
    expect(await run('grep_files', { pattern, ignore_case: true })).toContain('[1 match in 1 file.]')
    expect(await run('search_file', { query: pattern, use_regex: true })).toContain('price: **5** EUR')
  })

  test.each(['grep_files', 'search_file'])(
    '%s ends one that would never end, and nobody else waits for it',
    async (tool) => {
      const { put, run } = await bench()
      await put('temp/a.txt', `${'a'.repeat(60)}!\n`)
      let turns = 0
      const turning = setInterval(() => turns++, 1)
      const pattern = '^(?=a)(a+)+$'
      const work = run(tool, tool === 'grep_files' ? { pattern } : { query: pattern, use_regex: true })
      await expect(work.finally(() => clearInterval(turning))).rejects.toMatchObject({
        code: 'too_slow',
        remedy: expect.stringContaining('without (?='),
      })
      expect(turns).toBeGreaterThan(20)
    },
  )
})
