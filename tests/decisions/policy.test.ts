import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/capabilities/commands/run-command.ts'
import { decide } from '../../src/trust/policy.ts'
import type { RulesFile } from '../../src/trust/rules.ts'
import type { Subject } from '../../src/trust/subject.ts'
import { rulesWith } from '../support/rules.ts'
import { shippedConfig } from '../support/shipped.ts'
import { command, exactGrant, subjectOf } from './subjects.ts'

const shipped = rulesWith()

/** `ask high commands[0]`: the verdict in a line. */
function said(subject: Subject, rules: Partial<RulesFile> = {}): string {
  const { kind, risk, rule } = decide(rulesWith(rules), subject)
  return `${kind} ${risk} ${rule.name}`
}

const write = (content: string, changes: Partial<Subject> = {}) =>
  subjectOf('write_file', { path: 'outputs/a.txt', content }, changes)
const fetching = (url: string, changes: Partial<Subject> = {}) => subjectOf('web_fetch', { url }, changes)
const runs = (changes: Partial<RulesFile['tools'][string]>) => ({
  tools: { run_command: { approvals: true, risk: 'medium' as const, ...changes } },
})

describe('the shipped rules', () => {
  test.each([
    ['rm -rf build', 'ask high commands[0]'],
    ['rm -r -f build', 'ask high commands[0]'],
    ['rm --recursive --force build', 'ask high commands[0]'],
    ['rm --rec --fo build', 'ask high commands[0]'],
    ['rm build -fR', 'ask high commands[0]'],
    ['ls && find . -exec rm -rf {} +', 'ask high commands[0]'],
    ['rm -r build', 'ask medium tools.run_command.mode'],
    ['rm -- -rf', 'ask medium tools.run_command.mode'],
    ['sudo ls', 'ask high commands[1]'],
    ["su -c 'ls'", 'ask high commands[8]'],
    ['su', 'ask high unclear'],
    ['chmod 777 a', 'ask high commands[2]'],
    ['chmod a+rwx a', 'ask high commands[2]'],
    ['chmod 640 a', 'ask medium tools.run_command.mode'],
    ['dd if=/dev/zero of=x', 'ask high commands[3]'],
    ['echo x > /dev/sda', 'ask high commands[5]'],
    ['curl https://a.example', 'ask medium commands[6]'],
    ['pip install x', 'ask medium commands[7]'],
    ['git clone https://a.example/x', 'ask medium commands[7]'],
    ['ls -l', 'allow medium tools.run_command.allow'],
    ['pwd', 'allow medium tools.run_command.allow'],
    ['cat a.txt | cat', 'allow medium tools.run_command.allow'],
    ['ls -la uploads\n', 'allow medium tools.run_command.allow'],
    ['ls -la\nmake', 'ask medium unclear'],
    ['cd outputs && ls', 'allow medium tools.run_command.allow'],
    ['cd /etc && cat passwd', 'ask medium tools.run_command.mode'],
    ['cd temp && ls > x', 'ask medium tools.run_command.mode'],
    ["find . -name '*.csv' -newer a | head", 'allow medium tools.run_command.allow'],
    ["grep -e '\\$' -e '#' a || true", 'ask'],
    ["grep -e '\\$' -e '#' -e '||' a | head", 'allow medium tools.run_command.allow'],
    ['find . -delete', 'ask medium tools.run_command.mode'],
    ['sort -o a b', 'ask medium tools.run_command.mode'],
    ['diff -u a b', 'allow medium tools.run_command.allow'],
    ['ls; make', 'ask medium unclear'],
    ['echo "$(make)"', 'ask medium unclear'],
    ['LD_PRELOAD=./x.so ls', 'ask'],
    ['cat x > /etc/motd', 'ask'],
    ['echo x > ../y', 'ask'],
    ['cat x > outputs/y', 'allow medium tools.run_command.allow'],
    ['cat x | bash', 'ask high unclear'],
    ['cat /etc/passwd', 'ask high everywhere[1]'],
    ['echo api_key=abcdef123456', 'ask critical everywhere[0]'],
    ["echo 'DROP  TABLE users'", 'ask high everywhere[2]'],
  ])('%s: %s', (line, expected) => {
    expect(said(command(line))).toMatch(new RegExp(`^${expected.replace(/[[\]]/g, '\\$&')}`))
  })

  test('the model is told which programs need no approval', () => {
    const [, names = ''] = /line of (.*) usually needs no approval/.exec(runCommand.description) ?? []
    const told = names.split(/, | and /)
    expect(told).toContain('find')
    expect(
      told.filter((name) => shipped.tools.get('run_command')?.allow.some(({ fits }) => fits(name)) !== true),
    ).toEqual([])
  })

  test('of what a rule of one’s own lets through only where it reads, the reason says so', () => {
    const { reason: shown } = shipped.tools.get('run_command') ?? {}
    const reasonFor = (line: string) =>
      decide(rulesWith(runs({ allow: ['find temp*', 'cd *'], mode: 'confirm', reason: shown })), command(line)).reason
    const notPlain = 'It’s more than a plain command.'
    expect([reasonFor("find temp -name '*.tmp' -delete"), reasonFor('cd ..')]).toEqual([notPlain, notPlain])
    expect([reasonFor('chmod 640 a'), reasonFor('cd ..; chmod 640 a')]).toEqual([shown, shown])
  })

  test.each([
    [write('x'), 'allow medium defaults.write'],
    [write('password: hunter22'), 'ask critical everywhere[0]'],
    [write('x', { uploaded: true }), 'ask medium uploads'],
    [fetching('https://a.example/'), 'allow medium tools.web_fetch.mode'],
    [fetching('https://api.a.example/'), 'ask medium addresses[1]'],
    [fetching('http://LOCALHOST:80/'), 'deny high addresses[0]'],
    [fetching('http://intranet/'), 'deny high addresses[0]'],
    [subjectOf('read_file', { path: 'uploads/a' }), 'allow medium defaults.read'],
    [subjectOf('read_file', { path: 'etc/passwd' }), 'allow medium defaults.read'],
  ])('a call: %#', (subject, expected) => {
    expect(said(subject)).toBe(expected)
  })

  test.each([
    'password: string',
    'password: string;',
    'password: undefined,',
    'password = os.environ["DB_PASSWORD"]',
    'password=request.form["password"]',
    'password = forms.CharField(widget=x)',
    'const apiKey = process.env.API_KEY',
    'const accessToken = await getToken()',
    'api_key = get_key()',
    'access_token = response.json()["t"]',
    'Forgot your password: contact support.',
    'Password: strength check',
    'postgres password: authentication failed',
    `POSTGRES_PASSWORD: \${DB_PASSWORD}`,
    'login(user, password=password)',
    'connect(password=settings.password)',
    'connect(\n  password=password,\n  user=user,\n)',
    'const password = req.body.password;',
    'apiKey: process.env.API_KEY!,',
    'password = sha256(text)',
    'password: varchar(255)',
    'password: a1b',
  ])('%j is no password', (text) => {
    expect(said(write(text))).toBe('allow medium defaults.write')
  })

  test.each([
    'password = "hunter2hunter2"',
    'password: "correcthorse"',
    "passwd='correct horse battery'",
    'API_KEY=abcdefghijkl',
    'API_KEY=abcdef123456\nexport API_KEY',
    'api_key: sk-live-8374hf83',
    'PGPASSWORD=correcthorse psql',
    'curl "https://a.example/?api_key=abcdefghij&x=1"',
    '{"password":"correct-horse"}',
    '{"password": "correct$horse"}',
    'passwd: tr0ub4dor',
    'secret_key = abc123def456',
    'password=correct-horse;',
    'mysql --password=correcthorse,x',
    'DB_PASSWORD: correct-horse-battery',
    'log in (user: admin, password: abc1def)',
    'log in (user: admin, password: ab1cde)',
    'secret = a1bcdefg',
    'secret = abcd1f',
    'secret = abcdef1g',
    '<b>password: hunter2</b>',
    'redis:6379,password=correcthorse,ssl=true',
  ])('%j is one', (text) => {
    expect(said(write(text))).toBe('ask critical everywhere[0]')
  })

  test('a pattern is found deep in a long text', () => {
    expect(said(write(`${'x '.repeat(400_000)}drop table x`))).toBe('ask high everywhere[2]')
  })
})

