import { describe, expect, test } from 'vitest'
import { bench, defaultLimits } from './support.ts'

const closed = { granted: { hosts: ['a.example'], pinned: [], closed: true } }

describe('what failed because the sandbox was closed says what it needs', () => {
  test.each<[string, string, string[]]>([
    ['a file in uploads/', 'echo x > uploads/a.txt', ['uploads']],
    ['the same from Python', "python3 -c \"open('uploads/b', 'w')\"", ['uploads']],
    ['a host by its name', 'python3 -c "import urllib.request as u; u.urlopen(\'http://a.example\')"', ['network']],
    ['an address', 'echo x > /dev/tcp/192.0.2.1/80', ['network']],
    ['a large file', 'head -c 9000000 /dev/zero > outputs/x', ['limits']],
    ['a full /tmp', 'head -c 9000000 /dev/zero | split -b 1000000 - /tmp/x', ['limits']],
    ['memory', "python3 -c 'x = bytearray(700_000_000); import time; time.sleep(60)'", ['limits']],
    ['time', 'sleep 60', ['limits']],
    ['both', 'touch uploads/x; sleep 60', ['uploads', 'limits']],
  ])('%s', async (_, command, needs) => {
    // Whatever is not about time has enough of it.
    const timeoutMs = command.endsWith('sleep 60') ? 2_000 : 60_000
    const sandbox = { ...defaultLimits.sandbox, closed: { ...defaultLimits.sandbox.closed, timeoutMs } }
    const { run, put } = await bench({ sandbox }, closed)
    await put('uploads/a.txt', 'kept')
    const result = await run('run_command', { command })
    expect(result).toMatch(/^\[[^\n]*\]\n\[This ran in the closed sandbox, because nobody approved exactly this call: /)
    expect(result).toContain(`call it again with needs: ${JSON.stringify(needs)}; a person will be asked.]`)
  })

  test.each([
    ['what failed by itself', 'cat none; exit 1'],
    ['what went well', 'echo "Network is unreachable"; echo x > outputs/a'],
  ])('and %s says nothing', async (_, command) => {
    const { run } = await bench({}, closed)
    expect(await run('run_command', { command })).not.toContain('closed sandbox')
  })

  test('nobody is asked for network where no rule names a host', async () => {
    const none = { granted: { ...closed.granted, hosts: [] } }
    const { run } = await bench({}, none)
    const reach = 'echo x > /dev/tcp/192.0.2.1/80'
    const said = await run('run_command', { command: reach })
    expect(said).toContain('[It has no network, and an approval wouldn’t give it any')
    expect(said).not.toContain('needs:')
    const both = await run('run_command', { command: `touch uploads/x; ${reach}` })
    expect(both).toContain('call it again with needs: ["uploads"]; a person will be asked. It has no network')
  })

  test('a shorter time that was asked for ends the command', async () => {
    const { run } = await bench({}, closed)
    expect(await run('run_command', { command: 'sleep 60', timeout_ms: 300 })).not.toContain('closed sandbox')
  })
})
