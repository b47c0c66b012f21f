import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/capabilities/commands/run-command.ts'
import { begunBefore } from '../support/begun-before.ts'
import { bench, defaultLimits } from './support.ts'

type Given = { command: string; directory?: string; timeout_ms?: number }

const shorter = (sandbox: Partial<typeof defaultLimits.sandbox>) => ({
  sandbox: { ...defaultLimits.sandbox, ...sandbox },
})

describe('what a command ends with stands first', () => {
  test.each([
    ['its output', 'echo hello', /^\[Exit code 0, \d+\.\d s\]\nhello$/],
    ['nothing at all', 'true', /^\[Exit code 0, \d+\.\d s\]$/],
    ['a failure', 'echo no >&2; exit 7', /^\[Exit code 7, \d+\.\d s\]\n\[stderr\]\nno$/],
    ['both outputs, by themselves', 'echo out; echo err >&2', /^\[Exit code 0, .*\]\nout\n\[stderr\]\nerr$/],
    ['output without a last line', 'printf a', /^\[Exit code 0, .*\]\na$/],
    ['lines that are empty', "printf 'a\\n\\n'", /^\[Exit code 0, .*\]\na\n$/],
    ['a signal', 'kill -SEGV $$', /^\[It was stopped by SIGSEGV after \d+\.\d s\.\]/],
    ['a program that is not there', 'no-such-program', /^\[Exit code 127, .*\]\n\[stderr\]\n.*no-such-program/],
  ])('%s', async (_, command, result) => {
    const { run } = await bench()
    expect(await run('run_command', { command })).toMatch(result)
  })

  test('when its time is over, what it printed by then is kept', async () => {
    const { run } = await bench()
    const result = await begunBefore(
      (timeout_ms) => run('run_command', { command: 'echo begun; sleep 500', timeout_ms }),
      (said) => said.endsWith('\nbegun'),
    )
    expect(result).toMatch(/^\[It was stopped after \d+\.\d s: it ran out of time\. Ask for less at once\.\]\nbegun$/)
  })

  test('a longer time than the configuration’s is the configuration’s', async () => {
    const { run } = await bench(shorter({ timeoutMs: 400 }))
    expect(await run('run_command', { command: 'sleep 500', timeout_ms: 3_000_000 })).toContain('it ran out of time')
  })

  test('when it prints without end', async () => {
    const { run } = await bench(shorter({ outputBytes: 20_000 }))
    const result = await run('run_command', { command: 'yes' })
    expect(result).toMatch(/^\[It was stopped after .*: it printed too much\. Write to a file instead\.\]\ny\ny\n/)
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(20_200)
  })

  test('when it takes too much memory, or starts too many processes', async () => {
    const { run } = await bench(shorter({ memoryBytes: 100_000_000, processes: 12 }))
    const takes = "python3 -c 'x = bytearray(300_000_000); import time; time.sleep(500)'"
    expect(await run('run_command', { command: takes })).toMatch(/^\[It was stopped .*: it used too much memory\.\]/)
    const starts = 'for i in $(seq 20); do sleep 500 & done; wait'
    expect(await run('run_command', { command: starts })).toMatch(
      /^\[It was stopped .*: it started too many processes\.\]/,
    )
  })

  test("when it fills a folder whose name isn't UTF-8", async () => {
    const { run } = await bench({ workspace: { bytes: 1_000_000, files: 100 } })
    const command =
      'd=temp/$(printf \'\\377\\376\'); mkdir "$d"; head -c 3000000 /dev/zero > "$d/$(printf \'\\300\')"; sleep 500'
    expect(await run('run_command', { command })).toMatch(/^\[It was stopped: this thread’s workspace is full\. /)
  })

  test('says so when it left too much behind before anybody looked, and a command can make room again', async () => {
    const { run } = await bench({ workspace: { bytes: 1_000_000, files: 100 } })
    const write = () => run('write_file', { path: 'temp/b', content: 'b' })
    const tooMuch = /^\[This thread’s workspace holds more than there is room for\. .*`reset`, which empties temp\/;/
    const stopped = /^\[It was stopped: this thread’s workspace is full\./
    await run('write_file', { path: 'temp/a', content: 'a' })
    const filled = await run('run_command', { command: 'touch temp/{1..400}' })
    expect(filled).toMatch(new RegExp(`${tooMuch.source}|${stopped.source}`))
    await expect(write()).rejects.toMatchObject({ code: 'quota' })
    expect(await run('run_command', { command: 'ls temp; sleep 0.3' })).toMatch(tooMuch)
    expect(await run('run_command', { command: 'touch temp/more{1..100}; sleep 500' })).toMatch(stopped)
    expect(await run('run_command', { command: 'rm temp/*; sleep 0.3' })).toMatch(
      /^\[This .* again\.\]\n\[Exit code 0, /,
    )
    await write()
  })

  test('in a full workspace no command writes to a file; pipes work, and files can be removed', async () => {
    const { run, workspace } = await bench({ workspace: { bytes: 1_000_000, files: 100 } })
    const tooMuch = /^\[This thread’s workspace holds more than there is room for/
    await writeFile(join(workspace.root, 'temp/a'), Buffer.alloc(2_000_000))
    const writes = 'head -c 3000000 /dev/zero > temp/b; (echo more >> temp/a); stat -c %s temp/b temp/a'
    const result = await run('run_command', { command: writes })
    expect(result).toMatch(tooMuch)
    expect(result).toMatch(/\n0\n2000000$|\n0\n2000000\n\[stderr\]/)
    const pipes = 'cat temp/a | head -c 100000 | wc -c; echo gone > /dev/null; cat <<< text'
    expect(await run('run_command', { command: pipes })).toMatch(/\n100000\ntext$/)
    const made = await run('run_command', { command: 'rm temp/a; echo x > outputs/x' })
    expect(made).toMatch(
      /^\[This thread’s workspace was full, so this couldn’t write to files\. There is room again\.\]/,
    )
    expect(await run('run_command', { command: 'echo x > outputs/x' })).toMatch(/^\[Exit code 0, /)
  })

  test('counts folders, links and skills not as files, as write_file does', async () => {
    const { run, workspace } = await bench({ workspace: { bytes: 1_000_000, files: 3 } })
    await mkdir(join(workspace.root, 'skills/one/two/three/four'), { recursive: true })
    const result = await run('run_command', { command: 'mkdir temp/a; ln -s a temp/b; touch temp/{1..3}; sleep 0.3' })
    expect(result).toMatch(/^\[Exit code 0, /)
    expect(await run('run_command', { command: 'touch temp/4' })).toMatch(/^\[(This|It was stopped)/)
  })

  test('names what it left in outputs/ that can’t be posted', async () => {
    const { run } = await bench()
    const command = 'touch temp/a.pdf; cd outputs; ln -s ../temp/a.pdf .; touch b; ln b c; mkfifo d; touch e'
    expect(await run('run_command', { command })).toMatch(
      /^\[outputs\/a\.pdf \(a link\), outputs\/b \(a hard link\), outputs\/c \(a hard link\), outputs\/d \(not a file\) can’t be posted with your answer\. /,
    )
    const many = await run('run_command', { command: 'for i in {1..8}; do ln -s x outputs/$i; done' })
    expect(many).toMatch(/^\[(outputs\/\d \(a link\)(, )?){5} and \d+ more can’t be posted/)
  })

  test('shows its output as it comes', async () => {
    const seen: string[] = []
    const { run } = await bench({}, { output: (text) => void seen.push(text) })
    await run('run_command', { command: 'echo one; echo two >&2' })
    expect(seen.join('').split('\n').toSorted()).toEqual(['', 'one', 'two'])
  })

  test('ends when the turn is stopped', async () => {
    const stop = new AbortController()
    const { run } = await bench({}, { signal: stop.signal, output: () => stop.abort(new Error('stopped')) })
    await expect(run('run_command', { command: 'echo on; sleep 60' })).rejects.toThrow('stopped')
  })
})

describe('where it runs', () => {
  test('in the workspace, which it may change', async () => {
    const { run, put, text } = await bench()
    await put('temp/a.txt', 'old')
    expect(await run('run_command', { command: 'pwd; cat temp/a.txt' })).toContain('\n/workspace\nold')
    await run('run_command', { command: 'echo new > temp/a.txt' })
    expect(await text('temp/a.txt')).toBe('new\n')
  })

  test.each(['temp/deep', './temp/deep', 'temp/deep/'])('in %s', async (directory) => {
    const { run, put } = await bench()
    await put('temp/deep/a.txt', 'here')
    expect(await run('run_command', { command: 'cat a.txt', directory })).toMatch(/^\[Exit code 0, .*\]\nhere$/)
  })

  test('and only in directories that it has', async () => {
    const { run, put } = await bench()
    await put('temp/a.txt', 'a file')
    const where = (directory: string) => run('run_command', { command: 'touch /workspace/ran', directory })
    await expect(where('temp/none')).rejects.toMatchObject({ code: 'no_directory' })
    await expect(where('temp/a.txt')).rejects.toMatchObject({ code: 'no_directory' })
    await expect(where('../other')).rejects.toThrow()
    await expect(where('/etc')).rejects.toThrow()
    expect(await run('run_command', { command: 'ls' })).not.toContain('ran')
  })

  test('with skills/ read-only', async () => {
    const { run, root } = await bench()
    await mkdir(join(root, 'skills'), { recursive: true })
    const command = 'touch skills/mine; rm -rf skills; mv skills other; ls -d skills'
    const result = await run('run_command', { command })
    expect(result.match(/Read-only file system|Device or resource busy/g)?.length).toBeGreaterThanOrEqual(2)
    expect(result).toContain('\nskills\n')
    expect(await run('run_command', { command: 'ls skills' })).toMatch(/^\[Exit code 0, \S+ s\]$/)
  })

  test('with clocks that show the asker’s time, unless the settings name a zone or the system doesn’t know it', async () => {
    const command = 'date -d @0 +%F_%H:%M; python3 -c "import time; print(time.localtime(0).tm_hour)"; echo "$TZ"'
    const asking = async (timeZone: string, environment: Record<string, string> = {}) => {
      const { run } = await bench(shorter({ environment }), { timeZone })
      return (await run('run_command', { command })).split('\n').slice(1)
    }
    expect(await asking('Asia/Tokyo')).toEqual(['1970-01-01_09:00', '9', 'Asia/Tokyo'])
    expect(await asking('Asia/Tokyo', { TZ: 'America/New_York' })).toEqual([
      '1969-12-31_19:00',
      '19',
      'America/New_York',
    ])
    expect(await asking('asia/tokyo')).toEqual(['1970-01-01_09:00', '9', 'Asia/Tokyo'])
    expect(await asking('Mars/Base')).toEqual(['1970-01-01_00:00', '0', 'UTC'])
    expect((await asking('+09:00')).at(-1)).toBe('')
  })

  test('without network, and without what the bot has in its environment', async () => {
    const { run } = await bench(shorter({ environment: { OURS: 'given' } }))
    const reach = await run('run_command', { command: 'exec 3<>/dev/tcp/127.0.0.1/80; env' })
    expect(reach).toMatch(/refused|unreachable/i)
    const shown = await run('run_command', { command: 'env' })
    expect(shown).toContain('OURS=given')
    for (const name of ['VITEST', 'NODE_ENV', 'NODE_OPTIONS']) expect(shown).not.toContain(`${name}=`)
  })
})

describe('what the policy is told of it', () => {
  const inspected = (given: Given) => {
    const parsed = runCommand.input.parse(given) as never
    return runCommand.inspect?.(parsed) ?? { subjects: [], unclear: ['nothing'] }
  }

  test.each<[command: string, subjects: string[]]>([
    ['ls -l', ['ls -l']],
    ['ls; git add a', ['ls', 'git add a']],
    ['A=1 git status', ['A=1 git status']],
    ['cd temp && git status', ['cd temp', 'git status']],
    ['git status > out.txt', ['git status']],
    ['echo "$(git status)"', ['git status', 'echo "$(git status)"']],
  ])('%s', (command, subjects) => {
    const found = inspected({ command })
    expect([...found.subjects].toSorted()).toEqual(subjects.toSorted())
    expect(found.wider).toBeUndefined()
  })

  const beside = (name: string) => `${name} may run or read files and settings beside what is shown`

  test.each<[command: string, unseen: string[]]>([
    ['ls | sort > a', []],
    ['/usr/bin/cut x', []],
    ['bash a.sh; ./b.sh', []],
    ['python3 a.py', []],
    ['python3 -c "import json"', []],
    ['make', [beside('make')]],
    ['ls && timeout 5 npm test', [beside('npm')]],
    ['bash -c "git status"', [beside('git')]],
    ['node --test', [beside('node')]],
    ['sqlite3 a.db', [beside('sqlite3')]],
    ['/opt/tools/cut x', [beside('cut')]],
    ['python3 -m pytest', [beside('python3')]],
    ['python3 -E a.py', [beside('python3')]],
    ['PYTHONPATH=. python3 a.py', [beside('python3')]],
    ['export PYTHONPATH=.; python3 a.py', [beside('python3')]],
    ['env -i python3 a.py', [beside('python3')]],
    ['HOME=temp cut x', ['it changes where programs look for their settings']],
    ['SOME_OPTIONS=temp/x zip a.zip f', ['SOME_OPTIONS may tell programs what to run or read']],
    ['env SOME_OPTIONS=x bash a.sh', ['SOME_OPTIONS may tell programs what to run or read']],
    ['export SOME_OPTIONS="$X"; zip a.zip f', ['SOME_OPTIONS may tell programs what to run or read']],
    ['SOME_OPTIONS=x; declare -x SOME_OPTIONS; cut x', ['SOME_OPTIONS may tell programs what to run or read']],
    ['set -a; . ./a.sh; zip a.zip f', ['every variable may tell programs what to run or read']],
    ['LC_ALL=C TZ=UTC name=x sort a', []],
    ['MONTH=11 SINCE=2026-11-30 bash x.sh', []],
    ['env MONTH=11 bash x.sh', []],
    ['MONTH=x bash x.sh', ['MONTH may tell programs what to run or read']],
    ['MONTH=11 MONTH=x bash x.sh', ['MONTH may tell programs what to run or read']],
    ['MONTH+=11 bash x.sh', ['MONTH may tell programs what to run or read']],
    ['SOME_OPTIONS=11 bash x.sh', ['SOME_OPTIONS may tell programs what to run or read']],
    ['HOSTALIASES=11 bash x.sh', ['HOSTALIASES may tell programs what to run or read']],
    ['set -- -a', []],
    ['LDAP_HOST=x; ZIP="my file.zip"; echo "$LDAP_HOST $ZIP"', []],
    ['ZIP="-T x"; export ZIP; zip a.zip f', ['ZIP may tell programs what to run or read']],
    ['TOTAL=3; echo "$TOTAL"', []],
    ['curl -d @temp/x https://h.com', ['what curl sends from temp/x isn’t shown']],
    ['curl -sd@temp/x https://h.com', ['what curl sends from temp/x isn’t shown']],
    ['curl --data-binary=@x https://h.com', ['what curl sends from x isn’t shown']],
    ['cat temp/x | curl -d @- https://h.com', ['what curl sends from its input isn’t shown']],
    ['curl -sT x https://h.com', ['what curl sends from x isn’t shown']],
    ['curl --up x https://h.com', ['what curl sends from x isn’t shown']],
    ['curl -F a=@x https://h.com', ['what curl sends from x isn’t shown']],
    ["curl -F 'a=<x' https://h.com", ['what curl sends from x isn’t shown']],
    ['curl --data-urlencode a@x https://h.com', ['what curl sends from x isn’t shown']],
    ['curl -b x https://h.com', ['what curl sends from x isn’t shown']],
    ['curl "$X" -o outputs/a', []],
    ['curl --user-agent -- -T temp/x https://h.com', ['what curl sends from temp/x isn’t shown']],
    ['curl --referer -d -T temp/x https://h.com', ['what curl sends from temp/x isn’t shown']],
    ['curl --proxy-header -o -T temp/x https://h.com', ['what curl sends from temp/x isn’t shown']],
    ['curl -#d@temp/x https://h.com', ['what curl sends from temp/x isn’t shown']],
    ['wget --user-agent -- -i temp/x', ['what wget sends from temp/x isn’t shown']],
    ["curl -F 'a=x@y;headers=<temp/x' https://h.com", ['what curl sends from temp/x isn’t shown']],
    ["curl -XPUT -H 'Authorization: Bearer a=@b' -d 'a=<b>x</b>' -d '{\"a\":\"x=<y\"}' https://h.com", []],
    ['wget --post-f x https://h.com', ['what wget sends from x isn’t shown']],
    ['wget -qi x', ['what wget sends from x isn’t shown']],
    [
      "curl -u a:b --data a@b.com -d 'user=a@b.com' --url https://u@h.com -b 'c=d' -o outputs/a 'https://h.com/?a=@b'",
      [],
    ],
    ['wget -qO- https://h.com > outputs/a', []],
  ])('what %s may run that nobody sees', (command, unseen) => {
    expect(inspected({ command }).unseen).toEqual(unseen)
  })

  test.each([
    ['ls -l', true],
    ['echo $HOME', false],
    ['cat < a.txt', false],
    ['find . -delete', false],
    ['ls | xargs rm', false],
    ['ls > a.txt', true],
  ])('whether %s does the same another time: %s', (command, settled) => {
    expect(inspected({ command }).settled).toBe(settled)
  })

  test.each([
    ['echo a > /etc/motd', ['> /etc/motd']],
    ['echo a >> ../b', ['>> ../b']],
    ['echo a > temp/../../b', ['> temp/../../b']],
    ['echo a > "$X"', ['> (computed)']],
    ['echo a > temp/b 2> /dev/null > /tmp/c > /workspace/d', []],
    ['echo a > /workspace/../etc/motd', ['> /workspace/../etc/motd']],
    ['echo a > /tmpx', ['> /tmpx']],
  ])('where %s writes outside', (command, writes) => {
    const [, ...others] = inspected({ command }).subjects
    expect(others).toEqual(writes)
  })

  test.each<[Given, string[], string]>([
    [{ command: 'bash a.sh; python3 ./b.py; ls' }, ['a.sh', './b.py'], ''],
    [{ command: 'bash a.sh', directory: 'temp' }, ['temp/a.sh'], 'temp'],
    [{ command: 'bash /workspace/a.sh', directory: 'temp' }, ['/workspace/a.sh'], 'temp'],
    [{ command: 'ls', directory: '.' }, [], ''],
  ])('which files of the workspace %j runs', (given, runs, directory) => {
    expect(inspected(given)).toMatchObject({ runs, directory })
  })

  test.each(['eval "$X"', 'bash -c "$X"', '$X', 'source <(curl x)', 'echo "', 'for'])(
    'that %s is unclear',
    (command) => {
      expect(inspected({ command }).unclear).not.toEqual([])
    },
  )

  test('who wrote its output: the first line, cut', () => {
    const source = (command: string) => runCommand.kind === 'run' && runCommand.source?.({ command } as never)
    expect(source('cat a.txt\nrm b.txt')).toBe('the output of cat a.txt')
    expect(source('x'.repeat(500))).toBe(`the output of ${'x'.repeat(80)}`)
  })
})
