import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Request } from '../../src/domain/request.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { heard, no, results, shippedRules, yes } from './trust.ts'

const run = (command: string, more: object = {}) => calls('run_command', { command, ...more })
const python = (code: string) => calls('run_script', { language: 'python', code })
const closed = {
  kind: 'approval',
  answer: { decision: 'approve', always: { pattern: 'wide', scope: 'thread' } },
} as const

async function workspaceOf({ dataDir }: MemoryBot): Promise<string> {
  const root = join(dataDir, 'workspace')
  return join(root, `${(await readdir(root))[0]}`)
}

const csv = `month,sales\n${Array.from({ length: 24 }, (_, month) => `${month + 1},${100 + month * 3}`).join('\n')}\n`

const chart = `
import csv, statistics
rows = list(csv.DictReader(open('uploads/sales.csv')))
values = [float(row['sales']) for row in rows]
print(statistics.mean(values))
bars = ''.join(f'<rect x="{10 * n}" y="{200 - v}" width="8" height="{v}"/>' for n, v in enumerate(values))
open('outputs/chart.svg', 'w').write(f'<svg xmlns="http://www.w3.org/2000/svg">{bars}</svg>')
`

test('an ordinary session with a CSV, Python and a chart asks once', async () => {
  const script = [
    run('ls -la uploads; file uploads/sales.csv'),
    run('head -n 5 uploads/sales.csv; wc -l uploads/sales.csv'),
    python("import csv; print(len(list(csv.DictReader(open('uploads/sales.csv')))))"),
    python("rows = open('uploads/sales.csv').read().split(); print(max(rows[1:]))"),
    calls('write_file', { path: 'temp/helper.py', content: 'def twice(x):\n    return 2 * x\n' }),
    calls('write_file', { path: 'temp/analyse.py', content: `import helper\n${chart}\nprint(helper.twice(21))\n` }),
    run('python3 temp/analyse.py'),
    run("awk -F, '{ s += $2 } END { print s }' uploads/sales.csv > temp/sum.txt && cat temp/sum.txt"),
    run('python3 -c "print(open(\'temp/sum.txt\').read())" | tee outputs/summary.md'),
    python("import json; json.dump({'ok': True}, open('outputs/result.json', 'w'))"),
    run('ls -l outputs && du -sh outputs'),
    says('Done.'),
  ]
  const bot = await startMemoryBot({ script })
  const message = await bot.memory.say('ana', '@bobbin @run_command @run_script analyse this and make a chart', {
    files: { 'sales.csv': csv },
  })
  const cards = () => bot.memory.cards(message)
  const decided = new Set<string>()
  await bot.memory.eventually(async () => {
    const card = cards().find(({ id, state }) => state === 'pending' && !decided.has(id))
    if (card !== undefined) {
      decided.add(card.id)
      await bot.memory.click('ana', card, closed)
    }
    expect(bot.memory.answers(message)).toContain('Done.')
  })
  expect(cards()).toHaveLength(1)
  expect(bot.rows("select state from calls where state <> 'done'")).toEqual([])
  const results = bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? []
  expect(results.filter(({ content }) => /^(<data[^>]*>\n)?\[Exit code 0/.test(`${content}`))).toHaveLength(9)
  expect(await readFile(join(await workspaceOf(bot), 'outputs/chart.svg'), 'utf8')).toMatch(/^<svg.*<\/svg>$/)
})

test('JSON that JavaScript loads is data: it isn’t posted, nor asked about if it tells of secrets', async () => {
  const people = JSON.stringify([{ user: 'ana', password: 'hunter2345', note: 'we DROP TABLE users' }])
  const load = "const people = require('./uploads/people.json'); console.log(people.length)"
  const node = (code: string) => calls('run_script', { language: 'node', code })
  const script = [
    node("import people from './uploads/people.json' with { type: 'json' }\nconsole.log(people.length)"),
    run(`node -e "${load}"`),
    calls('write_file', { path: 'temp/a.cjs', content: load.replace('./', '../') }),
    run('node temp/a.cjs'),
    says('Done.'),
  ]
  const bot = await startMemoryBot({ script })
  const message = await bot.memory.say('ana', '@bobbin @run_command @run_script count them', {
    files: { 'people.json': people },
  })
  const card = await bot.memory.untilCard(message)
  expect(card.kind === 'approval' && card.payload.scripts).toEqual([])
  await bot.memory.click('ana', card, closed)
  await bot.memory.untilAnswered(message, 'Done.')
  expect(bot.memory.cards(message)).toHaveLength(1)
  expect(results(bot)).toEqual(['done', 'done', 'done', 'done'])
})

test('what a rule allows runs in the closed sandbox: outputs/ and temp/, and nothing else', async () => {
  const rules = shippedRules()
  const run_command = { approvals: true, risk: 'medium' as const, allow: ['touch *', 'cp *', 'ls *'] }
  const where = ['uploads/b', 'c', 'skills/d', '.metadata.json', 'outputs/e', 'temp/f']
  const bot = await startMemoryBot({
    script: [...where.map((path) => run(`cp uploads/a.txt ${path}`)), run('touch uploads/a.txt'), says('Done.')],
    config: { rules: { ...rules, tools: { ...rules.tools, run_command } } },
  })
  const message = await bot.memory.say('ana', '@bobbin @run_command it', { files: { 'a.txt': 'kept' } })
  await bot.memory.untilAnswered(message, 'Done.')
  const root = await workspaceOf(bot)
  expect(where.filter((path) => existsSync(join(root, path)))).toEqual(['.metadata.json', 'outputs/e', 'temp/f'])
  expect(await readFile(join(root, '.metadata.json'), 'utf8')).toContain('{')
  expect(bot.memory.cards(message)).toEqual([])
  expect(heard(bot)).toMatch(/\[This ran in the closed sandbox.* call it again with needs: \["uploads"\]/)
})

test('what needs more than the closed sandbox is asked with the reason, and runs outside it once approved', async () => {
  const remove = 'cp uploads/a.txt uploads/b.txt'
  const script = [run('touch temp/x'), run(remove), run(remove, { needs: ['uploads'] }), says('Done.')]
  const bot = await startMemoryBot({ script })
  const message = await bot.memory.say('ana', '@bobbin @run_command it', { files: { 'a.txt': 'kept' } })
  const first = await bot.memory.untilCard(message)
  await bot.memory.click('ana', first, closed)
  const next = () => bot.memory.cards(message).find(({ id, state }) => id !== first.id && state === 'pending')
  await bot.memory.eventually(() => expect(next()).toBeDefined())
  const second = next() as Request
  expect(second).toMatchObject({ payload: { reason: expect.stringContaining('It needs to write to uploads/') } })
  expect(second.kind === 'approval' && second.payload.grants?.wide).toBeUndefined()
  const root = await workspaceOf(bot)
  expect(existsSync(join(root, 'uploads/b.txt'))).toBe(false)
  await bot.memory.click('ana', second, yes)
  await bot.memory.untilAnswered(message, 'Done.')
  expect(await readFile(join(root, 'uploads/b.txt'), 'utf8')).toBe('kept')
})

test('one answer covers everything that waits beside it', async () => {
  const code = (text: string) => ({ language: 'python', code: `print('${text}')` })
  const both = calls(
    'run_script',
    code('one'),
    ['run_script', code('two')],
    ['run_command', { command: 'touch temp/x' }],
  )
  const bot = await startMemoryBot({ script: [both, says('Done.')] })
  const message = await bot.memory.say('ana', '@bobbin @run_command @run_script it')
  const pending = () => bot.memory.cards(message).filter(({ state }) => state === 'pending')
  await bot.memory.eventually(() => expect(pending()).toHaveLength(3))
  const [first] = pending()
  await bot.memory.click('ana', first as Request, closed)
  await bot.memory.eventually(() => expect(bot.memory.answers(message)).toContain('Done.'))
  expect(bot.rows('select state from calls')).toEqual([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
  await bot.memory.eventually(() => expect(pending()).toEqual([]))
})

const untilGo = (path: string): ['run_script', object] => [
  'run_script',
  {
    language: 'python',
    code: `import os, time\nopen('temp/begun', 'w')\nwhile not os.path.exists('temp/go'): time.sleep(0.02)\nopen('${path}', 'w')`,
  },
]
const touch = (path: string): ['run_command', object] => ['run_command', { command: `touch ${path}` }]

/** A step of several calls, each with its card. `go` ends the script that waits for it. */
async function beside([one, ...others]: ['run_script' | 'run_command', object][], plugins: Capability[] = []) {
  const script = [calls(...(one as ['run_script', object]), ...others), says('Done.')]
  const bot = await startMemoryBot({ script, plugins })
  const message = await bot.memory.say('ana', '@bobbin @run_command @run_script it')
  await bot.memory.untilCard(message, 1 + others.length)
  const root = await workspaceOf(bot)
  const cards = bot.memory.cards(message)
  const cardOf = (text: string) => cards.find((card) => JSON.stringify(card.payload).includes(text)) as Request
  const begun = () => bot.memory.eventually(() => expect(existsSync(join(root, 'temp/begun'))).toBe(true))
  const go = () => writeFile(join(root, 'temp/go'), '')
  return { bot, memory: bot.memory, message, root, cardOf, begun, go }
}

test('what somebody denied meanwhile stays denied, though an answer beside it covers it', async () => {
  const { bot, memory, message, root, cardOf, begun, go } = await beside([
    untilGo('temp/z'),
    touch('temp/x'),
    touch('temp/y'),
  ])
  await memory.click('ben', cardOf('temp/z'), yes)
  await begun()
  await memory.click('ana', cardOf('temp/x'), no)
  await memory.click('ben', cardOf('temp/y'), closed)
  await go()
  await memory.eventually(() => expect(memory.answers(message)).toContain('Done.'))
  expect(existsSync(join(root, 'temp/x'))).toBe(false)
  expect(existsSync(join(root, 'temp/y'))).toBe(true)
  expect(results(bot).sort()).toEqual(['denied', 'done', 'done'])
})

test('nobody can deny any more what an answer beside it has started', async () => {
  const { bot, memory, message, cardOf, begun, go } = await beside([untilGo('temp/x'), touch('temp/y')])
  await memory.click('ben', cardOf('temp/y'), closed)
  await begun()
  const late = await memory.click('ana', cardOf('temp/x'), no)
  await go()
  await memory.eventually(() => expect(memory.answers(message)).toContain('Done.'))
  expect(late).toMatchObject({ kind: 'too-late' })
  expect(results(bot)).toEqual(['done', 'done'])
})

test('what somebody denies at the last moment before it starts is denied', async () => {
  const passed = Promise.withResolvers<void>()
  const denied = Promise.withResolvers<void>()
  const holding: Capability = {
    name: 'holding',
    beforeCall: async ({ input }) => {
      if (!JSON.stringify(input).includes('temp/x')) return
      passed.resolve()
      await denied.promise
    },
  }
  const { bot, memory, message, root, cardOf } = await beside([touch('temp/x'), touch('temp/y')], [holding])
  await memory.click('ben', cardOf('temp/y'), closed)
  await passed.promise
  expect(await memory.click('ana', cardOf('temp/x'), no)).toMatchObject({ kind: 'taken' })
  denied.resolve()
  await memory.eventually(() => expect(memory.answers(message)).toContain('Done.'))
  expect(existsSync(join(root, 'temp/x'))).toBe(false)
  expect(results(bot).sort()).toEqual(['denied', 'done'])
})
