import { describe, expect, test } from 'vitest'
import { byWords } from '../../src/capabilities/agents/by-words.ts'
import { summed } from '../../src/capabilities/agents/numbers.ts'
import { sectionOf } from '../../src/capabilities/agents/prompt.ts'
import { agentsSection } from '../../src/capabilities/agents/settings.ts'
import { narrowingOf } from '../../src/capabilities/agents/stack.ts'
import type { SessionId, TurnId } from '../../src/domain/ids.ts'
import type { Tool } from '../../src/domain/tool.ts'
import type { AgentRunFacts } from '../../src/store/agents.ts'
import type { Session } from '../../src/store/sessions.ts'
import type { StoredTurn } from '../../src/store/turns.ts'
import { compileRules } from '../../src/trust/rules.ts'
import { stricterRules } from '../../src/trust/stricter.ts'
import { shippedConfig } from '../support/shipped.ts'

const work = { description: 'Works.', prompt: 'Work.' }
const off = { hand_over: false, by_words: false, by_meaning: false, routes: {} }
const settingsWith = (agents: object, rest: object = {}) => agentsSection.schema.parse({ ...off, agents, ...rest })
const faultsOf = (agents: object, rest: object = {}) =>
  agentsSection.schema.safeParse({ ...off, agents, ...rest }).error?.issues.map(({ message }) => message)

const turn = { id: 'trn_1' } as unknown as StoredTurn
const threadOf = (stack: string[], more: object = {}) =>
  ({ agents: { stack, chosen: true, step: 0, ...more } }) as unknown as Session
const tools = [
  { name: 'read_file', kind: 'run' },
  { name: 'read_history', kind: 'run' },
  { name: 'run_command', kind: 'run' },
  { name: 'ask_human', kind: 'ask' },
  { name: 'mcp__tracker__find', kind: 'run', server: 'tracker' },
  { name: 'tickets', kind: 'run', server: 'tickets' },
  { name: 'skill', kind: 'run', skillOf: () => 'pdf' },
] as unknown as Tool[]

describe('the tools of an agent', () => {
  const settings = settingsWith({
    all: work,
    read: { ...work, tools: ['read_*'] },
    servers: { ...work, tools: ['run_command'], mcp_servers: ['tracker'] },
    skilled: { ...work, tools: [], skills: ['pdf'] },
    off: { ...work, tools: [], enabled: false },
  })
  test.each([
    [['all'], tools.map(({ name }) => name)],
    [['read'], ['read_file', 'read_history', 'ask_human']],
    [['servers'], ['run_command', 'ask_human', 'mcp__tracker__find']],
    [['skilled'], ['ask_human', 'skill']],
    [
      ['read', 'all'],
      ['read_file', 'read_history', 'ask_human'],
    ],
    [['read', 'servers'], ['ask_human']],
    [['off', 'gone', 'all'], tools.map(({ name }) => name)],
  ])('%j', (stack, names) => {
    const { has } = narrowingOf(threadOf(stack), turn, settings) ?? {}
    expect(tools.filter((tool) => has?.(tool)).map(({ name }) => name)).toEqual(names)
  })

  test('a subagent whose agent is gone has none: it would have more than it was given', () => {
    const parent = { name: 'subagent-00000000' }
    const narrowing = narrowingOf({ ...threadOf(['off', 'all']), parent } as Session, turn, settings)
    expect(narrowing?.has).toBeDefined()
    expect(tools.filter((tool) => narrowing?.has?.(tool))).toEqual([])
  })

  test('its steps count from where it took over', () => {
    const session = threadOf(['all'], { turn: 'trn_1', step: 7 })
    expect(narrowingOf(session, turn, settings)).toMatchObject({ steps: 17 })
    expect(narrowingOf(session, { ...turn, id: 'trn_2' as TurnId }, settings)).toMatchObject({ steps: 10 })
  })

  test('a thread without agents is left alone, unless the bot itself may hand it over', () => {
    const plain = {} as Session
    expect(narrowingOf(plain, turn, settings)).toBeUndefined()
    const { has } = narrowingOf(plain, turn, settingsWith({ all: work }, { hand_over: true })) ?? {}
    const named = (name: string) => ({ name, kind: 'run' }) as unknown as Tool
    expect(['transfer_to_all', 'transfer_back', 'read_file'].filter((name) => has?.(named(name)))).toEqual([
      'transfer_to_all',
      'read_file',
    ])
  })
})

test('an agent is told what it lacks, and nothing that it has', () => {
  const { agents } = settingsWith({
    all: work,
    reader: { ...work, tools: ['read_file'] },
    loader: { ...work, tools: ['skill'], skills: ['pdf'] },
    skilled: { ...work, skills: ['pdf'] },
    unskilled: { ...work, skills: [] },
  })
  const told = (names: string[], parent?: object) => {
    const stack = names.flatMap((name) => agents.get(name) ?? [])
    const [agent] = stack.slice(-1)
    const { text = '' } = agent === undefined ? {} : sectionOf(agent, stack, { parent } as unknown as Session)
    return text.split('\n').slice(2)
  }
  const fewer =
    'You have fewer tools than the thread. If the work needs another one, hand over if you can, or say what is missing.'
  const back = 'People get Bobbin itself back by saying `agents off`.'
  expect(told(['all'])).toEqual([back])
  expect(told(['all'], {})).toEqual([])
  expect(told(['reader'])).toEqual(['You can’t load skills.', fewer, back])
  expect(told(['reader', 'all'])).toEqual(['You can’t load skills.', fewer, back])
  expect(told(['loader'])).toEqual(['You can load only these skills: pdf.', fewer, back])
  expect(told(['skilled'])).toEqual(['You can load only these skills: pdf.', back])
  expect(told(['unskilled'], {})).toEqual([
    'You can’t load skills.',
    'You have fewer tools than the thread. If the task needs another one, say what is missing.',
  ])
})