describe('layers', () => {
  test('a deny in the tool’s rules holds, even where an earlier layer would have asked', () => {
    const rules = runs({ deny: ['rm *'], mode: 'auto' })
    expect(said(command('rm -rf build'), rules)).toBe('deny medium tools.run_command.deny')
    expect(said(command('ls; rm x'), rules)).toBe('deny medium tools.run_command.deny')
    expect(said(command('ls'), rules)).toBe('allow medium tools.run_command.mode')
  })

  test('deny goes before allow, and allow before mode', () => {
    const rules = runs({ deny: ['git push*'], allow: ['cp *'], mode: 'confirm' })
    expect(said(command('cp a b'), rules)).toBe('allow medium tools.run_command.allow')
    expect(said(command('git push'), rules)).toMatch(/^deny/)
    expect(said(command('git status; make'), rules)).toBe('ask medium unclear')
    expect(said(command('cut x'), rules)).toBe('ask medium tools.run_command.mode')
  })

  test('the higher risk of a command and of a pattern counts', () => {
    expect(said(command('curl -H api_key=abcdef123456 https://a.example'))).toBe('ask critical everywhere[0]')
    const denied = [{ ...everywhere, action: 'deny' as const, risk: 'low' as const }]
    expect(said(command('sudo drop'), { everywhere: denied })).toBe('deny low everywhere[0]')
  })

  test('an allow does not override what the check or a pattern asks about', () => {
    expect(said(command('rm -rf x'), runs({ allow: ['*'] }))).toBe('ask high commands[0]')
    expect(said(write('DROP TABLE x'), { tools: { write_file: allowing } })).toBe('ask high everywhere[2]')
  })

  test('a tool without rules of its own has those of *, and then its effect', () => {
    const star = { tools: { '*': { approvals: true, risk: 'high' as const, mode: 'confirm' as const } } }
    expect(said(write('x'), star)).toBe('ask high tools.*.mode')
    expect(said(command('cut x'), { tools: {} })).toBe('ask medium defaults.external')
    const defaults = { read: 'allow', write: 'deny', external: 'allow' } as const
    expect(said(write('x'), { defaults })).toBe('deny medium defaults.write')
    expect(said(command('cut x'), { tools: {}, defaults })).toBe('allow medium defaults.external')
  })

  test('a tool named like a property of every object is just a tool', () => {
    expect(said({ ...write('x'), tool: 'constructor' })).toBe('allow medium defaults.write')
    expect(said({ ...write('x'), tool: '__proto__' })).toBe('allow medium defaults.write')
  })

  test('somebody who may not use it is refused, whatever else holds', () => {
    const verdict = decide(shipped, command('ls', { barred: 'ben may not use run_command.' }))
    expect(verdict).toMatchObject({ kind: 'deny', reason: 'ben may not use run_command.', rule: { name: 'use' } })
  })
})

