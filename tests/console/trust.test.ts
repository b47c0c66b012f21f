import { describe, expect, test } from 'vitest'
import { completionAt } from '../../src/platforms/console/public/completion.js'
import { visibleText } from '../../src/platforms/console/public/format.js'
import { choiceWords, reachOf } from '../../src/platforms/console/public/grant-words.js'
import { whatOf, whoOf } from '../../src/platforms/console/public/trust-words.js'
import { acted, asked, completed, history, observed, posted, replied, said, started, threadAfter } from './history.ts'

const ids = { turn_id: 'turn_1', request_id: 'req_1', call_id: 'call_1' } as const
const ben = { id: 'ben', name: 'Ben' }
const cleo = { id: 'cleo', name: 'Cleo' }

type Step = Parameters<typeof history>[0][number]
const voted = (person: typeof ben, votes: number): Step => ['permission_voted', { ...ids, person, votes, needed: 3 }]
const moved = (who: string, escalated: boolean): Step => ['permission_moved', { ...ids, who, needed: 1, escalated }]
const printed = (text: string): Step => ['output', { turn_id: 'turn_1', call_id: 'call_1', text }]

const partsAfter = (steps: Step[]) => threadAfter(history(steps)).items.at(-1).parts
const card = (steps: Step[]) => partsAfter([started(), asked('req_1', 'call_1'), ...steps])[0]

describe('a card', () => {
  test('counts votes by person', () => {
    const { votes, needed } = card([voted(ben, 1), voted(cleo, 2), voted(ben, 2)]).asked
    expect(votes.map((vote: { person: typeof ben }) => vote.person.name)).toEqual(['Cleo', 'Ben'])
    expect(needed).toBe(3)
  })

  test('shows only votes that still count', () => {
    const { votes } = card([voted(ben, 1), voted(cleo, 1)]).asked
    expect(votes.map((vote: { person: typeof ben }) => vote.person.name)).toEqual(['Cleo'])
  })

  test('says who is asked now', () => {
    expect(card([moved('the operator', true)]).asked).toMatchObject({ who: 'the operator', needed: 1, moved: 'others' })
    expect(card([moved('ana', false)]).asked.moved).toBe('again')
  })

  test('ignores votes and moves whose card is not on this page of history', () => {
    expect(partsAfter([started(), voted(ben, 1), moved('ana', true)])).toEqual([])
  })
})

describe('the output of a call', () => {
  const running = [started(), acted('call_1', 'run_command', { command: 'seq 3' })]

  test('grows while the call runs, and is replaced by the result', () => {
    const printing = [...running, printed('1\n'), printed('2\n')]
    expect(partsAfter(printing)[0]).toMatchObject({ kind: 'call', status: 'running', output: '1\n2\n' })
    expect(partsAfter([...printing, observed('call_1', 'run_command')])[0]).toMatchObject({
      output: '',
      status: 'done',
    })
  })

  test('keeps only its end when it is long', () => {
    const { output } = partsAfter([...running, printed('x'.repeat(30_000)), printed('end')])[0]
    expect(output).toHaveLength(20_000)
    expect(output.endsWith('end')).toBe(true)
  })
})

describe('a line about trust', () => {
  const loaded: Step = ['tools_loaded', { tools: ['run_command'] }]
  const revoked: Step = ['revoked', { grant_id: 'grant_1', tool_name: 'run_command', person: ben }]

  test('appears in its turn, and does not separate an answer from its text', () => {
    const { items } = threadAfter(
      history([said('msg_1', 'Hi'), started(), loaded, completed('Done.'), posted('msg_2', 'Done.')]),
    )
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['message', 'turn'])
    expect(items[1].parts).toMatchObject([
      { kind: 'trust', change: 'loaded', tools: ['run_command'] },
      { kind: 'answer' },
    ])
  })

  test('stands on its own between turns', () => {
    const { items } = threadAfter(history([started(), completed('Done.'), revoked]))
    expect(items.at(-1)).toMatchObject({ kind: 'trust', change: 'revoked', person: ben })
  })

  test('does not change an answered card', () => {
    const steps = [started(), asked('req_1', 'call_1'), revoked, replied('req_1', 'call_1', 'approve')]
    expect(partsAfter(steps)[0].outcome.decision).toBe('approve')
  })
})

describe('words', () => {
  test('with invisible or reordering characters show them spelled out', () => {
    expect(visibleText('rm \u202Egpj.exe\u200B')).toBe('rm ⟨U+202E⟩gpj.exe⟨U+200B⟩')
    expect(visibleText('a\u{E0041}\u0007\r')).toBe('a⟨U+E0041⟩⟨U+0007⟩⟨U+000D⟩')
    expect(visibleText('two\n\tlines, 👩‍🔬 and Ελληνικά')).toBe('two\n\tlines, 👩‍🔬 and Ελληνικά')
  })

  test('describe what a grant allows', () => {
    expect(reachOf('exact', ['ls'], [])).toBe('Allows exactly this call and nothing else.')
    expect(reachOf('wide', ['git log', 'git log *'], ['a.sh'])).toMatch(
      /every part fits.*several words.*file that it runs/,
    )
    const choice = { pattern: 'wide', scope: 'tenant', forMs: 3_600_000 } as const
    expect(choiceWords(choice)).toBe('always for this and similar calls, everywhere here, for 1 hour')
    expect(choiceWords({ pattern: 'exact', scope: 'thread' })).toMatch(/exactly this.*until it’s revoked/)
  })

  test('exist for every kind of log entry, and are empty for unknown kinds', () => {
    const entry = (kind: string, data: Record<string, unknown>) => ({ kind, data })
    const granted = { tool: 'run_command', scope: 'thread', patterns: ['ls *'], by: 'ana' }
    expect(whatOf(entry('granted', granted))).toEqual(['run_command, in this thread', 'ls *'])
    expect(whoOf(entry('granted', granted))).toBe('ana')
    expect(whatOf(entry('refused', { request: 'req_1', reason: 'Not yours.' }))[1]).toBe('Not yours.')
    expect(whatOf(entry('asked', { tool: 'x', kind: 'approval', risk: 'high' }))).toEqual(['to use x', 'high risk'])
    expect(whatOf(entry('ended', { tool: 'x', status: 'failed' }))).toEqual(['x failed'])
    expect(whatOf(entry('constructor', {}))).toEqual([])
    expect(whatOf(entry('asked', { kind: 'toString' }))).toEqual(['toString'])
    expect(whatOf(entry('ended', { tool: 'x', status: 'constructor' }))).toEqual(['x: constructor'])
    expect(whatOf(entry('granted', { patterns: 'none' }))).toHaveLength(1)
  })
})

test('an @ completes the bot and the tools that can be mentioned', () => {
  const tools = [
    { name: 'run_command', description: 'Runs a command. It says more.', tier: 'by_name' },
    { name: 'run_script', description: 'Runs a script', tier: 'by_name' },
    { name: 'read_file', description: 'Reads', tier: 'core' },
  ]
  const at = (text: string) => completionAt(text, text.length, [], [], tools)?.choices
  expect(at('please @run')?.map(({ insert }) => insert)).toEqual(['@run_command', '@run_script'])
  expect(at('@run_c')).toEqual([{ insert: '@run_command', label: '@run_command', hint: 'Runs a command.' }])
  expect(at('@run_command')).toBeUndefined()
  expect(at('@')?.map(({ insert }) => insert)).toEqual(['@bobbin', '@run_command', '@run_script'])
  expect(at('@read')).toBeUndefined()
})
