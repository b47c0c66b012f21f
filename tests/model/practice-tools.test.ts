import { describe, expect, test } from 'vitest'
import { situationOf } from '../../src/kit/practice/conversation.ts'
import { ran } from '../../src/kit/practice/intents/run.ts'
import { startTestBot } from '../support/bot.ts'
import { type FakeTools, talk } from '../support/practice-talk.ts'

const printed = { run_command: () => '[Exit code 0, 0.1 s]\nhello', run_script: () => '[Exit code 0, 0.1 s]\n1' }

describe('commands', () => {
  test.each([
    ['run: ls -la', 'ls -la'],
    ['run ls -la', 'ls -la'],
    ['Please run the command `git status`', 'git status'],
    ['execute: echo "a b"', 'echo "a b"'],
    ['@run_command run: ls -la', 'ls -la'],
    ['@run_command ls -la', 'ls -la'],
    ['@bobbin @run_command: ls -la', 'ls -la'],
    ['[ana] <@U123> @run_command run ls', 'ls'],
    ['run: ls | sort', 'ls | sort'],
    ['运行 ls', 'ls'],
    ['@run_command\n```bash\ncd a\nls\n```', 'cd a\nls'],
  ])('%j', (text, command) => {
    const { answer, calls } = talk(text, printed)
    expect(calls).toEqual([{ name: 'run_command', input: { command } }])
    expect(answer).toContain('```\nhello\n```\n\nExit code 0, 0.1 s.')
  })

  test('without the tool it says how to make it available', () => {
    expect(talk('run: ls').answer).toContain('write `@run_command` before')
    expect(talk('run this\n```python\n1\n```').answer).toContain('write `@run_script` before')
    expect(talk('search the web for x').answer).toContain('the tool `web_search` for that, and it isn’t available')
  })

  test.each([
    ['[Exit code 0, 0.1 s]\nhello', '```\nhello\n```\n\nExit code 0, 0.1 s.'],
    ['[Exit code 0, 0.0 s]', 'It printed nothing.\n\nExit code 0, 0.0 s.'],
    ['[Exit code 2, 0.0 s]\n[stderr]\nno such file', 'Exit code 2, 0.0 s. That isn’t 0, so something went wrong.'],
    [
      '[It was stopped after 30.0 s: it ran out of time. Ask for less at once.]\na',
      'a\n```\n\nIt was stopped after 30.0 s',
    ],
    ['no ending', '```\nno ending\n```'],
    ['[Exit code 0, 0.0 s]\n```\nfenced\n```', '````\n```\nfenced\n```\n````'],
  ])('%j is shown', (result, shown) => {
    const answer = ran('`x`', result)
    expect(answer).toMatch(/^I ran `x`\.\n\n/)
    expect(answer).toContain(shown)
  })
})

describe('scripts', () => {
  const code = 'for i in range(3):\n    if i > 1:\n        print(i)\n\n\n\nprint("then what time is it")'

  test.each([
    ['python', 'python'],
    ['py', 'python'],
    ['Python ', 'python'],
    ['js', 'node'],
    ['javascript', 'node'],
    ['bash', 'bash'],
    ['sh', 'bash'],
  ])('in a block of %s, letter by letter', (word, language) => {
    const { calls } = talk(`@run_script run this\n\`\`\`${word}\n${code}\n\`\`\``, printed)
    expect(calls).toEqual([{ name: 'run_script', input: { language, code } }])
    expect(talk(`\`\`\`${word}\n${code}\n\`\`\`\nexecute that, please`, printed).calls).toEqual(calls)
  })

  test.each(['', 'rust', 'constructor'])('%j is no language, and it asks', (word) => {
    const { answer, calls } = talk(`run this\n\`\`\`${word}\n${code}\n\`\`\``, printed)
    expect([answer, calls]).toEqual([expect.stringContaining('Which language'), []])
  })

  test('half a command is not run', () => {
    const long = `run this\n\`\`\`python\n${'print(1)\n'.repeat(300)}\`\`\``
    const { answer, calls } = talk(long, printed)
    expect([answer, calls]).toEqual([expect.stringContaining('no whole block'), []])
    expect(answer).toContain('(I only read the first 2000 characters of that.)')
  })
})