const everywhere = { pattern: 'drop', effects: ['external' as const], reason: 'No.' }
const allowing = { approvals: true, risk: 'medium' as const, allow: ['*'] }

describe('switches', () => {
  test('approvals: false asks nothing, and what is denied stays denied', () => {
    const off = { approvals: false }
    expect(said(command('rm -rf x'), off)).toBe('allow high commands[0]')
    expect(said(command('cat x | sh'), off)).toBe('allow high unclear')
    expect(said(fetching('http://localhost/'), off)).toMatch(/^deny/)
    expect(said(fetching('https://a.example/', { untrusted: 'the page x' }), off)).toMatch(/^allow/)
    const deny = { ...off, untrusted: { action: 'deny' as const, lasts: 'thread' as const } }
    expect(said(fetching('https://a.example/', { untrusted: 'the page x' }), deny)).toMatch(/^deny/)
  })

  test('a tool’s approvals: false never asks about this tool', () => {
    const off = runs({ approvals: false, mode: 'confirm' })
    expect(said(command('rm -rf x'), off)).toMatch(/^allow/)
    expect(said(write('x', { uploaded: true }), off)).toMatch(/^ask/)
    expect(said(command('rm -rf x'), runs({ approvals: false, deny: ['rm *'] }))).toMatch(/^deny/)
  })

  test('without a sandbox everything is asked, whatever is switched off', () => {
    const bare = (line: string) => command(line, { programs: 'uncontained' })
    for (const rules of [{}, { approvals: false }, { ask_from: 'critical' as const }, runs({ mode: 'auto' })])
      expect(said(bare('ls'), rules)).toMatch(/^ask/)
  })

  test('ask_from: high lets medium pass', () => {
    const from = { ask_from: 'high' as const }
    expect(said(command('make'), from)).toMatch(/^allow medium/)
    expect(said(command('rm -rf x'), from)).toMatch(/^ask high/)
    expect(said(command('curl -H api_key=abcdef123456 https://a.example'), from)).toMatch(/^ask critical/)
    expect(said(command('rm -rf x'), { ask_from: 'critical' })).toMatch(/^allow high/)
    // What others have written is another matter than what a rule calls risky.
    expect(said(fetching('https://a.example/', { untrusted: 'the page x' }), from)).toMatch(/^ask/)
  })
})

