import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { asked, audited, heard, nextCard, no, results, shippedRules, yes } from './trust.ts'

/** Where the only session's files are. */
async function workspaceOf({ dataDir }: MemoryBot): Promise<string> {
  const root = join(dataDir, 'workspace')
  const [name] = await readdir(root)
  return join(root, `${name}`)
}

const run = (command: string) => calls('run_command', { command })
const make = calls('write_file', { path: 'temp/x.sh', content: 'echo first > outputs/said.txt\n' })

/** ana has a script written and run; the card waits. */
async function waiting(script: ScriptedReply[] = [make, run('bash temp/x.sh'), says('Done.')]) {
  const bot = await startMemoryBot({ script, config: { engine: { clockMs: 20 } } })
  const message = await bot.memory.say('ana', '@bobbin write it and @run_command it')
  const card = await bot.memory.untilCard(message)
  return { bot, memory: bot.memory, message, card, root: await workspaceOf(bot) }
}

const done = ({ memory }: MemoryBot, message: Message) =>
  memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Done.'))

const said = (root: string) => readFile(join(root, 'outputs/said.txt'), 'utf8')

describe('what was approved is what runs', () => {
  test('scripts are followed up to a limit, and longer ones need approval for that reason', async () => {
    const long = (next: string) => `${'echo 0123456789\n'.repeat(1_600)}${next}`
    const file = (name: string, next: string): ['write_file', object] => [
      'write_file',
      { path: `temp/${name}.sh`, content: long(next) },
    ]
    const three = calls(...file('a', 'bash temp/b.sh'), file('b', 'bash temp/c.sh'), file('c', 'pwd'))
    const { card } = await waiting([three, run('bash temp/a.sh'), says('Done.')])
    expect(card.kind === 'approval' && card.payload.unclear).toContain('temp/c.sh is too long to follow')
  })

  test('a script as it was shown', async () => {
    const { bot, memory, message, card, root } = await waiting()
    expect(card.kind === 'approval' && card.payload.runs).toEqual(['temp/x.sh'])
    await memory.click('ben', card, yes)
    await done(bot, message)
    expect(await said(root)).toBe('first\n')
    expect(results(bot)).toEqual(['done', 'done'])
  })

  test.each(['cd temp/l && bash ../x.sh', 'env -C temp/l bash ../x.sh', 'cd temp/l && cd .. && bash x.sh'])(
    'one behind a link is unclear, because the shell may come out elsewhere: %s',
    async (command) => {
      const bot = await startMemoryBot({ script: [make, says('Made.'), run(command), says('Done.')] })
      const { memory } = bot
      const message = await memory.say('ana', '@bobbin write it')
      await memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Made.'))
      const root = await workspaceOf(bot)
      await mkdir(join(root, 'outputs/d'))
      await symlink('../outputs/d', join(root, 'temp/l'))
      await memory.say('ana', '@bobbin @run_command it', { in: message })
      const card = await memory.untilCard(message)
      expect(card.kind === 'approval' && card.payload.unclear.join()).toContain('where .. leads from temp/l')
      expect(card.kind === 'approval' && card.payload.risk).toBe('high')
    },
  )

  test('one beside a real folder is bound as before', async () => {
    const folder = { path: 'temp/l/y.txt', content: 'y' }
    const both = calls('write_file', { path: 'temp/x.sh', content: 'pwd\n' }, ['write_file', folder])
    const { card } = await waiting([both, run('cd temp/l && bash ../x.sh > ../out.txt'), says('Done.')])
    expect(card.kind === 'approval' && card.payload.runs).toEqual(['temp/x.sh'])
    expect(card.kind === 'approval' && card.payload.unclear).toEqual([])
  })

  test('one that was changed between card and click is asked again, with the reason', async () => {
    const { bot, memory, message, card, root } = await waiting()
    await writeFile(join(root, 'temp/x.sh'), 'echo second > outputs/said.txt\n')
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    const again = await nextCard(bot, message, card)
    expect(again.kind === 'approval' && again.payload.reason).toMatch(/^What it runs has changed since you saw this\./)
    await expect(said(root)).rejects.toThrow('ENOENT')
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'too-late' })
    await memory.click('ben', again, yes)
    await done(bot, message)
    expect(await said(root)).toBe('second\n')
  })

  test('what the code of run_script imports is shown, and asked again if it was changed between card and click', async () => {
    const file = {
      path: 'temp/lib.mjs',
      content: "import fs from 'fs'\nfs.writeFileSync('outputs/said.txt', 'first')\n",
    }
    const script = calls('run_script', { language: 'node', code: "import './temp/lib.mjs'" })
    const bot = await startMemoryBot({ script: [calls('write_file', file), script, says('Done.')] })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin write it and @run_script it')
    const card = await memory.untilCard(message)
    expect(card.kind === 'approval' && card.payload.scripts).toEqual([{ path: 'temp/lib.mjs', text: file.content }])
    const root = await workspaceOf(bot)
    await writeFile(join(root, 'temp/lib.mjs'), file.content.replace('first', 'second'))
    await memory.click('ben', card, yes)
    const again = await nextCard(bot, message, card)
    expect(again.kind === 'approval' && again.payload.reason).toContain('has changed')
    await memory.click('ben', again, yes)
    await done(bot, message)
    expect(await said(root)).toBe('second')
  })

  test('names that Node would look up in vain, such as those of folders, don’t keep it from running', async () => {
    const loads = (name: string) => run(`node -e "require('./temp/${name}')"`)
    const file = (path: string, said: string): ['write_file', object] => [
      'write_file',
      { path, content: `require('fs').appendFileSync('outputs/said.txt', '${said}')\n` },
    ]
    const files = calls(...file('temp/plain', 'plain '), file('temp/folder/index.js', 'folder '))
    const script = [files, loads('plain'), loads('folder'), run('node temp/plain; node temp/folder'), says('Done.')]
    const { bot, memory, message, card, root } = await waiting(script)
    const paths = (one: typeof card) => one.kind === 'approval' && one.payload.scripts?.map(({ path }) => path)
    expect(paths(card)).toEqual(['temp/plain'])
    await memory.click('ben', card, yes)
    const second = await nextCard(bot, message, card)
    expect(paths(second)).toEqual(['temp/folder/index.js'])
    await memory.click('ben', second, yes)
    const third = await nextCard(bot, message, second)
    expect(paths(third)).toEqual(['temp/plain', 'temp/folder/index.js'])
    await memory.click('ben', third, yes)
    await done(bot, message)
    expect(await said(root)).toBe('plain folder plain folder ')
  })

  test('one that was removed is asked again, and once more when it is back', async () => {
    const { bot, memory, message, card, root } = await waiting()
    const before = await readFile(join(root, 'temp/x.sh'))
    await rm(join(root, 'temp/x.sh'))
    await memory.click('ben', card, yes)
    const again = await nextCard(bot, message, card)
    await writeFile(join(root, 'temp/x.sh'), before)
    await memory.click('ben', again, yes)
    const third = await nextCard(bot, message, again)
    await memory.click('ben', third, yes)
    await done(bot, message)
    expect(await said(root)).toBe('first\n')
    expect(memory.cards(message)).toHaveLength(3)
  })

  test.each(['bash temp/x.sh', 'bash /workspace/temp/x.sh'])(
    'a call of the same step that would change it waits until it has run: %s',
    async (command) => {
      const other = { path: 'temp/x.sh', content: 'echo other > outputs/said.txt\n' }
      const both = calls('run_command', { command }, ['write_file', other])
      const { bot, memory, message, card, root } = await waiting([make, both, says('Done.')])
      await bot.settled()
      expect(await readFile(join(root, 'temp/x.sh'), 'utf8')).toContain('first')
      await memory.click('ben', card, yes)
      await done(bot, message)
      expect(await said(root)).toBe('first\n')
      expect(memory.cards(message)).toHaveLength(1)
    },
  )

  test.each([
    { command: 'sort -o temp/list temp/list' },
    { command: 'seq 3 > /workspace/temp/list' },
    { command: 'cd temp && tac < list' },
    { command: 'cd outputs && cd ../temp && tac < list' },
    { command: 'tac < list', directory: '/workspace/temp' },
  ])(
    'a call of the same step that would change a file its line names waits until it has run: $command',
    async (input) => {
      const list = (content: string): ['write_file', object] => ['write_file', { path: 'temp/list', content }]
      const script = [calls(...list('first')), calls('run_command', input, list('later')), says('Done.')]
      const { bot, memory, message, card, root } = await waiting(script)
      await bot.settled()
      expect(await readFile(join(root, 'temp/list'), 'utf8')).toBe('first')
      await memory.click('ben', card, yes)
      await done(bot, message)
      expect(await readFile(join(root, 'temp/list'), 'utf8')).toBe('later')
    },
  )

  test('one that a command of the same step has changed meanwhile is asked again', async () => {
    const copy = { path: 'temp/y.sh', content: 'echo other > outputs/said.txt\n' }
    const both = calls('run_command', { command: 'bash temp/x.sh' }, [
      'run_command',
      { command: 'cd temp && cp y.sh x.s[h]' },
    ])
    const bot = await startMemoryBot({ script: [make, calls('write_file', copy), both, says('Done.')] })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin write and @run_command it')
    const last = await memory.untilCard(message, 2)
    const cards = memory.cards(message)
    const runs = ({ payload }: (typeof cards)[number]) => 'runs' in payload && payload.runs.length > 0
    const bash = cards.find(runs) as typeof last
    await memory.click('ben', cards.find((card) => !runs(card)) as typeof last, yes)
    await memory.eventually(() => expect(results(bot).filter((state) => state === 'done')).toHaveLength(3))
    expect((await memory.click('ben', bash, yes)).kind).toMatch(/^(taken|too-late)$/)
    const again = await nextCard(bot, message, last)
    expect(again.kind === 'approval' && again.payload.reason).toContain('has changed')
    await memory.click('ben', again, yes)
    await done(bot, message)
    expect(await said(await workspaceOf(bot))).toBe('other\n')
  })

  test('a denial stands, whatever has changed', async () => {
    const { bot, memory, message, card, root } = await waiting()
    await writeFile(join(root, 'temp/x.sh'), 'echo second > outputs/said.txt\n')
    await memory.click('ben', card, { kind: 'approval', answer: { decision: 'deny', reason: 'no' } })
    await done(bot, message)
    expect(heard(bot)).toBe('Cancelled: ben denied this: no')
    expect(memory.cards(message)).toHaveLength(1)
  })

  test('a grant for a script holds for its content', async () => {
    const edit = calls('write_file', { path: 'temp/x.sh', content: 'echo second > outputs/said.txt\n' })
    const bash = run('bash temp/x.sh')
    const script = [make, bash, bash, says('Half.'), edit, bash, says('Done.')]
    const { bot, memory, message, card, root } = await waiting(script)
    const always = { pattern: 'exact' as const, scope: 'thread' as const }
    await memory.click('ben', card, { kind: 'approval', answer: { decision: 'approve', always } })
    await memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Half.'))
    expect(await said(root)).toBe('first\n')
    // The call for which it was given, and the next.
    expect(bot.rows('select uses from grants')).toEqual([{ uses: 2 }])
    await memory.say('ana', '@bobbin again', { in: message })
    await memory.click('ben', await nextCard(bot, message, card), yes)
    await done(bot, message)
    expect(await said(root)).toBe('second\n')
    expect(bot.rows('select uses from grants')).toEqual([{ uses: 2 }])
    expect(await audited(bot)).toEqual([
      ...['started', 'ended', 'asked', 'granted', 'decided', 'started', 'ended', 'started', 'ended'],
      ...['started', 'ended', 'asked', 'decided', 'started', 'ended'],
    ])
  })
})

