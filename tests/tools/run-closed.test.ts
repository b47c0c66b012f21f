import { describe, expect, test } from 'vitest'
import { begunBefore } from '../support/begun-before.ts'
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
    ['memory', "python3 -c 'x = bytearray(700_000_000); import time; time.sleep(500)'", ['limits']],
    ['time', 'sleep 500', ['limits']],
    ['both', 'touch uploads/x; sleep 500', ['uploads', 'limits']],
  ])('%s', async (_, command, needs) => {
    const asksFor = `call it again with needs: ${JSON.stringify(needs)}; a person will be asked.]`
    const result = await begunBefore(
      async (timeoutMs) => {
        // Whatever is not about time has enough of it.
        const own = command.endsWith('sleep 500') ? { timeoutMs } : {}
        const sandbox = { ...defaultLimits.sandbox, closed: { ...defaultLimits.sandbox.closed, ...own } }
        const { run, put } = await bench({ sandbox }, closed)
        await put('uploads/a.txt', 'kept')
        return run('run_command', { command })
      },
      (said) => said.includes(asksFor) || !command.endsWith('sleep 500'),
    )
    expect(result).toMatch(/^\[[^\n]*\]\n\[This ran in the closed sandbox, because nobody approved exactly this call: /)
    expect(result).toContain(asksFor)
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
