import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const files = { 'a.txt': 'old' }

test.each(['ls 2>/dev/null', 'cat < uploads/a.txt', 'echo hi > temp/new.txt', 'ls >&2', 'echo a >> outputs/log.txt'])(
  '%s is not asked',
  async (command) => {
    const bot = await startMemoryBot({ script: [calls('run_command', { command }), says('Done.')] })
    const message = await bot.memory.say('ana', '@bobbin @run_command look', { files })
    await bot.memory.untilAnswered(message, 'Done.')
    expect(bot.memory.cards(message)).toEqual([])
  },
)

test.each(['echo hi > uploads/a.txt', 'cd uploads && echo hi > a.txt', 'echo hi > /workspace//uploads/./A.txt'])(
  '%s is asked: a person uploaded it',
  async (command) => {
    const bot = await startMemoryBot({ script: [calls('run_command', { command }), says('Done.')] })
    const message = await bot.memory.say('ana', '@bobbin @run_command look', { files })
    const request = await bot.memory.untilCard(message)
    expect(request).toMatchObject({ payload: { reason: expect.stringContaining('a person uploaded') } })
  },
)

test.each([
  ['echo hi > Makefile', ['Makefile']],
  ['cd temp && echo hi >> notes.txt', ['notes.txt (in the folder that it changes to)']],
  ['echo hi > "$NAME.txt"', ['a file whose name is only known when it runs']],
  ['cp uploads/a.txt outputs/b.txt && ls > uploads/list.txt 2>/dev/null', ['uploads/list.txt']],
  ['echo hi > /etc/motd > outputs/x.txt', ['/etc/motd']],
])('the card of %s says which file is written', async (command, writes) => {
  const bot = await startMemoryBot({ script: [calls('run_command', { command }), says('Done.')] })
  const message = await bot.memory.say('ana', '@bobbin @run_command write', { files })
  expect(await bot.memory.untilCard(message)).toMatchObject({ payload: { writes } })
})