describe('rules that change while a card waits', () => {
  const write = calls('write_file', { path: 'outputs/a.txt', content: 'made' })

  async function written(change: (rules: ReturnType<typeof asked>) => void, team = {}) {
    const rules = asked(team)
    const bot = await startMemoryBot({ script: [write, says('Done.')], config: { rules } })
    const message = await bot.memory.say('ana', '@bobbin write it')
    const card = await bot.memory.untilCard(message)
    await bot.stop()
    change(bot.config.rules)
    await bot.restart()
    return { bot, memory: bot.memory, message, card }
  }

  test('a deny wins over the click', async () => {
    const { bot, memory, message, card } = await written((rules) => {
      rules.tools.write_file = { approvals: true, risk: 'medium', deny: ['outputs/*'], reason: 'Not any more.' }
    })
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(heard(bot)).toBe('Forbidden by rule: Not any more.')
    expect(await audited(bot)).toEqual(['asked', 'decided', 'refused'])
  })

  test('if a decider is gone only the operator decides, and then the current ones are asked', async () => {
    const { bot, memory, message, card } = await written((rules) => {
      rules.deciders = { others: { who: ['user:dora'], asker: true, needed: 1 } }
      rules.decide = { low: 'others', medium: 'others', high: 'others', critical: 'others' }
    })
    const reason = 'Only the operator can decide this.'
    expect(await memory.click('ben', card, yes)).toEqual({ kind: 'not-allowed', reason })
    expect((await bot.chat.answer(card.id, { decision: 'approve' })).status).toBe(200)
    const again = await nextCard(bot, message, card)
    expect(again).toMatchObject({
      decided: { who: 'user dora' },
      payload: { reason: expect.stringMatching(/^The rules for it have changed since you saw this\./) },
    })
    expect(await memory.click('ben', again, yes)).toMatchObject({ kind: 'not-allowed' })
    await memory.click('dora', again, yes)
    await done(bot, message)
  })

  test('a quorum that was added meanwhile counts', async () => {
    const { bot, memory, message, card } = await written((rules) => {
      rules.deciders.team = { who: ['anyone'], asker: true, needed: 2 }
    })
    const always = { pattern: 'exact' as const, scope: 'thread' as const }
    const answer = { decision: 'approve' as const, always }
    expect(await memory.click('ben', card, { kind: 'approval', answer })).toMatchObject({ kind: 'not-allowed' })
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'voted' })
    expect(await memory.click('cleo', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('what no longer needs approval runs once somebody has said yes', async () => {
    const { bot, memory, message, card } = await written((rules) => Object.assign(rules, { approvals: false }))
    await memory.click('ben', card, yes)
    await done(bot, message)
    expect(results(bot)).toEqual(['done'])
  })

  test('what no longer needs approval stays denied once somebody has said no', async () => {
    const { bot, memory, message, card } = await written((rules) => Object.assign(rules, { approvals: false }))
    await memory.click('ben', card, no)
    await done(bot, message)
    expect(results(bot)).toEqual(['denied'])
    expect(heard(bot)).toBe('Cancelled: ben denied this.')
  })

  test('hosts that a command could not reach when it was shown are asked about again', async () => {
    const npm = { programs: ['npm'], hosts: ['a.example'], action: 'require_approval' as const, risk: 'high' as const }
    const rules = { ...shippedRules(), commands: [{ ...npm, reason: 'It installs.' }] }
    rules.deciders.team = { who: ['anyone'], asker: true, needed: 1 }
    const bot = await startMemoryBot({ script: [run('npm --version'), says('Done.')], config: { rules } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin @run_command it')
    const card = await memory.untilCard(message)
    await bot.stop()
    bot.config.rules.commands[0]?.hosts?.push('b.example')
    await bot.restart()
    await memory.click('ben', card, yes)
    const again = await nextCard(bot, message, card)
    expect(again.kind === 'approval' && again.payload.hosts).toEqual(['a.example', 'b.example'])
    await memory.click('ben', again, { kind: 'approval', answer: { decision: 'deny' } })
    await done(bot, message)
  })
})