test('mistakes in the file are reported', () => {
  expect(faultsOf({ Coder: work })?.[0]).toContain('Invalid key')
  expect(faultsOf({ agent: work })).toEqual(['@agent means something else'])
  expect(faultsOf({ a: { ...work, transfers_to: ['b'] } })).toEqual(['there is no agent called "b"'])
  expect(faultsOf({ a: { ...work, rules: { deny: { run_command: ['/(/'] } } } })?.[0]).toContain('(')
  const routes = (route: object) => faultsOf({ a: work, b: work }, { routes: { r: route } })
  expect(routes({ words: ['x'], agents: ['c'] })).toEqual(['there is no agent called "c"'])
  expect(routes({ words: ['x'], agents: ['a', 'b'] })).toEqual(['one agent can get the thread; or set how'])
  expect(routes({ how: 'chain', agents: ['a', 'b'] })).toEqual(['nothing chooses it: it needs words, or for'])
  expect(faultsOf({ a: { ...work, rules: { allow: ['run_command'] } } })?.[0]).toContain('allow')
})

test('its rules only add to those of the bot', () => {
  const rules = compileRules(shippedConfig().rules)
  const more = { ask: ['todo_write'], deny: { write_file: ['secret*'], run_command: ['rm *'] } }
  const stricter = (tool: string) => stricterRules(rules, more, tool).tools.get(tool)
  expect(stricter('todo_write')).toMatchObject({ mode: 'confirm', allow: [], approvals: true })
  expect(stricter('write_file')?.deny.map((one) => one.fits('secret.txt'))).toEqual([true])
  const [before, now] = [rules.tools.get('run_command'), stricter('run_command')]
  expect(now?.deny).toHaveLength((before?.deny.length ?? 0) + 1)
  expect(now).toMatchObject({ allow: before?.allow ?? [] })
  expect(rules.tools.has('todo_write')).toBe(false)
})

test('a * at the end of a tool’s name in its rules matches any ending, also of tools that have a rule', () => {
  const rules = compileRules(shippedConfig().rules)
  expect(rules.tools.get('web_fetch')?.mode).toBe('auto')
  const more = { ask: ['web_*'], deny: { 'mcp__crm__*': ['*drop*'], mcp__crm__find: ['*all*'] } }
  const stricter = (tool: string, all = more) => stricterRules(rules, all, tool).tools.get(tool)
  expect(stricter('web_fetch')).toMatchObject({ mode: 'confirm', allow: [] })
  expect(stricter('webs')).toBeUndefined()
  const forbids = (tool: string, text: string) => stricter(tool)?.deny.some((one) => one.mayFit(text))
  expect(forbids('mcp__crm__delete', '{"what":"drop"}')).toBe(true)
  expect(forbids('mcp__crm__find', '{"what":"drop"}')).toBe(true)
  expect(forbids('mcp__crm__find', '{"what":"all"}')).toBe(true)
  expect(forbids('mcp__crm__delete', '{"what":"all"}')).toBe(false)
  const everything = { ask: ['*'], deny: {} }
  for (const tool of ['web_fetch', 'run_command', 'write_file'])
    expect(stricterRules(rules, everything, tool).tools.get(tool)).toMatchObject({ mode: 'confirm', allow: [] })
})

test('the agent or route with the most of its words in a message is chosen', () => {
  const all = {
    coder: { ...work, triggers: ['bug', 'code'] },
    reviewer: { ...work, triggers: ['code', 'review', '审查', '검토'] },
    off: { ...work, triggers: ['review', 'code', 'this'], enabled: false },
  }
  const routes = {
    both: { words: ['code', 'from both sides'], how: 'parallel', agents: ['coder', 'reviewer'] },
    gone: { words: ['code', 'from', 'sides'], how: 'chain', agents: ['coder', 'off'] },
  }
  const settings = settingsWith(all, { by_words: true, routes })
  const chosen = (text: string, by = settings) => byWords(text, by)?.choice.name
  expect(chosen('Review this code!')).toBe('reviewer')
  expect(chosen('The code, please')).toBe('both')
  expect(chosen('This bug in the code')).toBe('coder')
  expect(chosen('请审查一下')).toBe('reviewer')
  expect(chosen('이 문서를 검토해 주세요')).toBe('reviewer')
  expect(chosen('bugs in encodings')).toBeUndefined()
  expect(chosen('a bug', settingsWith(all, { routes }))).toBeUndefined()
  expect(chosen('Code from both sides', settingsWith(all, { routes }))).toBe('both')
})

test('the numbers of agents', () => {
  const run = (agent: string, more: Partial<AgentRunFacts>): AgentRunFacts => ({
    ...{ session: 'ses_1' as SessionId, agent, version: '1', startedAt: 1_000, endedAt: 5_000, handedOver: false },
    ...{ turn: 'done', waitedMs: 0, nanos: 10, ...more },
  })
  expect(
    summed([
      run('a', {}),
      run('a', { turn: 'failed', waitedMs: 3_000 }),
      run('a', { turn: 'failed', handedOver: true, endedAt: 2_000 }),
      run('a', { turn: 'waiting', endedAt: undefined, startedAt: 9_000 }),
      run('b', { turn: 'stopped' }),
    ]),
  ).toEqual([
    { agent: 'a', runs: 4, succeeded: 2, failed: 1, stopped: 0, open: 1, meanMs: 2_000, nanos: 40, lastAt: 9_000 },
    { agent: 'b', runs: 1, succeeded: 0, failed: 0, stopped: 1, open: 0, meanMs: 4_000, nanos: 10, lastAt: 1_000 },
  ])
})
