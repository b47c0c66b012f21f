import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kit/json.ts'
import { practiceModel } from '../../src/kit/practice/practice-model.ts'
import { allOf, asking } from '../support/model-client.ts'
import { filesOf, talk, talkWith, withFiles } from '../support/practice-talk.ts'
import { bench } from '../tools/support.ts'

const csv = 'city,amount\nBerlin,10\nParis,20\nBerlin,31.5\n'
const notes = '# Plan\n\nWe start on Monday. Then we rest.\n\n## Risks\n\nNone so far.\n'
const written = { write_file: ({ path }: JsonObject) => `Created ${path}: 12 bytes, 1 line.` }
const files = filesOf({
  'uploads/sales.csv': csv,
  'uploads/notes.md': notes,
  'uploads/new.md': notes.replace('Monday', 'Friday'),
})

describe('what it is', () => {
  test.each([['hello'], ['what can you do?'], ['[ana] Hi Bobbin!'], ['<@U123> help']])(
    '%s is greeted with it',
    (text) => {
      const { answer } = talk(text)
      expect(answer).toContain('Hello!')
      expect(answer).toContain('practice model')
      expect(answer).toContain('remind me in 10 seconds to stretch')
    },
  )

  test('it says when it did not understand', () => {
    expect(talk('what do you think of Proust').answer).toMatch(/^I didn’t understand.*practice model/)
  })

  test('in Chinese too', () => {
    expect(talk('你好').answer).toContain('练习模型')
  })
})

describe('summarising', () => {
  test('reads all uploads at once, computes, writes a file and names it', () => {
    const { answer, calls } = talk(withFiles('summarise the uploaded files', 'sales.csv', 'notes.md'), {
      ...files,
      ...written,
    })

    expect(calls.map(({ name, input }) => [name, input.path])).toEqual([
      ['read_file', 'uploads/sales.csv'],
      ['read_file', 'uploads/notes.md'],
      ['write_file', 'outputs/summary.md'],
    ])
    const content = String(calls.at(-1)?.input.content)
    expect(content).toContain('- **amount**: 10 to 31.5, mean 20.5, sum 61.5')
    expect(content).toContain('- **city**: 2 different; most frequent Berlin (2), Paris (1)')
    expect(content).toContain('Sections: Plan · Risks')
    expect(content).toContain('> We start on Monday. Then we rest. None so far.')
    expect(answer).toContain('I read 2 files and wrote `outputs/summary.md`')
    expect(answer).toContain('`uploads/sales.csv`: 3 rows, 2 columns; amount sums to 61.5')
  })

  test('takes the name that the person gave', () => {
    const asked = withFiles('Please write a summary of the files to outputs/report.md', 'notes.md')
    expect(talk(asked, { ...files, ...written }).calls.at(-1)?.input.path).toBe('outputs/report.md')
  })

  test('of one named file is an answer', () => {
    const { answer, calls } = talk(withFiles('summarise #sales.csv', 'sales.csv', 'notes.md'), files)
    expect(calls).toHaveLength(1)
    expect(answer).toContain('sum 61.5')
  })

  test('goes on without an unreadable file, and says so', () => {
    const { answer } = talk(withFiles('总结文件', 'gone.md', 'notes.md'), { ...files, ...written })
    expect(answer).toContain('I read one file')
    expect(answer).toContain('`uploads/gone.md` could not be read: Error: There is no file')
  })

  test('looks for uploads that the conversation does not name', () => {
    const tools = {
      ...files,
      ...written,
      find_files: () =>
        'uploads/notes.md  45 bytes  2026-11-21 12:00\nuploads/sales.csv  60 bytes  2026-11-21 12:00\n[2 files found.]',
    }
    expect(talk('summarise the files', tools).answer).toContain('I read 2 files')
  })

  test('says that there is nothing', () => {
    expect(talk('summarise the files', { find_files: () => 'No files.' }).answer).toContain('no uploaded files')
  })

  test('reads on where a page ends', () => {
    const tools = {
      ...written,
      read_file: ({ offset }: { offset?: unknown }) =>
        offset === 3
          ? '3\tc,4\n[End of uploads/long.csv: it has 3 lines.]'
          : '1\tname,value\n2\ta,1\n[Lines 1 to 2 of uploads/long.csv. There is more: read on with offset 3.]',
    }
    const { answer, calls } = talk(withFiles('summarise #long.csv', 'long.csv'), tools)
    expect(calls.map(({ input }) => input)).toEqual([
      { path: 'uploads/long.csv', raw: true },
      { path: 'uploads/long.csv', raw: true, offset: 3 },
    ])
    expect(answer).toContain('sum 5')
  })
})

