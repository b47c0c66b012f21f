import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { policyCommand } from '../../src/cli/policy.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Tool } from '../../src/domain/tool.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { createTurn } from '../../src/store/turns.ts'
import { compileRules, type RulesFile } from '../../src/trust/rules.ts'
import { judgeCall } from '../../src/trust/verdict.ts'
import { builtinTools } from '../../src/wiring/capabilities.ts'
import { shippedConfig } from '../support/shipped.ts'
import { newSession, openStore, scratch } from '../support/store.ts'
import { place } from '../workspace/support.ts'
import { bobbinHere as bobbin } from './support.ts'

const shipped = (): RulesFile => shippedConfig().rules

function explained(name: string, input: object, { untrusted = false, rules = shipped() } = {}): string {
  const tool = builtinTools.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return explain(tool, tool.input.parse(input) as never, compileRules(rules), untrusted).join('\n')
}

describe('policy explain', () => {
  test.each([
    ['run_command', { command: 'rm -rf build' }, 'ASK', 'the tool’s own check, commands[0]', 'high'],
    ['run_command', { command: 'echo hello' }, 'ALLOW', 'the tool’s rules, tools.run_command.allow', 'medium'],
    ['run_command', { command: 'make' }, 'ASK', 'the tool’s own check, unclear', 'medium'],
    ['run_command', { command: 'touch x' }, 'ASK', 'the tool’s rules, tools.run_command.mode', 'medium'],
    ['run_command', { command: 'npm ci', needs: ['network'] }, 'DENY', 'the tool’s own check, needs', 'medium'],
    ['run_command', { command: 'cat x | sh' }, 'ASK', 'the tool’s own check, unclear', 'high'],
    [
      'write_file',
      { path: 'outputs/a.txt', content: 'drop table x' },
      'ASK',
      'patterns everywhere, everywhere[2]',
      'high',
    ],
    ['write_file', { path: 'outputs/a.txt', content: 'x' }, 'ALLOW', 'effect, defaults.write', 'medium'],
    ['write_file', { path: 'uploads/a.txt', content: 'x' }, 'ASK', 'the tool’s own check, uploads', 'medium'],
    ['read_file', { path: 'uploads/a.txt' }, 'ALLOW', 'effect, defaults.read', 'medium'],
    ['web_fetch', { url: 'http://localhost/x' }, 'DENY', 'the tool’s own check, addresses[0]', 'high'],
    ['http_fetch', { url: 'http://10.0.0.1/x' }, 'DENY', 'the tool’s own check, addresses[0]', 'high'],
    ['http_fetch', { url: 'https://api.a.example' }, 'ASK', 'the tool’s own check, addresses[1]', 'medium'],
    ['http_fetch', { url: 'https://a.example' }, 'ASK', 'effect, defaults.external', 'medium'],
    [
      'http_fetch',
      { url: 'https://a.example', body: 'password=h4ckable!' },
      'ASK',
      'patterns everywhere, everywhere[0]',
      'critical',
    ],
  ])('%s %j: %s', (name, input, verdict, rule, risk) => {
    const text = explained(name, input)
    expect(text.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(new RegExp(`^${verdict}: `)),
      `Decided by: ${rule} in hitl_rules.yaml`,
      expect.stringMatching(/^Reason: .+\.$/),
      `Risk: ${risk}`,
    ])
  })

  test.each<[string, object]>([
    ['ALLOW', {}],
    ['ASK', { method: 'POST' }],
    ['ASK', { url: 'https://b.example/x' }],
    ['ASK', { headers: { authorization: `Bearer \${TOKEN}` } }],
    ['ALLOW', { headers: { authorization: `Bearer \${OTHER}` } }],
    ['DENY', { url: `https://a.example/\${ROOT}` }],
  ])('a rule about requests names method, address and secrets: %s %j', (verdict, more) => {
    const allow = ['GET https://a.example/*', `\${OTHER} to a.example`]
    const http_fetch = { approvals: true, risk: 'medium' as const, allow, deny: [`\${ROOT} to *`] }
    const rules = { ...shipped(), tools: { ...shipped().tools, http_fetch } }
    expect(explained('http_fetch', { url: 'https://a.example/x', ...more }, { rules })).toMatch(
      new RegExp(`^${verdict}: `),
    )
  })

  test('says of a call what a turn would hear of it', async () => {
    const store = await openStore()
    const session = await newSession(store)
    const turn = await store.transaction((tx) => {
      const asked = { person: session.person, timeZone: 'UTC' }
      return createTurn(tx, session.id, 1, asked)
    })
    const { workspace } = await place()
    const rules = compileRules(shipped())
    const deps = {
      rules,
      store,
      session,
      turn,
      tools: builtinTools,
      workspace,
      sandbox: openSandbox(),
      isMember: async () => false,
    }
    const inputs: [string, object][] = [
      ['run_command', { command: 'rm -rf build && echo "password=hunter22secret"' }],
      ['run_command', { command: 'cat /etc/passwd > out.txt', directory: 'temp' }],
      ['run_command', { command: 'pip install x; git clone https://a.example/b' }],
      ['run_script', { language: 'bash', code: 'if true; then rm -r -f x; fi' }],
      ['write_file', { path: 'outputs/a.sql', content: 'DROP TABLE people' }],
      ['edit_file', { path: 'outputs/a.txt', old_string: 'a', new_string: 'api_key = abcdefgh1234' }],
      ['multi_edit', { path: 'a.txt', edits: [{ old_string: 'a', new_string: '/etc/shadow' }] }],
      ['web_fetch', { url: 'https://api.example.com/' }],
      ['web_search', { query: 'drop database x' }],
      ['alarm_set', { at: 'in 1 hour', message: 'look' }],
    ]
    for (const [name, input] of inputs) {
      const tool = builtinTools.find((one) => one.name === name) as Tool
      const parsed = tool.input.parse(input) as never
      const { verdict } = await judgeCall(tool, parsed, { ...deps, call: newId('call'), now: 0, fileBytes: 1_000 })
      const [kind, rule, reason, risk] = explained(name, input).split('\n')
      expect([kind?.split(':')[0]?.toLowerCase(), rule, reason, risk], JSON.stringify(input)).toEqual([
        verdict.kind,
        `Decided by: ${verdict.rule.layer}, ${verdict.rule.name} in hitl_rules.yaml`,
        `Reason: ${verdict.reason}`,
        `Risk: ${verdict.risk}`,
      ])
    }
  })

  test('says who decides, what “always” would allow, and what was seen', () => {
    const text = explained('run_command', { command: 'touch x; python3 tools/x.py > uploads/a.txt' })
    expect(text).toContain('Who decides: the people in this thread or the operator (team)')
    expect(text).toContain('“Always” can hold for exactly this call: touch x; python3 tools/x.py > uploads/a.txt')
    expect(text).not.toContain('wider')
    const wide = 'in this thread, until tomorrow: anything in the closed sandbox'
    expect(explained('run_command', { command: 'touch x' })).toContain(`“Always” can hold wider, ${wide}`)
    expect(explained('run_command', { command: 'git status' })).toContain(`\n“Always” can hold ${wide}`)
    expect(explained('run_command', { command: 'ls' })).toContain('\nIt runs in the closed sandbox: ')
    expect(text).toContain('Programs:\n  touch: touch x\n  python3: python3 tools/x.py\n')
    expect(text).toContain('Writes to:\n  > uploads/a.txt')
    expect(text).toContain('Files that it runs:\n  tools/x.py')
    expect(text).toContain('Assumed: uploads/a.txt was uploaded by a person.')
  })

  test('never offers exactly this call for what cannot be told, and says what that is', () => {
    const text = explained('run_script', { language: 'python', code: 'print(1)' })
    expect(text).not.toContain('exactly this call')
    expect(text).toMatch(/Unclear:\n {2}what a Python script does is not known/)
  })

  test('untrusted content changes what could send something out, and nothing else', () => {
    const page = { url: 'https://a.example/' }
    expect(explained('web_fetch', page)).toMatch(/^ALLOW: /)
    const text = explained('web_fetch', page, { untrusted: true })
    expect(text).toMatch(/^ASK: /)
    expect(text).toContain('Decided by: untrusted content, untrusted')
    expect(explained('read_file', { path: 'a' }, { untrusted: true })).toMatch(/^ALLOW: /)
  })

  test('reports several deciders, later ones, and rules about use', () => {
    const rules = shipped()
    const use = [{ tools: ['run_command'], people: ['group:ops'], channels: ['C1'] }]
    const owners = {
      who: ['group:owners'],
      asker: false,
      needed: 2,
      next: { after_ms: 60_000, decider: 'team' },
      deny_ms: 3_600_000,
    }
    const changed = {
      ...rules,
      use,
      deciders: { ...rules.deciders, owners },
      decide: { ...rules.decide, high: 'owners' },
    }
    const text = explained('run_command', { command: 'rm -rf x' }, { rules: changed })
    expect(text).toContain(
      'Who decides: 2 of group owners, but not the person who asked (owners); after 60 s team instead; after 3600 s it is denied',
    )
    expect(text).toContain('“Always” isn’t offered')
    expect(text).toContain('Use is limited to: people: group ops; channels: C1')
  })

  test('nothing in the arguments reaches the terminal as a control', () => {
    const text = explained('run_command', { command: 'echo "\u001b[2J\u202e"' })
    expect([text.includes('\u001b'), text.includes('\u202e'), text.includes('echo')]).toEqual([false, false, true])
  })

  test('a question is not the policy’s', () => {
    expect(explained('ask_human', { question: 'Which?' })).toMatch(/^ask_human runs nothing/)
  })

  test.each([
    [['explain', 'nope', '{}'], 'There is no tool "nope". There are: read_file,'],
    [['explain', 'run_command', '{command'], 'The arguments are not JSON'],
    [['explain', 'run_command', '{"cmd": "x"}'], 'The arguments do not fit run_command: command:'],
    [['explain', 'run_command'], 'Give the name of a tool and its arguments'],
    [['explain', 'now', '{}', '--trusted'], '--trusted'],
    [['check'], 'What should I explain?'],
  ])('%j is a mistake', async (args, message) => {
    await expect(policyCommand(args)).rejects.toMatchObject({
      name: 'UsageFault',
      message: expect.stringContaining(message),
    })
  })

  test('the command line prints it, and exits with 2 for a mistake', async () => {
    const directory = await scratch()
    const good = await bobbin(
      directory,
      'policy',
      'explain',
      'run_command',
      '{"command": "rm -rf build"}',
      '--untrusted',
    )
    expect(good).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^ASK: .*\nDecided by: .*commands\[0\]/),
    })
    const bad = await bobbin(directory, 'policy', 'explain', 'run_command', 'rm -rf build')
    expect(bad).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Quote them for your shell') })
  })
})

test('explains tools of plans and agents before there is a database, and makes none', async () => {
  const dataDir = await scratch()
  const step = { what: 'Look', gives: 'What there is' }
  const plan = JSON.stringify({ title: 'A plan', confidence: 90, steps: [step] })
  for (const [tool, input, verdict] of [
    ['make_plan', plan, 'ALLOW'],
    ['transfer_to_coder', '{"why":"It is code."}', 'ALLOW'],
  ] as const) {
    const { code, out } = await bobbin(dataDir, 'policy', 'explain', tool, input)
    expect([tool, code, out]).toEqual([tool, 0, expect.stringContaining(verdict)])
  }
  expect(await readdir(dataDir)).toEqual([])
})
