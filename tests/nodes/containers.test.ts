import { expect, test } from 'vitest'
import { says } from '../support/model-server.ts'
import { withoutSandbox } from '../support/sandbox.ts'
import { openNodes } from './support.ts'

/** Like a container: the host name and the process id inside are always the same. */
const through = ['bwrap', '--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--as-pid-1', '--die-with-parent']

test.skipIf(withoutSandbox)(
  'two containers with one name, one host name and one process id: the second is refused; the next life of a killed one isn’t',
  async () => {
    const nodes = await openNodes({
      through,
      // It beats five times as often, and the second waits for that.
      settings: { engine: { silent_ms: 30_000 } },
      script: [says('Hello.'), says('Hello.')],
    })
    const place = await nodes.place('one')
    const first = await place.start()
    const second = place.launch()
    expect(await second.ended).toBe(1)
    expect(second.said()).toContain('Another Bobbin is running as one on this database (process 1 on ')
    expect((await first.chat.say('hi')).text).toBe('Hello.')
    first.signal('SIGKILL')
    await first.ended
    const next = await place.start()
    expect((await next.chat.say('hi')).text).toBe('Hello.')
  },
)
