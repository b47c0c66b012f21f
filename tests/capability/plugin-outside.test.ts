import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'

const document = resolve(import.meta.dirname, '../../docs/extending.md')

/** A configuration elsewhere with the plug-in of the document, which can import nothing from there. */
async function configured(settings: string): Promise<string> {
  const [, code = ''] = /```js\n(.*?)```/s.exec(await readFile(document, 'utf8')) ?? []
  const directory = await scratch()
  await writeFile(join(directory, 'tickets.mjs'), code)
  await writeFile(join(directory, 'bobbin.yaml'), `plugins: [{ path: tickets.mjs }]\ntickets: ${settings}\n`)
  return directory
}

test('the plug-in of the document works outside of the clone: with its setting, and a call that may have been made', async () => {
  const configDir = await configured('{ url: "http://127.0.0.1:9/tracker" }')
  const bot = await startTestBot({
    script: [calls('close_ticket', { number: 7 }), says('I don’t know whether it is closed.')],
    environment: { BOBBIN_CONFIG_DIR: configDir },
    config: { rules: { approvals: false } },
  })
  const { events } = await bot.chat.say('close ticket 7')
  expect(ofType(events, 'observe').map(({ data }) => data)).toMatchObject([{ status: 'unknown' }])
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toContain('The tracker can’t be reached: ')
})
