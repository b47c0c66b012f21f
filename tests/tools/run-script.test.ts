import { describe, expect, test } from 'vitest'
import { runScript } from '../../src/capabilities/commands/run-script.ts'
import { begunBefore } from '../support/begun-before.ts'
import { bench, defaultLimits } from './support.ts'

type Language = 'python' | 'node' | 'bash'

/** The same in each language. */
const scripts: Record<Language, Record<'says' | 'fails' | 'sleeps' | 'shouts' | 'args' | 'skills', string>> = {
  python: {
    says: "import sys, os\nprint('out', os.getcwd())\nprint('err', file=sys.stderr)",
    fails: 'import sys\nsys.exit(3)',
    sleeps: "import time\nprint('begun', flush=True)\ntime.sleep(500)",
    shouts: "while True: print('y')",
    args: 'import sys, json\nprint(json.dumps(sys.argv[1:]))',
    skills: "open('skills/mine', 'w')",
  },
  node: {
    says: "console.log('out', process.cwd())\nconsole.error('err')",
    fails: 'process.exit(3)',
    sleeps: "console.log('begun')\nsetTimeout(() => {}, 500_000)",
    shouts: "import { writeSync } from 'node:fs'\nfor (;;) writeSync(1, 'y\\n')",
    args: 'console.log(JSON.stringify(process.argv.slice(1)))',
    skills: "import { writeFileSync } from 'node:fs'\nwriteFileSync('skills/mine', '')",
  },
  bash: {
    says: 'echo out "$PWD"\necho err >&2',
    fails: 'exit 3',
    sleeps: 'echo begun\nsleep 500',
    shouts: 'yes',
    args: 'node -p "JSON.stringify(process.argv.slice(1))" -- "$@"',
    skills: 'echo > skills/mine',
  },
}
const languages = Object.keys(scripts) as Language[]

describe.each(languages)('in %s', (language) => {
  const { says, fails, sleeps, shouts, args, skills } = scripts[language]

  test('what it prints, and where it is', async () => {
    const { run, put } = await bench()
    await put('temp/a.txt', '')
    const said = (where: string) => `out ${where}\n[stderr]\nerr`
    const first = /^\[Exit code 0, \d+\.\d s\]\n/
    const here = await run('run_script', { language, code: says })
    expect(here).toMatch(first)
    expect(here.replace(first, '')).toBe(said('/workspace'))
    const there = await run('run_script', { language, code: says, directory: 'temp' })
    expect(there.replace(first, '')).toBe(said('/workspace/temp'))
  })

  test('its exit code', async () => {
    const { run } = await bench()
    expect(await run('run_script', { language, code: fails })).toMatch(/^\[Exit code 3, \d+\.\d s\]$/)
  })

  test('its time, which is not the commands’', async () => {
    const result = await begunBefore(
      async (scriptTimeoutMs) => {
        const { run } = await bench({ sandbox: { ...defaultLimits.sandbox, scriptTimeoutMs } })
        return run('run_script', { language, code: sleeps, timeout_ms: 500_000 })
      },
      (said) => said.endsWith('\nbegun'),
    )
    expect(result).toMatch(/^\[It was stopped after \d+\.\d s: it ran out of time\. Ask for less at once\.\]\nbegun$/)
  })

  test('too much output', async () => {
    const { run } = await bench({ sandbox: { ...defaultLimits.sandbox, outputBytes: 10_000 } })
    const result = await run('run_script', { language, code: shouts })
    expect(result).toMatch(
      /^\[It was stopped after .*: it printed too much\. Write to a file instead\.\]\ny\n[\s\S]*…$/,
    )
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(10_200)
  })

  test('its arguments, whatever they contain', async () => {
    const { run } = await bench()
    const given = ['a b', '$(touch ran)', '-v', '--help', '"', "'", '', 'ü\n*']
    const result = await run('run_script', { language, code: args, arguments: given })
    expect(JSON.parse(result.split('\n').slice(1).join('\n'))).toEqual(given)
    expect(await run('run_script', { language: 'bash', code: 'ls' })).not.toContain('ran')
  })

  test('skills/ read-only', async () => {
    const { run, put } = await bench()
    await put('temp/a.txt', '')
    await run('run_command', { command: 'mkdir -p skills' })
    const result = await run('run_script', { language, code: skills })
    expect(result).toMatch(/^\[Exit code 1, /)
    expect(result).toMatch(/read-only file system/i)
  })
})

describe('what the policy is told of it', () => {
  const given = (language: Language, code: string, directory = '') =>
    runScript.inspect?.(runScript.input.parse({ language, code, directory }) as never)

  test('of Python and Node that it is unknown', () => {
    expect(given('python', 'print(1)')).toEqual({
      subjects: [],
      unclear: ['what a Python script does is not known before it runs'],
      needs: [],
    })
    expect(given('node', '1')?.unclear).toEqual(['what a JavaScript script does is not known before it runs'])
  })

  test('of bash what its commands are', () => {
    expect(given('bash', 'ls\nbash a.sh', 'temp')).toMatchObject({
      subjects: ['ls', 'bash a.sh'],
      unclear: [],
      runs: ['temp/a.sh'],
      directory: 'temp',
    })
  })

  test('who wrote its output', () => {
    const sources = languages.map((language) => runScript.kind === 'run' && runScript.source?.({ language } as never))
    expect(sources).toEqual(['Python', 'JavaScript', 'bash'].map((name) => `the output of a ${name} script`))
  })
})
