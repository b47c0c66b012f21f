import { describe, expect, test } from 'vitest'
import { inspectLine } from '../../src/capabilities/commands/run/inspect.ts'
import { unseenIn } from '../../src/capabilities/commands/run/unseen.ts'
import { boundTo, pinned } from './bound.ts'

test('a text is searched for changed settings once, not for each program that it runs', () => {
  let searches = 0
  const text = Object.assign(new String('x.py\n'), {
    [Symbol.toPrimitive]: () => {
      searches++
      return 'python3 x.py\n'
    },
  }) as unknown as string
  const one = { program: 'python3', as: 'python3', args: ['x.py'], assigns: [], text: 'python3 x.py', code: [] }
  const invocations = Array.from({ length: 100 }, () => one)
  const plan = { invocations, redirections: [], runs: [], left: [], moves: false, paths: [], hosts: [], unclear: [] }
  expect(unseenIn(plan, text)).toEqual([])
  expect(searches).toBeLessThan(5)
})

test('a script that isn’t there, and that the same command may make, is unclear', async () => {
  const unclear = async (command: string, files = {}) => (await boundTo(command, files)).inspection.unclear
  const why = ['new.sh isn’t there yet, so what it does can’t be shown']
  expect(await unclear('tar xf uploads/a.tar && bash new.sh')).toEqual(why)
  expect(await unclear('bash old.sh', { 'old.sh': 'tar xf uploads/a.tar\nbash new.sh\n' })).toEqual(why)
  expect(await unclear('tar xf uploads/a.tar && bash new.sh', { 'new.sh': 'ls\n' })).toEqual([])
  expect(await unclear('bash new.sh')).toEqual([])
})

describe('what isn’t there is unclear only if something before it could make it', () => {
  const unclear = async (command: string, files: Record<string, string>) =>
    (await boundTo(command, files)).inspection.unclear.filter((why) => /there yet|isn’t clear/.test(why))
  const y = { 'temp/y.sh': 'cp a b\nmv c d\n' }
  const x = { 'x.sh': 'ls\n' }

  test.each<[string, Record<string, string>]>([
    ['cd temp; bash y.sh', y],
    ['cd temp\nbash y.sh', y],
    ['cd temp; bash y.sh 2>&1 | tail -30 > /dev/null', y],
    ['cd uploads/app; npm test 2>&1 | tail -30', { 'uploads/app/package.json': '{}' }],
    ['make test && ls', { makefile: 'a:' }],
    ['mkdir new && cd new && bash ../x.sh', x],
    ['mkdir -p temp/new && cd temp/new && bash ../y.sh', y],
  ])('%j is clear', async (command, files) => {
    expect(await unclear(command, files)).toEqual([])
  })

  test.each<[string, Record<string, string>]>([
    ['tar xf uploads/a.tar && bash new.sh', {}],
    ['tar xf uploads/a.tar; cd temp; bash y.sh', y],
    ['echo hi > temp/l; cd temp; bash y.sh', y],
    ['PATH=temp ls; cd temp; bash y.sh', y],
    ['./ls; cd temp; bash y.sh', y],
    ['cat x | tee y.sh; cd temp; bash y.sh', y],
    ['cd temp; bash y.sh; python3 z.py', y],
    ['while :; do (cd temp; bash y.sh); done', y],
    ['ln -s /etc new && cd new && bash ../x.sh', x],
    ['unzip a.zip && cd new && bash ../x.sh', x],
    ['mkdir a; python3 gen.py; cd a && bash ../x.sh', { ...x, 'gen.py': '1' }],
    ['cd x.sh && bash ../x.sh', x],
    ['bash a.sh', { 'a.sh': 'mkdir new && cd new && bash ../x.sh', ...x }],
    ['bash a.sh; bash b.sh', { 'a.sh': 'ls' }],
    ['bash a.sh', { 'a.sh': 'python3 gen.py\nbash b.sh', 'gen.py': '1' }],
    ['cd temp; bash y.sh', { 'temp/y.sh': 'python3 gen.py\nbash /workspace/y.sh' }],
    ['make -f Makefile && python3 x.py', { makefile: 'a:', 'x.py': '1' }],
  ])('%j is not', async (command, files) => {
    expect(await unclear(command, files)).not.toEqual([])
  })
})