describe('the web', () => {
  test.each([
    ['fetch https://example.com/a?b=c', { url: 'https://example.com/a?b=c' }],
    ['please open <https://example.com/>.', { url: 'https://example.com/' }],
    ['show me http://example.com/x.html, please', { url: 'http://example.com/x.html' }],
    ['download https://example.com/x.pdf', { url: 'https://example.com/x.pdf', as: 'file' }],
  ])('%s', (text, input) => {
    const page = '<data source="the page https://example.com">\n[https://example.com: text/html]\nHello\n</data>'
    const { answer, calls } = talk(text, { web_fetch: () => page })
    expect(calls).toEqual([{ name: 'web_fetch', input }])
    expect(answer).toContain('text/html]\nHello\n```')
    expect(answer).not.toContain('<data')
  })

  test.each([
    ['search the web for durable bots', 'durable bots'],
    ['Search online for "durable bots".', 'durable bots'],
    ['google durable bots', 'durable bots'],
    ['在网上搜索 机器人', '机器人'],
  ])('%s', (text, query) => {
    const { answer, calls } = talk(text, { web_search: () => '1. A page\n   https://a.example' })
    expect(calls).toEqual([{ name: 'web_search', input: { query } }])
    expect(answer).toContain('1. A page')
  })

  test('what is in the files is still searched there', () => {
    expect(talk('search for "web" in the files', { search_file: () => 'x' }).calls[0]?.name).toBe('search_file')
  })
})

describe('a no', () => {
  const results: [string, string, string][] = [
    ['Cancelled: ana denied this: not today', 'not approved', '> Cancelled: ana denied this: not today'],
    ['Cancelled: nobody decided in time.', 'not approved', 'in time'],
    ['Corrected: ana said no. Do this instead: use ls', 'told what to do instead', '> Corrected: ana'],
    ['Forbidden by rule: It is an internal host.', 'A rule forbids that', 'internal host'],
    ['Error: there is no bubblewrap.', '`run_command` failed', 'bubblewrap'],
    ['Unknown outcome: this was started', 'can’t tell', 'this was started'],
  ]

  test.each(results)('%s is told as it is, labelled or not', (result, words, quoted) => {
    for (const content of [result, `<data source="the output of rm x">\n${result}\n</data>`]) {
      const tools: FakeTools = { run_command: () => content }
      const { answer, calls } = talk('run: rm x, then run: ls', tools)
      expect(calls).toHaveLength(1)
      expect(answer).toContain(words)
      expect(answer).toContain(quoted)
      expect(answer).not.toContain('<data')
    }
  })
})

test('it knows what it could load, whatever a server says of its tools', () => {
  const lines = ['- mcp__a-b__fix: Fixes issue #12.', '- web_search: Searches.', '', '# Answers', '- not: one.']
  const content = ['# Trust', '- nor: this.', '', '# More tools', 'Load one.', ...lines].join('\n')
  const { tools } = situationOf({ messages: [{ role: 'system', content }], tools: [] })
  expect([...tools]).toEqual(['mcp__a-b__fix', 'web_search'])
})

test('help lists all of it', () => {
  const { answer } = talk('help')
  for (const example of ['@run_command run: ls -la', '@run_script run this', 'fetch https://', 'search the web for'])
    expect(answer).toContain(`- ${example}`)
})

test('through the whole bot: asked, denied, and told plainly', async () => {
  const bot = await startTestBot()
  const { conversation } = await bot.chat.say('run: rm -rf build', { user: 'ana' })
  await bot.chat.say('@run_command run: rm -rf build', { user: 'ana', conversation })
  const [request] = await bot.chat.requests()
  expect(request).toMatchObject({ kind: 'approval', tool_name: 'run_command', tool_input: { command: 'rm -rf build' } })
  await bot.chat.answer(request?.id ?? '', { decision: 'deny', instead: 'only list it', user_id: 'ben' })
  const complete = await bot.chat.until(
    conversation,
    (event) => event.type === 'complete' && event.data.content.includes('left that alone'),
  )
  expect(complete.data).toMatchObject({ content: expect.stringContaining('Do this instead: only list it') })
})

test('where the closed sandbox is too strict, it asks once for what it needs', () => {
  const closed =
    '[Exit code 1, 0.1 s]\n[This ran in the closed sandbox, because nobody approved exactly this call: it has no network. If it needs more, call it again with needs: ["network"]; a person will be asked.]'
  const { calls, answer } = talk('@run_command run: curl https://a.example', { run_command: () => closed })
  expect(calls.map(({ input }) => input)).toEqual([
    { command: 'curl https://a.example' },
    { command: 'curl https://a.example', needs: ['network'] },
  ])
  expect(answer).toContain('something went wrong')
})

test('what the program remarks below a message is no part of what runs', () => {
  const remarks =
    '(They were told: I don’t know `@run_comand`. Did you mean `@run_command`?)\n\n(Said on 1 Mar 2026, 09:00.)'
  const { calls } = talk(`@run_comand run: ls\n\n${remarks}`, { run_command: () => '[Exit code 0, 0.1 s]\nnotes' })
  expect(calls.map(({ input }) => input)).toEqual([{ command: 'ls' }])
})