describe('files', () => {
  test('a file asked for by name is shown without its line numbers', () => {
    expect(talk(withFiles('show #notes.md', 'notes.md'), files).answer).toContain('# Plan\n\nWe start')
  })

  test('an empty one is empty', () => {
    const read_file = () => '[uploads/void.md is empty.]'
    expect(talk(withFiles('summarise #void.md', 'void.md'), { read_file }).answer).toContain('The file is empty.')
  })

  test('one that was written before is recognised by its name', () => {
    const tools = { ...written, read_file: () => '1\thello\n[End of outputs/a.txt: it has 1 line.]' }
    const { answer, calls } = talk('write hello to a.txt, then show #a.txt', tools)
    expect(calls.at(-1)?.input).toEqual({ path: 'outputs/a.txt' })
    expect(answer).toContain('hello')
  })

  test('a list', () => {
    const { answer, calls } = talk('list files', { list_files: () => 'uploads/\noutputs/' })
    expect(calls).toEqual([{ name: 'list_files', input: { path: '.' } }])
    expect(answer).toContain('uploads/\noutputs/')
  })

  test.each([['find “a.b” in the files'], ["search for 'a.b'"], ['grep a.b in the uploads'], ['find a.b in my files']])(
    '%s',
    (text) => {
      const { calls } = talk(text, { search_file: () => '1. uploads/notes.md, line 1 (score 1.00)\n> a.b' })
      expect(calls).toEqual([{ name: 'search_file', input: { query: 'a.b', path: '.' } }])
    },
  )

  test('a CSV becomes JSON or a Markdown table', () => {
    const tools = { ...files, ...written }
    const json = talk(withFiles('convert #sales.csv to JSON', 'sales.csv'), tools).calls.at(-1)?.input
    expect(json?.path).toBe('outputs/sales.json')
    expect(JSON.parse(String(json?.content))).toContainEqual({ city: 'Paris', amount: 20 })
    const markdown = talk(withFiles('convert #sales.csv to a Markdown table', 'sales.csv'), tools).calls.at(-1)?.input
    expect(markdown).toMatchObject({ path: 'outputs/sales.md' })
    expect(markdown?.content).toContain('| Paris | 20 |')
  })

  test('what would change as a number stays as it is in JSON, and so does all else of its column', () => {
    const table = 'zip,id,version,price,note\n01099,12345678901234567890,1.10,2.5,1e5\n10115,7,1.2,-3,\n'
    const tools = { ...filesOf({ 'uploads/places.csv': table }), ...written }
    const json = talk(withFiles('convert #places.csv to JSON', 'places.csv'), tools).calls.at(-1)?.input
    expect(JSON.parse(String(json?.content))).toEqual([
      { zip: '01099', id: '12345678901234567890', version: '1.10', price: 2.5, note: '1e5' },
      { zip: '10115', id: '7', version: '1.2', price: -3, note: '' },
    ])
  })

  test('columns of one name, and those without any, are all kept', () => {
    const table = 'name,name,,name 2\na,b,c,d,e\n'
    const tools = { ...filesOf({ 'uploads/t.csv': table }), ...written }
    const json = talk(withFiles('convert #t.csv to JSON', 't.csv'), tools).calls.at(-1)?.input
    expect(JSON.parse(String(json?.content))).toEqual([
      { name: 'a', 'name 3': 'b', 'column 3': 'c', 'name 2': 'd', 'column 5': 'e' },
    ])
  })

  test('empty lines before the heading, and columns at the end with nothing in them, are left out', () => {
    const tools = { ...filesOf({ 'uploads/t.csv': '\n  \na;b;\n1;2;\n' }), ...written }
    const json = talk(withFiles('convert #t.csv to JSON', 't.csv'), tools).calls.at(-1)?.input
    expect(JSON.parse(String(json?.content))).toEqual([{ a: 1, b: 2 }])
  })

  test('of a line that isn’t shown whole, nothing said about it becomes data, and the answer says so', async () => {
    const { run, put, text } = await bench()
    await put('uploads/t.csv', `name,text\na,${'word '.repeat(1_000)}\n`)
    const asked = withFiles('convert #t.csv to JSON', 't.csv')
    const { answer } = await talkWith(asked, ['read_file', 'write_file'], run)
    expect(await text('outputs/t.json')).not.toContain('line cut')
    expect(answer).toContain('I couldn’t read all of it')
    const shown = await talkWith(withFiles('summarise #t.csv', 't.csv'), ['read_file'], run)
    expect(shown.answer).toContain('(only a part of it was read)')
  })

  test('two files are compared by line', () => {
    const { answer, calls } = talk(withFiles('compare #notes.md and #new.md', 'notes.md', 'new.md'), files)
    expect(calls).toHaveLength(2)
    expect(answer).toContain('- We start on Monday. Then we rest.')
    expect(answer).toContain('+ We start on Friday. Then we rest.')
  })

  test.each([
    ['write hello to outputs/a.txt', 'outputs/a.txt', 'hello\n'],
    ['write "hello, world" to a.txt', 'outputs/a.txt', 'hello, world\n'],
    ['create a file temp/b.md with the text one two', 'temp/b.md', 'one two\n'],
    ['write hello to uploads/a.txt', 'uploads/a.txt', 'hello\n'],
  ])('%s', (text, path, content) => {
    expect(talk(text, written).calls).toEqual([{ name: 'write_file', input: { path, content } }])
  })

  test('a haiku is written where it was wanted', () => {
    const { calls } = talk('write a haiku to outputs/haiku.md', written)
    expect(calls[0]?.input.path).toBe('outputs/haiku.md')
    expect(String(calls[0]?.input.content).trim().split('\n')).toHaveLength(3)
  })
})

