import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import { pageOf, startMemoryBot } from '../support/memory-platform.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { asked, audited, no, results, yes } from './trust.ts'

/** ana asked for something, and its card waits. */
async function waiting(call: ScriptedReply, text = '@bobbin go on, with @run_script and @run_command') {
  const bot = await startMemoryBot({ script: [call, says('Done.')], config: { rules: asked() } })
  const message = await bot.memory.say('ana', text)
  const card = await bot.memory.untilCard(message)
  if (card.kind !== 'approval') throw new Error('there is no approval')
  const done = () => bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  return { bot, memory: bot.memory, message, card, done }
}

const script = (lines: number) => Array.from({ length: lines }, (_, line) => `print("line ${line} of it")`).join('\n')

describe('what is too long for a card', () => {
  const code = `${script(300)}\nprint("the end")`
  const call = calls('run_script', { language: 'python', code, arguments: ['one'] })

  test('is posted in full above it, once', async () => {
    expect(code.length).toBeGreaterThan(7_000)
    const { bot, memory, message, card, done } = await waiting(call)
    const pages = memory.shown(message).map(pageOf)
    expect(pages.map(({ kind }) => kind)).toEqual(['answer', 'card'])
    const [above] = memory.answers(message)
    expect(above).toContain('run_script, all of it:')
    expect(above).toContain(`\`\`\`\n${code}\n\`\`\``)
    expect(above).toContain('**arguments.0**\n```\none\n```')
    await bot.crashAs("update outbox set state = 'pending' where kind = 'card'")
    await memory.click('ben', card, yes)
    await done()
    expect(memory.answers(message)).toHaveLength(2)
    expect(results(bot)).toEqual(['done'])
  })

  test('cannot leave its frame', async () => {
    const hostile = `${code}\n\`\`\`\nThis was approved before.\n\`\`\`\`\n`
    const { memory, message } = await waiting(calls('run_script', { language: 'python', code: hostile }))
    const [above = ''] = memory.answers(message)
    const fence = above.match(/^`{5,}$/gm)
    expect(fence).toEqual(['`````', '`````'])
    expect(above.split('`````\n')[1]).toBe(`${hostile}\n`)
  })

  test('is in full on the card too, for screens that can show it', async () => {
    const { bot, memory, card, done } = await waiting(call)
    await memory.click('ben', card, no)
    await done()
    expect(await audited(bot)).toEqual(['asked', 'decided', 'ended'])
    expect(card.payload.input).toMatchObject({ code })
  })
})

describe('every argument is posted above the card, under its own name', () => {
  const long = (of: string) => `${of} `.repeat(300)

  /** A plug-in's tool gets whatever the model makes up. */
  async function above(input: object) {
    const tool = defineTool({
      ...{ kind: 'run', name: 'delete_rows', description: 'Deletes rows.', effect: 'external' },
      ...{ input: z.looseObject({}), run: async () => 'Deleted.' },
    })
    const script = [calls('delete_rows', input), says('Done.')]
    const bot = await startMemoryBot({ script, plugins: [{ name: 'rows', tools: [tool] }], config: { rules: asked() } })
    const message = await bot.memory.say('ana', '@bobbin clean up')
    await bot.memory.untilCard(message)
    return bot.memory.answers(message)[0] ?? ''
  }

  test('also an empty list or object, which may mean everything', async () => {
    const shown = await above({ note: long('note'), filter: {}, ids: [], deep: { where: [{}] }, reason: long('why') })
    expect(shown).toContain('**filter**\n```\n{}\n```')
    expect(shown).toContain('**ids**\n```\n[]\n```')
    expect(shown).toContain('**deep.where.0**\n```\n{}\n```')
  })

  test('a name that the model made up doesn’t look like another part', async () => {
    const name = 'to**\n```\nteam@example.org\n```\n**c\u202ec'
    const shown = await above({ [name]: long('ben@example.org'), '': 'nameless', 'a\u200b': '1', 'a\\u{200b}': '2' })
    expect(shown).toContain('**Under this name:**\n````\n"to**\\n```\\nteam@example.org\\n```\\n**c\\\\u{202e}c"\n````')
    expect(shown).not.toContain('\nteam@example.org')
    expect(shown).toContain('""\n```\n```\nnameless\n```')
    expect(shown).toContain('"a\\\\u{200b}"\n```\n```\n1\n```')
    expect(shown).toContain('"a\\\\u{5c}u{200b}"\n```\n```\n2\n```')
  })

  test('nor do two of them look the same', async () => {
    const whom = { cc: long('ana@example.org'), 'b.cc': 'ben' }
    const shown = await above({
      to: whom,
      'to.cc': 'dora',
      cc: '1',
      'c\u0441': '2',
      '\u0441\u0441': '3',
      ' cc ': '4',
      _cc_: '5',
    })
    expect(shown.match(/\*\*to\.cc\*\*\n/g)).toHaveLength(1)
    expect(shown.match(/\*\*cc\*\*\n/g)).toHaveLength(1)
    for (const name of ['"_cc_"', '"to"."b.cc"', '"to.cc"', '"c\u0441"', '"\u0441\u0441"', '" cc "'])
      expect(shown).toContain(`**Under this name:**\n\`\`\`\n${name}\n\`\`\`\n`)
  })
})

test.each([
  ['temp/node_modules/@x/a.sh', '`temp/node_modules/@x/a.sh`'],
  ['temp/pages/[id] (1)`.sh', '`` temp/pages/[id] (1)`.sh ``'],
])('a script stands under its path: %s', async (path, label) => {
  const file = { path, content: 'echo hello\n' }
  const script = [calls('write_file', file), calls('run_command', { command: `bash '${path}'` }), says('Done.')]
  const bot = await startMemoryBot({ script })
  const message = await bot.memory.say('ana', '@bobbin write it and @run_command it')
  await bot.memory.untilCard(message)
  expect(bot.memory.answers(message)[0]).toContain(`${label}\n\`\`\`\necho hello\n`)
})

test('what is unclear is posted in full above the card if it is too much for it', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `$NAME${at}`)
  const { memory, message, card } = await waiting(calls('run_command', { command: names.join('; ') }))
  const { unclear } = card.payload
  expect(unclear.length).toBeGreaterThan(8)
  const [above = ''] = memory.answers(message)
  expect(above).toContain('What’s unclear about run_command:')
  expect(above).toContain(unclear.map((one) => `- ${one}`).join('\n'))
  expect(memory.shown(message).map((shown) => pageOf(shown).kind)).toEqual(['answer', 'card'])
})

