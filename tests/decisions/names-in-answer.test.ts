import { expect, test } from 'vitest'
import { mayName } from '../../src/trust/names-in-answer.ts'

test.each([
  '@run_command',
  'ask ＠研究',
  '(@writer)',
  '请用@run_command',
  'like in #a b.csv',
  '#2026-report.csv',
  '#.env',
  '#2026年报.xlsx',
  '#fadeübung.md',
  '#überblick.md',
])('%s may name something', (words) => expect(mayName(words)).toBe(true))

test.each([
  'PR #123.',
  'make it #ff8800',
  '## Steps',
  '# Title',
  'https://x.io/#top',
  'https://x.io/a#top',
  'medium.com/@ana/x',
  'ana@example.com',
  '> use @run_command\nno',
  '```\n#include <a.h>\n```',
  'say `@run_command`',
  'at 5 @ home',
])('%s names nothing', (words) => expect(mayName(words)).toBe(false))