describe('changing an upload', () => {
  const asked = withFiles('replace "Monday" with "Friday" in #notes.md', 'notes.md')

  test('edits it in place', () => {
    const { answer, calls } = talk(asked, { edit_file: () => '-Monday\n+Friday' })
    const input = { path: 'uploads/notes.md', old_string: 'Monday', new_string: 'Friday', replace_all: true }
    expect(calls).toEqual([{ name: 'edit_file', input }])
    expect(answer).toContain('+Friday')
  })

  test('leaves it alone when the person says no, and quotes why', () => {
    const { answer, calls } = talk(asked, { edit_file: () => 'Cancelled: ana denied this: not before the review' })
    expect(calls).toHaveLength(1)
    expect(answer).toContain('not approved')
    expect(answer).toContain('not before the review')
  })

  test('says what failed and ends', () => {
    const { answer, calls } = talk(asked, { edit_file: () => 'Error: “Monday” is not in the file.' })
    expect(calls).toHaveLength(1)
    expect(answer).toContain('`edit_file` failed')
    expect(answer).toContain('is not in the file')
  })

  test('does not try again what may have happened', () => {
    const { answer } = talk(asked, { edit_file: () => 'Unknown outcome: the process ended.' })
    expect(answer).toContain('can’t tell')
  })

  test('overwrites it', () => {
    const over = talk(withFiles('overwrite #notes.md with "all new"', 'notes.md'), written)
    expect(over.calls).toEqual([{ name: 'write_file', input: { path: 'uploads/notes.md', content: 'all new\n' } }])
  })
})

