import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { saveFile } from '../../src/cli/chat/save-file.ts'
import { Server } from '../../src/cli/chat/server.ts'
import { eventText } from '../../src/cli/chat/shown.ts'
import { typed } from '../../src/cli/chat/typed.ts'
import { scratch } from '../support/store.ts'

test('nothing of a file whose download breaks off is left', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-length', '100')
    response.write('the beginning', () => response.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = await scratch()
  const saved = saveFile(new Server({ url, token: undefined }), 'ses_1', 'outputs/a.md', join(folder, 'a.md'))
  await expect(saved).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
})

test.each(['outputs/a.md', 'outputs/Q3 report.md', 'outputs/it’s "final" it is.md', "outputs/it's done.md"])(
  'what the chat suggests for saving %s names this file',
  (path) => {
    const data = { turn_id: 'turn_1', content: '', files: [{ path, size: 1 }], steps: 1 }
    const shown = eventText({ event_id: 1, type: 'complete', timestamp: '', conversation_id: 'ses_1', data } as never)
    const [, suggested = ''] = /(\/get .*) saves it here/.exec(shown ?? '') ?? []
    expect(typed(suggested)).toEqual({ kind: 'get', path, to: undefined })
  },
)
