import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { commands } from '../../src/cli/commands.ts'
import { main } from '../../src/cli/main.ts'
import { startTestBot } from '../support/bot.ts'
import { says } from '../support/model-server.ts'
import { bobbin, printedBy } from './support.ts'

const run = (...args: string[]) => printedBy(() => main(args))

test('help names every command, each says what it does, and the version is known', async () => {
  const whole = await run('help')
  expect(whole.code).toBe(0)
  for (const [name, { help }] of Object.entries(commands)) {
    expect(whole.out).toContain(help)
    expect(help).toMatch(new RegExp(`^  ${name}\\b`))
    for (const args of [
      [name, '--help'],
      ['help', name],
      ['--help', name],
    ])
      expect(await run(...args)).toEqual({ code: 0, out: `${help}\n`, err: '' })
  }
  expect(await run()).toEqual(whole)
  expect((await run('--version')).out).toBe(`Bobbin ${manifest.version}, Node ${process.versions.node}\n`)
})

test.each(Object.entries(commands))('the help of %s has every option of its usage', async (name, { help }) => {
  const { code, err } = await run(name, '--nonsense', 'twice')
  expect([code, err]).toEqual([2, expect.stringContaining('Usage: ')])
  for (const [option] of err.slice(err.indexOf('Usage: ')).matchAll(/--[a-z-]+/g)) expect(help).toContain(option)
})

test.each([
  ['sesions', 'There is no command "sesions". Did you mean sessions?'],
  ['zzzzzzzz', 'There is no command "zzzzzzzz". `bobbin help` lists them.'],
  ['chta', 'There is no command "chta". Did you mean chat?'],
  ['config chekc', 'There is no "config chekc". Did you mean check? Usage: '],
  ['config shcemas', 'Did you mean schemas? Usage: '],
  ['token lits', 'There is no "token lits". Did you mean list? Usage: '],
  ['grants revok g', 'There is no "grants revok". Did you mean revoke? Usage: '],
  ['audit exprot', 'Did you mean export? Usage: '],
  ['logs ses_1 --folow', 'Did you mean --follow? Usage: '],
  ['logs ses_1 --josn', 'Did you mean --json? Usage: '],
  ['chat --lits', 'Did you mean --list? Usage: '],
  ['sessions --limt=5', 'Did you mean --limit? Usage: '],
  ['doctor --prob C1', 'Did you mean --probe? Usage: '],
  ['chat lsat', 'There is no thread "lsat". Did you mean last? Usage: '],
  [
    'start --prot 80',
    'start takes no arguments. BOBBIN_HOST and BOBBIN_PORT in .env set where the console listens. Usage: start',
  ],
  ['backup craete', '"craete" doesn’t end in .tar.gz. Usage: backup <file.tar.gz>'],
  ['migrate all', 'migrate takes no arguments. Usage: migrate'],
  ['why --all', 'Usage: why [message id or link].'],
  ['config check twice', 'There is no "config check twice". Usage: config check, config schemas.'],
  ['sessions --limit many', '--limit is a number from 1 to 10000. Usage: sessions'],
  ['sessions show', 'There is no "sessions show". Usage: sessions'],
  ['session --all', 'Unknown option'],
  ['node --all', 'Unknown option'],
])('%s is refused', async (line, said) => {
  const { code, out, err } = await run(...line.split(' '))
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(said)])
})

test('sessions lists as many as are wanted, and shows one with its messages', async () => {
  const bot = await startTestBot({ script: [says('Hello.'), says('Again.')] })
  const { conversation } = await bot.chat.say('first \u001b[31m thing')
  await bot.chat.untilPosted(conversation)
  await bot.chat.say('second thing', { user: 'ben' })
  expect((await bobbin(bot.dataDir, 'sessions')).out.trim().split('\n')).toHaveLength(2)
  expect((await bobbin(bot.dataDir, 'sessions', '--limit', '1')).out).toMatch(/^ses_.*second thing\n$/)
  expect((await bobbin(bot.dataDir, 'sessions', '--person', 'ben')).out).toMatch(/^ses_.*second thing\n$/)
  expect((await bobbin(bot.dataDir, 'sessions', '--person', 'Cleo')).out).toBe('Cleo has begun no session.\n')
  const { out } = await bobbin(bot.dataDir, 'session', 'show', conversation)
  expect(out).toContain('done, 2 messages in 1 turn, 0 questions waiting')
  expect(out).toMatch(/: .*first .* thing\n.*Bobbin: Hello\.\n$/)
  expect(out).not.toContain('\u001b')
  const gone = await bobbin(bot.dataDir, 'sessions', 'show', 'ses_x')
  expect([gone.code, gone.err]).toEqual([1, 'There is no session "ses_x". `bobbin sessions` lists them.\n'])
})