describe('appending with the real tools', () => {
  async function appended(name: string, content: string | Uint8Array, text = 'The end.') {
    const { run, put, workspace } = await bench()
    await put(`uploads/${name}`, content)
    const asked = withFiles(`append "${text}" to #${name}`, name)
    const { answer } = await talkWith(asked, ['read_file', 'edit_file', 'write_file'], run)
    return { answer, bytes: await workspace.read(`uploads/${name}`, 1_000_000) }
  }
  const long = 'word '.repeat(1_000)

  test.each([
    ['a note', 'notes.md', notes, `${notes}The end.\n`],
    ['without a last line end', 'notes.md', 'one\ntwo', 'one\ntwo\nThe end.'],
    ['with empty lines at its end', 'notes.md', 'one\ntwo\n\n', 'one\ntwo\nThe end.\n\n'],
    ['whose last lines come twice', 'notes.md', 'a\nb\na\nb\n', 'a\nb\na\nb\nThe end.\n'],
    ['whose last line is a part of others', 'notes.md', 'goodbye\nbye\n', 'goodbye\nbye\nThe end.\n'],
    ['whose lines are indented by one space', 'notes.md', ' a\n a\n', ' a\n a\nThe end.\n'],
    ['lines of spaces', 'notes.md', 'a\n   \nb\n   \nb\n', 'a\n   \nb\n   \nb\nThe end.\n'],
    ['an empty one', 'notes.md', '', 'The end.\n'],
    ['Windows’ line ends', 'notes.md', 'one\r\ntwo\r\n', 'one\r\ntwo\r\nThe end.\r\n'],
    ['a long line', 'notes.md', `${long}\nbye\n`, `${long}\nbye\nThe end.\n`],
    ['a web page', 'page.html', '<html>\n<p>one</p>\n', '<html>\n<p>one</p>\nThe end.\n'],
    ['a page without words', 'page.html', '<p></p>\n', '<p></p>\nThe end.\n'],
    ['a table', 'sales.csv', csv, `${csv}The end.\n`],
  ])('%s', async (_, name, content, result) => {
    const { answer, bytes } = await appended(name, content)
    expect(bytes.toString()).toBe(result)
    expect(answer).toContain(`Changed \`uploads/${name}\`.`)
  })

  test.each([
    ['a last line that isn’t shown whole', 'notes.md', `one\n${long}\n`, 'too long for me'],
    ['a text that isn’t in UTF-8', 'notes.txt', Buffer.from('Gr\xfc\xdfe\r\naus K\xf6ln\r\n', 'latin1'), 'UTF-8'],
    ['a file of more than a few pages', 'notes.md', 'a line of a long file\n'.repeat(20_000), 'too long for me'],
  ])('%s is left alone', async (_, name, content, why) => {
    const { answer, bytes } = await appended(name, content)
    expect(bytes).toEqual(Buffer.from(content))
    expect(answer).toContain(why)
  })
})

describe('people', () => {
  test('are asked with options', () => {
    const { answer, calls } = talk('ask me which colour I like: red, green or blue', { ask_human: () => 'green' })
    const options = [{ label: 'red' }, { label: 'green' }, { label: 'blue' }]
    expect(calls).toEqual([{ name: 'ask_human', input: { question: 'Which colour do you like?', options } }])
    expect(answer).toContain('green')
  })

  test('are asked something', () => {
    expect(talk('ask me something', { ask_human: () => 'Tea' }).calls[0]?.input.options).toHaveLength(3)
  })

  test('decide', () => {
    const { calls } = talk('ask me to decide between a quick fix and a rewrite', { ask_decision: () => 'a rewrite' })
    expect(calls[0]?.input.options).toEqual([
      { label: 'a quick fix', recommended: true },
      { label: 'a rewrite', recommended: false },
    ])
  })
})

describe('time', () => {
  test.each([
    ['[Alarm set by ana for 2026-11-21 12:00:10 Europe/Berlin] stretch', ''],
    ['[Alarm set by ana for 2026-11-21 12:00:10 UTC; it is 3 minutes late] stretch', ' (Sorry, it is 3 minutes late.)'],
  ])('%s is said', (text, apology) => {
    expect(talk(text).answer).toBe(`Reminder: stretch${apology}`)
  })

  test('alarms are listed, and cancelled by what the list says', () => {
    const tools = { alarm_list: () => 'alarm_a1: stretch\nalarm_b2: drink', alarm_cancel: () => 'Cancelled.' }
    expect(talk('list my alarms', tools).answer).toContain('alarm_b2: drink')
    const cancelled = (text: string) =>
      talk(text, tools)
        .calls.slice(1)
        .map(({ input }) => input.alarm_id)
    expect(cancelled('cancel all alarms')).toEqual(['alarm_a1', 'alarm_b2'])
    expect(cancelled('cancel alarm_b2')).toEqual(['alarm_b2'])
    expect(talk('cancel the alarm', tools).answer).toMatch(/^Which one\?/)
  })

  test('what time it is', () => {
    expect(talk('what time is it?', { now: () => 'Saturday 12:00\nISO: x' }).answer).toBe('It is Saturday 12:00')
  })
})

