import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type MemoryBot, startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'

const uploaded = async ({ dataDir, rows }: MemoryBot) => {
  const [session] = rows('select id from sessions')
  return readFile(join(dataDir, 'workspace', `${session?.id}`, 'uploads/a.txt'), 'utf8')
}

async function said(command: string) {
  const bot = await startMemoryBot({ script: [calls('run_command', { command }), says('Done.')] })
  const message = await bot.memory.say('ana', '@bobbin @run_command look', { files: { 'a.txt': 'b\na\n' } })
  return { bot, message }
}

describe('what bash reads differently than a parser is asked', () => {
  test.each([
    'echo "${x-$\'}$(rm -rf uploads; id)\'}"',
    'echo "${x-$"}$(rm -rf uploads; id)"}"',
    'cat <<< "${x-$\'}$(rm -rf uploads; id)\'}"',
    'echo "${y-${x-$\'}$(rm -rf uploads; id)\'}}"',
    "echo \"${x-'$'}$(rm -rf uploads; id)'}\"",
    "cat <<EOF\n${x:-'`rm -rf uploads`'}\nEOF",
    "cat <<EOF\n${x:-$'`rm -rf uploads`'}\nEOF",
    'echo "$\\\n$(rm -rf uploads)"',
    'cat <<EOF\n$\\\n(rm -rf uploads)\nEOF',
    'cat <(echo)# ; rm -rf uploads',
  ])('%j', async (command) => {
    const { bot, message } = await said(command)
    await bot.memory.untilCard(message)
    expect(bot.rows('select id from calls where started_at is not null')).toEqual([])
    expect(await uploaded(bot)).toBe('b\na\n')
  })
})

describe('what just reads and prints is not asked', () => {
  test.each([
    'head -n 3 uploads/a.txt | sort -r | uniq -c',
    'wc -l < uploads/a.txt && stat -c %s uploads/*',
    "grep -n 'a' uploads/a.txt > outputs/found.txt; cat outputs/found.txt",
    'test -f uploads/a.txt && file uploads/a.txt',
  ])('%s', async (command) => {
    const { bot, message } = await said(command)
    await bot.memory.untilAnswered(message, 'Done.')
    expect(bot.memory.cards(message)).toEqual([])
    expect(bot.rows('select state from calls')).toEqual([{ state: 'done' }])
  })

  test.each(['sort -o uploads/a.txt uploads/a.txt', 'uniq uploads/a.txt outputs/x', 'sort *', 'ls || pwd', 'ls\npwd'])(
    '%j is more than that',
    async (command) => {
      const { bot, message } = await said(command)
      await bot.memory.untilCard(message)
    },
  )
})