describe('untrusted content', () => {
  const told = { untrusted: 'the page https://x.example' }

  test('asks about calls that send, and about commands that need hosts', () => {
    const rules = { commands: [{ programs: ['wget'], hosts: ['a.example'], ...quiet }] }
    expect(decide(shipped, fetching('https://a.example/', told))).toMatchObject({
      kind: 'ask',
      risk: 'medium',
      reason: expect.stringContaining('contains content from outside (the page https://x.example), which may'),
      grants: { untrusted: true },
    })
    // What nobody approved reaches no host.
    expect(decide(rulesWith(rules), command('wget x'))).toMatchObject({ kind: 'allow', closed: true })
    expect(decide(rulesWith(rules), command('wget x', told))).toMatchObject({ kind: 'allow', closed: true })
    const wanting = subjectOf('run_command', { command: 'wget x', needs: ['network'] }, told)
    expect(decide(rulesWith(rules), wanting)).toMatchObject({
      kind: 'ask',
      hosts: ['a.example'],
      reason: expect.stringMatching(/^It needs the network.* It can send data out/),
    })
    expect(said(command('ls', told))).toMatch(/^allow/)
    expect(said(write('x', told))).toMatch(/^allow/)
  })

  test('what is unclear is on the card, not in its reason, which says what the tool does', () => {
    const reason = (subject: Subject, rules: Partial<RulesFile> = {}) => decide(rulesWith(rules), subject).reason
    expect(reason(subjectOf('install_skill', { path: 'uploads/a.zip' }))).toBe(
      'Installs instructions and scripts that somebody else wrote.',
    )
    expect(reason(subjectOf('install_skill_packages', { skill: 'x', file: 'requirements.txt' }))).toBe(
      'Downloads packages that others wrote, for this skill’s scripts.',
    )
    expect(reason(command('cat x | sh'))).toBe('I can’t tell what this would do.')
    expect(reason(command('make'))).toBe('It may do more than is shown.')
    const stranger = { ...write('x'), tool: 'mcp__gh__close' }
    const unclear = ['gh says that this may delete or overwrite something']
    expect(reason({ ...stranger, inspection: { subjects: ['{}'], unclear } })).toBe('It needs approval each time.')
    // Nobody else would tell the model.
    const deny = { unclear: { ...shipped.unclear, action: 'deny' as const } }
    expect(reason(command('cat x | sh'), deny)).toMatch(/^I can’t tell what this would do: .*sh.*\.$/)
  })

  test('nobody is asked for network that no rule gives, and cards say when there is none', () => {
    const wanting = (line: string, changes: Partial<Subject> = {}) =>
      subjectOf('run_command', { command: line, needs: ['network', 'uploads'] }, changes)
    const grants = [exactGrant(wanting('wget x'))]
    expect(decide(shipped, wanting('npm ci'))).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('No rule names a host for this command'),
    })
    expect(said(wanting('wget x', { grants }))).toMatch(/^deny/)
    expect(said(wanting('npm ci'), { approvals: false })).toMatch(/^allow/)
    expect(said(wanting('npm ci', { programs: 'uncontained' }))).toMatch(/^ask/)
    const reason = (subject: Subject, rules = shipped) => decide(rules, subject).reason
    const none = 'There’s no network for it, because no rule names a host.'
    expect(reason(command('pip install x'))).toBe(`Downloads other people’s code. ${none}`)
    expect(reason(command('curl https://a.example'))).toBe(`Accesses the network. ${none}`)
    expect(reason(command('curl https://a.example', { programs: 'uncontained' }))).toBe('Accesses the network.')
    const known = { programs: ['curl'], hosts: ['a.example'], ...quiet }
    const more = rulesWith({ commands: [...shippedConfig().rules.commands, known] })
    expect(reason(command('curl https://a.example'), more)).toBe('Accesses the network.')
    expect(reason(command('rm -rf x'))).toBe('Deletes folders and everything in them.')
  })

  test('is added to the reason of what is asked anyway', () => {
    const { reason } = decide(shipped, fetching('https://api.a.example/', told))
    expect(reason).toMatch(/^Calls a service’s API\. It can send data out/)
  })

  test('is refused where the rules say so, and passes where they allow it', () => {
    const untrusted = (action: 'deny' | 'allow') => ({ untrusted: { action, lasts: 'thread' as const } })
    expect(said(fetching('https://a.example/', told), untrusted('deny'))).toBe('deny medium untrusted')
    expect(said(fetching('https://a.example/', told), untrusted('allow'))).toMatch(/^allow/)
  })

  test('a grant from before does not cover it; one given since does', () => {
    const grant = (untrusted: boolean) => [exactGrant(fetching('https://a.example/'), { untrusted })]
    expect(said(fetching('https://a.example/', { ...told, grants: grant(false) }))).toMatch(/^ask/)
    expect(said(fetching('https://a.example/', { ...told, grants: grant(true) }))).toMatch(/^allow.*grant_/)
  })
})

const quiet = { action: 'require_approval' as const, risk: 'low' as const, reason: 'It is known.' }