describe('longer turns', () => {
  test('a plan is written down and ticked off one by one', () => {
    const { answer, calls } = talk('plan: read, write, check', { todo_write: () => 'ok' })
    const states = calls.map(({ input }) =>
      (input.todos as { status: string }[]).map(({ status }) => status[0]).join(''),
    )
    expect(states).toEqual(['ipp', 'cip', 'cci', 'ccc'])
    expect(answer).toContain('- [x] check')
  })

  test('steps are taken one after the other', () => {
    expect(talk('take 5 steps', { now: () => 'noon' })).toMatchObject({ steps: 5 })
  })

  test('counting and working are long replies', () => {
    expect(talk('count slowly to 100').answer).toContain('99 100')
    expect(talk('work for 60 seconds').answer.split(' ')).toHaveLength(61)
  })

  test('things joined by "then" are done in order and answered together', () => {
    const tools = { ...written, now: () => 'noon' }
    const { answer, calls } = talk('write hello to a.txt, then what time is it and then write bye to b.txt', tools)
    expect(calls.map(({ name }) => name)).toEqual(['write_file', 'now', 'write_file'])
    expect(answer).toMatch(/a\.txt.*\n\nIt is noon\n\n.*b\.txt/)
  })

  test('the second thing is left when the first fails', () => {
    const tools = { write_file: () => 'Error: the disk is full.', now: () => 'noon' }
    const { answer, calls } = talk('write hello to a.txt, then what time is it', tools)
    expect(calls).toHaveLength(1)
    expect(answer).toContain('the disk is full')
  })

  test('"then" inside of what is to be written stays there', () => {
    const { calls } = talk('write "now and then maybe" to a.txt', written)
    expect(calls[0]?.input.content).toBe('now and then maybe\n')
  })

  test('finishing', () => {
    expect(talk('finish with “All done.”', { finish: () => 'ok' }).calls).toEqual([
      { name: 'finish', input: { summary: 'All done.' } },
    ])
  })
})

