import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unruly } from '../mcp/support.ts'
import { openPlace } from '../support/bot-process.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

test('commands and MCP servers have the umask that the bot was started with', async () => {
  const { server, noted, folder } = await unruly()
  const place = await openPlace({
    script: [calls('run_command', { command: 'umask' }), says('Done.')],
    files: { 'mcp_servers.yaml': JSON.stringify({ servers: { unruly: server } }) },
    through: ['/bin/sh', '-c', 'umask 023; exec "$@"', 'sh'],
  })
  const bot = await place.start()
  const said = await bot.chat.say('@run_command What is your umask?')
  expect(JSON.stringify(said.events)).toMatch(/\D0023\D/)
  await until('the server', () => noted('starts').length > 0)
  expect((await stat(join(folder, 'starts'))).mode & 0o777).toBe(0o644)
  expect((await stat(join(place.dataDir, 'bobbin.db'))).mode & 0o777).toBe(0o600)
})
