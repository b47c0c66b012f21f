import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/domain/tool.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says } from '../support/model-server.ts'

/** So random that no database compresses it. */
const deep = Array.from({ length: 11 }, () => randomBytes(125).toString('hex')).join('/')

/** Writes as a command does, which isn't bound to the paths that the workspace takes. */
const unpack = defineTool({
  ...{ kind: 'run', name: 'unpack', description: 'Unpacks.', effect: 'write' },
  input: z.strictObject({ paths: z.array(z.string()) }),
  async run({ paths }, { workspace }) {
    for (const path of paths.map((path) => join(workspace.root, path))) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, 'x')
    }
    return 'unpacked'
  },
})

interface Listed {
  turns: { changes: { path: string; change: string }[] }[]
}

test('a file whose path is too long to be stored costs neither the answer nor what else there is', async () => {
  const bot = await startTestBot({
    plugins: [{ name: 'unpack', tools: [unpack] }],
    config: { rules: { defaults: { read: 'allow', write: 'allow', external: 'allow' } } },
    script: [
      calls('unpack', { paths: [`outputs/${deep}/a.txt`, 'outputs/b.txt', `temp/${deep}/c.txt`] }),
      says('Unpacked.'),
      calls('read_file', { path: `outputs/${deep}/a.txt` }),
      says('Still here.'),
      calls('write_file', { path: `outputs/${deep}/a.txt`, content: 'y' }),
      says('It can’t be changed.'),
    ],
  })
  const { conversation, text, events } = await bot.chat.say('unpack it')
  expect(text).toBe('Unpacked.')
  expect(ofType(events, 'complete')[0]?.data.files).toMatchObject([{ path: 'outputs/b.txt' }])
  const { turns } = await bot.chat.get<Listed>(`/agent/conversations/${conversation}/files`)
  expect(turns).toMatchObject([{ changes: [{ path: 'outputs/b.txt', change: 'added' }] }])
  const result = () => JSON.stringify(bot.model.requests.at(-1)?.messages).slice(-500)
  expect((await bot.chat.say('read it', { conversation })).text).toBe('Still here.')
  expect(result()).toContain('a.txt: it has 1 line.')
  expect((await bot.chat.say('change it', { conversation })).text).toBe('It can’t be changed.')
  expect(result()).toContain('is too long: at most 64 names and 2000 bytes')
})