describe('what keeps it from looping', () => {
  test('at most twelve steps, whatever was asked', () => {
    const asked = Array.from({ length: 20 }, () => 'what time is it').join(', then ')
    const talked = talk(asked, { now: () => 'noon' })
    expect(talked.steps).toBe(12)
    expect(talked.answer).toContain('I’ll stop here')
  })

  test('whatever is said and whatever the tools answer', () => {
    const words = fc.constantFrom(
      ...'please then and write find convert plan: summarise remind me every count to 100 in #a.csv to outputs/b.md "x" , with 5 minutes 然后'.split(
        ' ',
      ),
    )
    const said = fc.array(fc.oneof(words, fc.string({ unit: 'grapheme' })), { maxLength: 20 })
    const names =
      'read_file write_file edit_file list_files find_files grep_files search_file now todo_write ask_human alarm_set alarm_list'.split(
        ' ',
      )
    fc.assert(
      fc.property(said, fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (parts, results) => {
        let place = 0
        const next = () => results[place++ % results.length] ?? ''
        const talked = talk(parts.join(' '), Object.fromEntries(names.map((name) => [name, next])))
        expect(talked.steps).toBeLessThanOrEqual(12)
        expect(talked.answer).not.toBe('')
      }),
    )
  })

  test('only the beginning of a pasted book is read, and the answer says so', () => {
    const { answer } = talk(`replace ${' with'.repeat(100_000)}${' '.repeat(100_000)}`)
    expect(answer).toContain('first 2000 characters')
  })

  test.each([
    ['spaces of other kinds', '\u00a0\u3000'.repeat(1_000)],
    ['empty lines with spaces in them', '\n \r\n\t'.repeat(1_000)],
  ])('%s are no part of what is read', (_, space) => {
    const asked = withFiles(`replace Monday${space}with Friday${space}in #notes.md`, 'notes.md')
    const input = { path: 'uploads/notes.md', old_string: 'Monday', new_string: 'Friday', replace_all: true }
    expect(talk(asked, { edit_file: () => '' }).calls).toEqual([{ name: 'edit_file', input }])
  })

  test('what the program said below the words is no part of them, and much of it takes no time', () => {
    const said = '\n\n(Said on Monday)\n\n(They were told: later)'.repeat(50_000)
    expect(talk(`what time is it${said}\n`, { now: () => 'noon' }).answer).toContain('noon')
    expect(talk(`hello${said} x`).answer).toContain('first 2000 characters')
  })

  test('a tool that is not there', () => {
    expect(talk('what time is it?').answer).toContain('`now`')
  })

  test('earlier messages and their calls are over', () => {
    const earlier = [
      { role: 'user' as const, content: 'what time is it' },
      { role: 'assistant' as const, content: '', calls: [{ id: 'call_x', name: 'now', arguments: '{}' }] },
      { role: 'tool' as const, call: 'call_x', content: 'morning' },
      { role: 'assistant' as const, content: 'It is morning', calls: [] },
      { role: 'user' as const, content: 'what time is it' },
    ]
    expect(talk(earlier, { now: () => 'noon' }).answer).toBe('It is noon')
  })

  test('after a stop it continues the request, and does not repeat what was done', () => {
    const call = (id: string, name: string, input: object) => ({
      role: 'assistant' as const,
      content: '',
      calls: [{ id, name, arguments: JSON.stringify(input) }],
    })
    const interrupted = [
      { role: 'user' as const, content: 'write hello to a.txt, then what time is it' },
      call('call_a', 'write_file', { path: 'outputs/a.txt', content: 'hello' }),
      { role: 'tool' as const, call: 'call_a', content: 'Created outputs/a.txt' },
      call('call_b', 'now', {}),
      { role: 'tool' as const, call: 'call_b', content: 'Not run: ana stopped the turn.' },
      { role: 'user' as const, content: '[The program] Continue where you were interrupted.' },
    ]
    const { answer, calls } = talk(interrupted, { ...written, now: () => 'noon' })
    expect(calls).toEqual([{ name: 'now', input: {} }])
    expect(answer).toContain('It is noon')
  })

  test('asked to answer again, it does all of it again', () => {
    const answered = [
      { role: 'user' as const, content: '[ana] what time is it' },
      { role: 'assistant' as const, content: '', calls: [{ id: 'call_a', name: 'now', arguments: '{}' }] },
      { role: 'tool' as const, call: 'call_a', content: 'noon' },
      { role: 'assistant' as const, content: 'It is noon', calls: [] },
      {
        role: 'user' as const,
        content: '[The program] ana asks you to answer the last message again: take a fresh look at it.',
      },
    ]
    const { answer, calls } = talk(answered, { now: () => 'one' })
    expect(calls).toEqual([{ name: 'now', input: {} }])
    expect(answer).toBe('It is one')
  })

  test.each(['plan (1).md', 'a (b, c).md', 'plain.md'])('a file called %s is read where it is', (name) => {
    const { calls } = talk(withFiles('summarise the files', name), filesOf({ [`uploads/${name}`]: 'one' }))
    expect(calls[0]).toEqual({ name: 'read_file', input: expect.objectContaining({ path: `uploads/${name}` }) })
  })

  test('reminders of the bot are not the person', () => {
    const asked = 'what time is it\n\n<system_reminder>\nsummarise the files\n</system_reminder>'
    const now = () => 'noon\n\n<system_reminder>\nError: x\n</system_reminder>'
    expect(talk(asked, { now }).answer).toBe('It is noon')
  })
})

describe('streaming', () => {
  test('comes in words, calls and an end with usage', async () => {
    const now = { name: 'now', description: 'the time', parameters: { type: 'object' } }
    const model = practiceModel({ chunkDelayMs: 0 })
    expect(model).toMatchObject({ name: 'practice', practice: true })
    const chunks = await allOf(model.stream(asking('take 1 steps', { tools: [now] })))
    expect(chunks).toEqual([
      { kind: 'text', text: 'Step' },
      { kind: 'text', text: ' 1' },
      { kind: 'text', text: ' of' },
      { kind: 'text', text: ' 1.' },
      { kind: 'call', index: 0, name: 'now', arguments: '{}' },
      { kind: 'end', finish: 'calls', usage: { input: 33, output: 10, cached: 0 } },
    ])
  })

  test('stops in the middle of a word count with the reason of the stop', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped by ana')
    const read = async () => {
      const model = practiceModel({ chunkDelayMs: 1 })
      for await (const chunk of model.stream(asking('count to 500', { signal: stop.signal }))) {
        if (chunk.kind === 'text' && chunk.text.includes('3')) setImmediate(() => stop.abort(reason))
      }
    }
    await expect(read()).rejects.toBe(reason)
  })
})