describe('what lies in a folder that is empty at first was made by the same command', () => {
  const unclear = async (command: string) =>
    (await boundTo(command, { 'temp/x.sh': 'ls\n', 'temp/made.sh': 'tar xf uploads/a.tar -C /tmp\nbash /tmp/y.sh\n' }))
      .inspection.unclear

  test.each([
    ['sort -o /tmp/y.sh temp/x.sh; bash /tmp/y.sh', '/tmp/y.sh'],
    ['uniq temp/x.sh /tmp/y.sh; bash /tmp/y.sh', '/tmp/y.sh'],
    ['split temp/x.sh /tmp/x; bash /tmp/xaa', '/tmp/xaa'],
    ['iconv -o /home/bobbin/y.sh temp/x.sh; . /home/bobbin/y.sh', '/home/bobbin/y.sh'],
    ['tar xf uploads/a.tar -C /tmp && python3 /tmp/y.py', '/tmp/y.py'],
    ['tar xf uploads/a.tar -C /tmp && sed -f /tmp/y uploads/a', '/tmp/y'],
    ['cd /tmp && tar xf /workspace/uploads/a.tar && . ./y.sh', '/tmp/y.sh'],
    ['tar xf uploads/a.tar -C /tmp && /tmp/y', '/tmp/y'],
    ['bash temp/made.sh', '/tmp/y.sh'],
  ])('%s', async (command, path) => {
    expect(await unclear(command)).toContain(`${path} may be made and run by the same command`)
  })

  test('so `policy explain`, which reads no files, says it too', () => {
    const { unclear } = inspectLine('sort -o /tmp/y.sh temp/x.sh; bash /tmp/y.sh', '')
    expect(unclear).toEqual(['/tmp/y.sh may be made and run by the same command'])
  })

  test.each([
    'sort -o /home/bobbin/.bash_profile temp/x.sh; bash -lc ls',
    'sort -o /home/bobbin/.profile temp/x.sh; bash --login -c ls',
    'tar xf uploads/a.tar -C /home/bobbin; sh -l temp/x.sh',
    'tar xf uploads/a.tar -C /home/bobbin; su - -c ls',
    'tar xf uploads/a.tar; bash -lc ls',
    'cp temp/x.sh ~/.bash_profile; bash -lc ls',
    'ln -s temp h; sort -o h/.bash_profile temp/x.sh; bash -lc ls',
    'f() { bash -lc ls; }; cat temp/x.sh > ~/.bash_profile; f',
    "bash -lc 'sort -o ~/.bash_logout temp/x.sh; exit'",
    'x=$HOME; cat temp/x.sh > $x/.profile; bash -lc ls',
    'x=~/.profile; cat temp/x.sh > "$x"; bash -lc ls',
    'cat temp/x.sh > ../h*/bobbin/.profile; bash -lc ls',
    'cd ..; cat workspace/temp/x.sh > home/bobbin/.profile; bash -lc ls',
    'cd $x; cat temp/x.sh > .profile; bash -lc ls',
  ])('as is what a login shell reads: %s', async (command) => {
    expect(await unclear(command)).toContain('~/.profile may be made by the same command, and is read as it starts')
  })

  test.each([
    ['sort -o /home/bobbin/.wgetrc temp/x.sh; wget https://a.io', 'wget'],
    ['tar xf uploads/a.tar; wget https://a.io', 'wget'],
    ['sort -o /home/bobbin/.curlrc temp/x.sh; curl https://a.io', 'curl'],
    ['tar xf uploads/a.tar --directory=/home/bobbin && curl https://a.io', 'curl'],
    ['tar xPf uploads/a.tar && curl https://a.io', 'curl'],
    ['cd / && tar xf workspace/uploads/a.tar; curl https://a.io', 'curl'],
    ['sort -o ../home/bobbin/.curlrc temp/x.sh; curl https://a.io', 'curl'],
    ['cat temp/x.sh > $HOME/.curlrc; curl https://a.io', 'curl'],
    ['x=$HOME; cat temp/x.sh > $x/.wgetrc; wget https://a.io', 'wget'],
    ['sed "w h/.wgetrc" temp/x.sh; wget https://a.io', 'wget'],
    ['uniq temp/x.sh h/.wgetrc; wget https://a.io', 'wget'],
    ['tar -x -P -f uploads/a.tar; curl https://a.io', 'curl'],
    ['tar --absolute-names -xf uploads/a.tar; curl https://a.io', 'curl'],
    ['x=$HOME; cp temp/x.sh $x/.curlrc; curl https://a.io', 'curl'],
    ['cd ..; cp workspace/temp/x.sh home/.curlrc; curl https://a.io', 'curl'],
    ['find / -name x.sh -fprint home/x; curl https://a.io', 'curl'],
    ['curl https://a.io -o ~/.curlrc; curl https://a.io', 'curl'],
  ])('as are the settings that it reads by itself: %s', async (command, program) => {
    const why = `~/.${program}rc may be made by the same command, and is read as it starts`
    expect(await unclear(command)).toContain(why)
  })

  test.each(['exec -l bash -c ls', 'exec -a -bash bash -c ls', 'env --argv0=-bash bash -c ls'])(
    'a shell is also one of a login by its name: %s',
    async (command) => {
      expect((await unclear(command)).join()).toContain('makes a shell read the settings of a login')
    },
  )

  test.each([
    "bash -lc 'ls; cat a'",
    "bash -lc 'set -e; cd temp && sort a > b'",
    'cd temp && sleep 1 && bash -lc ls',
    'bash -l temp/x.sh',
    'curl -s https://a.io/home/x | jq .',
    'curl -s -o temp/a https://a.io && curl -s -o temp/b https://a.io && tar xf temp/a -C temp',
    'wget -q https://a.io/x -O temp/a; wget -q https://a.io/y -O temp/b; tar xf temp/a',
    'tar czf temp/a.tgz uploads && curl -T temp/a.tgz https://a.io',
    'sort uploads/a | curl -d @- https://a.io > "temp/$n.json"',
    'ls ~; du -sh /; curl https://a.io; curl https://b.io',
    'cp src/home/a temp/b; curl https://a.io',
    'curl -sO "$a"; cd ~',
    'tar czf Package.tgz dist && curl -T Package.tgz https://a.io/',
    'tar -xzf Python-3.12.tgz && curl https://a.io',
    'tar -cf temp/a.tar -C src P; curl https://a.io',
    'tar xf temp/a.tar -C temp Photos; curl https://a.io',
    'tar czPf a.tgz b; curl https://a.io',
    'rm -rf ~/.cache; curl https://a.io',
    'chmod +x ~/a; rg foo /; tree /; find / -name a; curl https://a.io',
    'export PATH=$HOME/bin:$PATH; curl https://a.io',
    'command -v wget && wget a.io',
    'which wget || exit 1; wget a.io',
    'export A=b; unset C; wget a.io/a',
    'rm -f a && wget a.io/a',
    'cd /workspace; sed -n 1p a; wget a.io',
    "sed 's/a/b/g' a | sort | uniq -c; wget a.io/b",
    'date; uname -a; sha256sum a; wget a.io',
    'cat a > "temp/$n.json"; wget a.io',
    'for n in a b; do echo "$n" > "$n.txt"; done; wget a.io',
    'cd ..; cat a > b; wget a.io',
    'echo A=b > .env; bash -lc ls',
    'wget -qO- https://a.io > "$out"',
  ])('but not in what people write every day: %s', async (command) => {
    expect((await unclear(command)).filter((why) => /may be made/.test(why))).toEqual([])
  })

  test.each(['python3 /tmp/y.py', 'echo hi; bash /tmp/x.sh', '. /etc/os-release; sort -o temp/y temp/x.sh'])(
    'unless nothing in it could make it: %s',
    async (command) => {
      expect(await unclear(command)).toEqual([])
    },
  )
})

