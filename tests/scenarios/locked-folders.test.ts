import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unprivileged } from '../backup/support.ts'
import { openPlace } from '../support/bot-process.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

/** A thread of a bot that permissions bind, in which these commands have run. */
async function threadAfter(...commands: string[]) {
  const script = [...commands.map((command) => calls('run_command', { command })), says('Done.')]
  const place = await openPlace({ script, through: unprivileged })
  const { chat } = await place.start()
  const { conversation } = await chat.say('@run_command go', { files: { 'a.txt': 'hello' } })
  const told = async (text: string) => {
    const { events } = await chat.say(text, { conversation })
    return events
      .flatMap((one) => (one.type === 'message' && one.data.role === 'assistant' ? [one.data.text] : []))
      .join()
  }
  const results = () => place.model.requests.slice(1).map(({ messages }) => String(messages.at(-1)?.content))
  return { conversation, folder: join(place.dataDir, 'workspace'), told, results }
}

test('a folder that can’t be entered is counted, and commands still run', async () => {
  const { told, results } = await threadAfter(
    'mkdir -p outputs/pack/in && echo hello > outputs/pack/in/b.txt && chmod -Rv 644 outputs/pack',
    'cat outputs/pack/in/b.txt; chmod -R 644 outputs/pack',
  )
  expect(results()).toEqual([expect.stringContaining('to 0644 (rw-r--r--)'), expect.stringMatching(/^hello$/m)])
  expect(await told('/status')).toContain('- Files: 2 (11 bytes')
})

describe('folders that can’t be changed, as of Go’s modules,', () => {
  const pack = 'mkdir -p temp/pack/in && echo hello > temp/pack/in/b.txt && chmod -R a-w temp/pack'

  test('are removed by reset', async () => {
    const { conversation, folder, told } = await threadAfter(pack)
    expect(await told('/reset')).toContain('cleared')
    expect(await readdir(join(folder, conversation, 'temp'))).toEqual([])
  })

  test('go with their thread', async () => {
    const { folder, told } = await threadAfter(pack)
    await told('delete yes')
    await until('nothing is left', async () => (await readdir(folder)).length === 0)
  })
})