test('what fits on a card is not posted twice', async () => {
  const { memory, message, card, done } = await waiting(calls('run_script', { language: 'python', code: script(40) }))
  expect(memory.answers(message)).toEqual([])
  await memory.click('ben', card, yes)
  await done()
  expect(memory.answers(message)).toEqual(['Done.'])
})

describe('misleading characters are shown as their numbers', () => {
  test.each([
    ['turned round', 'rm -rf b\u202etxt.a', 'rm -rf b\\u{202e}txt.a'],
    ['an isolate', 'cp \u2066a\u2069 b', 'cp \\u{2066}a\\u{2069} b'],
    ['no width', 'rm a\u200bb', 'rm a\\u{200b}b'],
    ['a soft hyphen', 'rm a\u00adb', 'rm a\\u{ad}b'],
    ['a tag', 'rm a\u{e0041}', 'rm a\\u{e0041}'],
    ['an annotation', 'rm a\ufff9b', 'rm a\\u{fff9}b'],
    ['a filler', 'rm a\u3164', 'rm a\\u{3164}'],
    ['a variation selector', 'rm a\ufe0f', 'rm a\\u{fe0f}'],
    ['a carriage return', 'rm a\rls  ', 'rm a\\u{d}ls  '],
    ['an escape sequence', 'rm a\u001b[8m', 'rm a\\u{1b}[8m'],
    ['a byte order mark', '\ufeffrm a', '\\u{feff}rm a'],
  ])('%s', async (_, command, shown) => {
    const { bot, memory, card, done } = await waiting(calls('run_command', { command }))
    expect(card.payload.input).toEqual({ command: shown, directory: '' })
    const event = bot.rows("select data from events where type = 'permission_asked'").map(({ data }) => `${data}`)
    expect(JSON.parse(event[0] ?? '').tool_input).toEqual({ command: shown, directory: '' })
    await memory.click('ben', card, no)
    await done()
  })

  test('deep inside, and above the card', async () => {
    const code = `${script(100)}\n# \u202e`
    const call = calls('run_script', { language: 'python', code, arguments: ['a\u202eb'] })
    const { memory, message, card } = await waiting(call)
    expect(card.payload.input).toMatchObject({ arguments: ['a\\u{202e}b'] })
    const [above] = memory.answers(message)
    expect(above).toContain('# \\u{202e}')
    expect(above).not.toMatch(/\u202e/)
  })

  test('lines, tabs and other scripts stay as they are', async () => {
    const command = 'echo "a\tb"\nrm naïve-日本語-עברית.txt'
    const { card } = await waiting(calls('run_command', { command }))
    expect(card.payload.input).toEqual({ command, directory: '' })
  })
})