describe('a script that a command runs', () => {
  const script = { 'outputs/x.sh': 'ls outputs\n', 'outputs/usr/bin/x.sh': 'ls outputs\n' }

  test.each([
    'bash outputs/x.sh',
    'bash ./outputs//x.sh',
    'bash /workspace/outputs/x.sh',
    'bash /workspace//outputs/x.sh',
    'bash //workspace/outputs/x.sh',
    '//workspace/outputs/x.sh',
    'bash /./workspace/./outputs/x.sh',
    '. /workspace//outputs/x.sh',
    'bash < //workspace/outputs/x.sh',
    'cd /workspace//outputs && ./x.sh',
    'cd //workspace && bash outputs/x.sh',
    'cd / && bash workspace/outputs/x.sh',
    'env -C /workspace//outputs bash x.sh',
  ])('is bound and read however its path is written: %s', async (command) => {
    const bound = await boundTo(command, script)
    expect(bound.pinned.map(({ path }) => path)).toEqual(['outputs/x.sh'])
    expect(bound.inspection.unclear).toEqual([])
    expect(bound.inspection.subjects).toContain('ls outputs')
  })

  test.each(['/workspace/outputs', '/workspace//outputs', 'outputs/', './outputs'])(
    'also in directory %s',
    async (directory) => {
      expect(await pinned('bash x.sh', script, directory)).toEqual(['outputs/x.sh'])
    },
  )

  test.each([
    'bash /proc/self/cwd/outputs/x.sh',
    'bash //proc/self/cwd/outputs/x.sh',
    'bash /usr/../proc/self/cwd/outputs/x.sh',
    'cd /proc/self/cwd/outputs && bash x.sh',
    'cd //proc/self/cwd && bash outputs/x.sh',
    'cd /proc/self/cwd/outputs && bash ../../../usr/bin/x.sh',
    'bash /proc/self/cwd/../../usr/bin/x.sh',
    'cd / && bash proc/self/cwd/outputs/x.sh',
    'bash /dev/fd/3 3< outputs/x.sh',
    'cd /dev/fd && bash 3',
    'bash /usr/../workspace/outputs/x.sh',
    'bash /tmp/../workspace/outputs/x.sh',
    'bash /srv/x.sh',
    'bash /Workspace/outputs/x.sh',
    '. -p outputs x.sh',
    'source -p /workspace/outputs x.sh',
  ])('is unclear if nobody can say which one it is: %s', async (command) => {
    const { inspection } = await boundTo(command, script)
    expect(inspection.unclear).not.toEqual([])
  })

  test.each(['/usr/bin/env ls', '/usr//bin/env ls', '. /etc/os-release', 'bash /tmp/x.sh', 'cd /tmp && ./x.sh'])(
    'is clear if it comes with the system or the command made it: %s',
    async (command) => {
      const { inspection, pinned } = await boundTo(command, script)
      expect(inspection.unclear).toEqual([])
      expect(pinned).toEqual([])
    },
  )

  test.each([
    'bash outputs/../outputs/x.sh',
    'bash /workspace/../workspace/outputs/x.sh',
    'bash ../workspace/outputs/x.sh',
  ])('doesn’t run if its path goes up: %s', (command) =>
    expect(boundTo(command, script)).rejects.toMatchObject({ code: 'not_bound' }),
  )

  test.each([
    'ln -s ../outputs temp && bash temp/x.sh',
    'ln -s /workspace/uploads /tmp/l && bash /tmp/l/x.sh',
    'cp -r uploads/d temp/d; bash temp/d/x.sh',
    'cd temp && cp ../uploads/y x.sh && bash x.sh',
  ])('is unclear if the command itself writes it, or a folder on the way: %s', async (command) => {
    const { inspection } = await boundTo(command, script)
    expect(inspection.unclear.join()).toContain('written and run by the same command')
  })

  test('doesn’t concern a plain command that goes up and runs no file', async () => {
    const { inspection, parts } = await boundTo('cd outputs && cd .. && ls', script)
    expect(inspection.plain).toBeDefined()
    expect([inspection.unclear, parts]).toEqual([[], []])
  })

  test('is unclear if a script that runs in another folder names it', async () => {
    const files = { 'temp/a.sh': 'bash b.sh\n', 'temp/b.sh': 'pwd\n', 'b.sh': 'pwd\n' }
    const { inspection } = await boundTo('cd temp && bash a.sh', files)
    expect(inspection.unclear).toEqual(['it isn’t clear in which folder b.sh runs'])
    expect((await boundTo('bash a.sh', files, 'temp')).inspection.unclear).toEqual([])
  })

  test('is unclear if a script that is sourced goes to another folder before', async () => {
    const files = {
      'env.sh': 'cd temp\n',
      'x.sh': 'pwd\n',
      'temp/x.sh': 'rm -rf ../outputs\n',
      'y.sh': '. ./env.sh; bash x.sh',
    }
    const unclear = async (command: string) => (await boundTo(command, files)).inspection.unclear
    const why = 'it isn’t clear in which folder x.sh runs'
    for (const command of ['source env.sh && bash x.sh', '. ./env.sh; bash x.sh', 'bash y.sh']) {
      expect(await unclear(command)).toContain(why)
    }
    expect(await unclear('source env.sh')).toEqual([])
    expect(await unclear('source x.sh && bash x.sh')).toEqual([])
  })

  test('is bound by the name that Node makes of it', async () => {
    const files = { 'outputs/x.js': '1', 'outputs/y/index.js': '2', 'outputs/z': '3', 'outputs/z.js': '4' }
    expect(await pinned('node outputs/x', files)).toEqual(['outputs/x.js'])
    expect(await pinned('node outputs/y', files)).toEqual(['outputs/y/index.js'])
    expect(await pinned('bash outputs/z', files)).toEqual(['outputs/z'])
  })

  test('is bound by the name that gawk makes of it', async () => {
    const files = { 'outputs/x.awk': '1' }
    expect(await pinned('gawk -f outputs/x a.csv', files)).toEqual(['outputs/x.awk'])
    expect(await pinned('bash outputs/x', files)).toEqual([])
  })

  test.each([
    'node -e "import \'./temp/lib.mjs\'"',
    'node --input-type=module -e "await import(`/workspace/temp/lib.mjs`)"',
    'node -p "require(\'./temp/lib.mjs\')"',
    "node <<'E'\nimport 'file:///workspace/temp/lib.mjs'\nE",
    'cd temp && node -e "import \'./lib.mjs\'"',
    'cd /workspace/temp && tsx -e "import \'./lib.mjs\'"',
    'bash -c "cd outputs; node -e \'import \\"../temp/lib.mjs\\"\'"',
  ])('is bound with what inline JavaScript imports by a path: %s', async (command) => {
    const files = { 'temp/lib.mjs': "import './more.mjs'", 'temp/more.mjs': '1' }
    expect(await pinned(command, files)).toEqual(['temp/lib.mjs', 'temp/more.mjs'])
  })

  test('is bound with a package that lies where tools write unasked', async () => {
    const files = {
      'temp/a.mjs': "import fs from 'node:fs'\nimport { chart } from '@x/chart'\n",
      'temp/node_modules/@x/chart/index.js': '1',
      'node_modules/@x/chart/index.js': '2',
    }
    const inline = 'node -e "require(\'@x/chart\')"'
    for (const command of ['node temp/a.mjs', `cd temp && ${inline}`])
      expect(await pinned(command, files)).toContain('temp/node_modules/@x/chart/index.js')
    expect(await pinned(inline, files, 'temp')).toEqual(['temp/node_modules/@x/chart/index.js'])
    expect(await pinned(inline, files)).toEqual([])
    const own = { ...files, 'temp/node_modules/@x/chart/package.json': '{ "main": "hidden.js" }' }
    const { inspection } = await boundTo(inline, own, 'temp')
    expect(inspection.unclear).toContain(
      'what the package of temp/node_modules/@x/chart/package.json does is not known',
    )
  })
  const node = (code: string) => `node <<'E'\n${code}\nE`

  test.each<[string, string[]]>([
    ["require('./temp/lib')", ['temp/lib', 'temp/lib.js']],
    ["require('./temp/code.txt')", ['temp/code.txt']],
    ["require('./temp/d')", ['temp/d/index.js', 'temp/d/package.json']],
    ["require('./temp/d/')", ['temp/d/index.js', 'temp/d/package.json']],
    ["process.chdir('temp/d'); require('./temp/d/..')", ['temp/index.js']],
    ["import './temp/$lib.mjs'", ['temp/$lib.mjs']],
    ["require('./temp/data.json')", []],
  ])('is bound with whatever Node may load, which isn’t always data: %s', async (code, paths) => {
    const files = {
      ...{ 'temp/lib': '1', 'temp/lib.js': '2', 'temp/code.txt': '3', 'temp/$lib.mjs': '4', 'temp/index.js': '5' },
      ...{ 'temp/d/index.js': '6', 'temp/d/package.json': '{ "main": "hidden.txt" }', 'temp/data.json': '{}' },
    }
    const { inspection, pinned } = await boundTo(node(code), files)
    expect(pinned.map(({ path }) => path).sort()).toEqual(paths)
    const why = 'what the package of temp/d/package.json does is not known'
    expect(inspection.unclear.includes(why)).toBe(paths.includes('temp/d/package.json'))
    expect((await boundTo(`cd temp && ${node("require('.')")}`, files)).pinned).toMatchObject([
      { path: 'temp/index.js' },
    ])
  })

  test.each([
    './temp/l%69b.mjs',
    './temp/lib.mjs?v=1',
    '/tmp/lib.mjs',
    'file:/workspace/temp/lib.mjs',
    '../workspace/temp/lib.mjs',
    './temp/lib.node',
    '#lib',
    'data:text/javascript,1',
  ])('is unclear if it imports %s, and no file passes for it', async (name) => {
    const files = { 'temp/lib.mjs': '1', 'temp/l%69b.mjs': '2', 'temp/lib.node': '3' }
    const { inspection, pinned } = await boundTo(node(`import '${name}'`), files)
    expect(pinned).toEqual([])
    expect(inspection.unclear).toContain(`what is imported as ${name} is not known`)
  })

  test('is unclear if a name is put together, or there are too many', async () => {
    const unclear = async (code: string) =>
      (await boundTo('node a.mjs', { 'a.mjs': code })).inspection.unclear.filter((why) => /import/.test(why))
    expect(await unclear(`import(\`./\${x}.mjs\`)`)).toEqual([`what is imported as ./\${x}.mjs is not known`])
    expect(await unclear("import './\\x61.mjs'")).toEqual(['what is imported as ./\\x61.mjs is not known'])
    expect(await unclear("import fs from 'node:fs'; import p from 'path'; import x from 'chart'")).toEqual([])
    const many = Array.from({ length: 101 }, (_, at) => `import './${at}.mjs'`).join('\n')
    expect(await unclear(many)).toEqual(['more than 100 names are imported, and the rest aren’t followed'])
  })

  test('in another language isn’t read as bash only because a shell starts it', async () => {
    const files = {
      'temp/tool': "#!/usr/bin/env node\nrequire('./lib.js')\n",
      'temp/a.py': 'import os\nprint("hi")\n',
      'temp/r.sh': 'cd temp; node run\n',
      'temp/run': "require('./lib.js')\n",
      'temp/lib.js': '1',
    }
    const { inspection, pinned } = await boundTo('bash -c ./temp/tool', files)
    expect(pinned.map(({ path }) => path)).toEqual(['temp/tool', 'temp/lib.js'])
    expect(inspection.unclear).toContain('what temp/tool does is not known before it runs')
    const python = await boundTo("bash -c 'python3 temp/a.py'", files)
    expect(python.inspection.unclear).toEqual(['what temp/a.py does is not known before it runs'])
    expect((await boundTo('bash temp/a.py', files)).inspection.subjects).toContain('import os')
    expect((await boundTo('bash temp/r.sh', files)).pinned.map(({ path }) => path)).toContain('temp/lib.js')
  })

  test('looks for packages only where there are any', async () => {
    const code = Array.from({ length: 60 }, (_, at) => `import 'package-${at}'`).join('\n')
    const files = { 'outputs/app/src/a.mjs': code }
    const { parts, inspection } = await boundTo('node outputs/app/src/a.mjs', files)
    expect(parts.join()).not.toContain('node_modules')
    expect(inspection.unclear).toEqual(['what outputs/app/src/a.mjs does is not known before it runs'])
    const other = { ...files, 'outputs/node_modules/package-7/index.js': '1', 'outputs/node_modules/chart.js': '2' }
    expect(await pinned('node outputs/app/src/a.mjs', other)).toContain('outputs/node_modules/package-7/index.js')
    expect(await pinned(`cd outputs && ${node("require('chart.js')")}`, other)).toEqual([
      'outputs/node_modules/chart.js',
    ])
  })
  test('is unclear, not refused, if it’s a package that can’t be shown', async () => {
    const large = 'x'.repeat(100_001)
    const files = { 'temp/node_modules/chart/index.js': large, 'temp/chart.js': large }
    const { inspection } = await boundTo(`cd temp && ${node("require('chart')")}`, files)
    expect(inspection.unclear).toContain(
      'temp/node_modules/chart/index.js is a link, too large or can’t be read, so what it does can’t be shown',
    )
    await expect(boundTo(`cd temp && ${node("require('./chart')")}`, files)).rejects.toMatchObject({
      code: 'not_bound',
    })
  })
})
