import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, type RequestBody, says } from '../support/model-server.ts'
import { asked, heard, yes } from './trust.ts'

const folders = ['uploads', 'outputs', 'temp']
const all = (body: RequestBody | undefined): string => JSON.stringify(body?.messages)

async function thread() {
  const bot = await startTestBot({ script: () => says('I see.') })
  const { conversation } = await bot.chat.say('one', { files: { 'a.txt': 'hello' } })
  const root = join(bot.dataDir, 'workspace', conversation)
  const remove = () => Promise.all(folders.map((name) => rm(join(root, name), { recursive: true })))
  return { bot, conversation, root, remove }
}

describe('the folders of a thread are created again, and the thread is told', () => {
  test.each(['missing', 'links', 'files', 'missing, and the bot starts again'])('%s', async (how) => {
    const { bot, conversation, root, remove } = await thread()
    const outside = join(bot.dataDir, 'outside')
    await mkdir(outside)
    await remove()
    if (how === 'links') for (const name of folders) await symlink(outside, join(root, name))
    if (how === 'files') for (const name of folders) await writeFile(join(root, name), `was ${name}`)
    if (how.includes('again')) await bot.restart()

    const { events } = await bot.chat.say('two', { conversation, files: { 'b.txt': 'hello again' } })
    expect(await readFile(join(root, 'uploads/b.txt'), 'utf8')).toBe('hello again')
    expect(await readdir(outside)).toEqual([])
    const said = {
      missing: 'uploads/, outputs/, and temp/ were missing, so I created them again, empty.',
      links: 'Instead of the folder uploads/ there was a link, and links are never followed: I removed it',
      files: 'There was a file instead of the folder uploads/: I moved it to temp/uploads-',
    }[how.split(',')[0] as 'missing']
    expect(ofType(events, 'warning').map(({ data }) => data)).toEqual([
      expect.objectContaining({ code: 'workspace_mended', message: expect.stringContaining(said) }),
    ])
    expect(all(bot.model.requests.at(-1))).toContain(`[The program] `)
    expect(all(bot.model.requests.at(-1))).toContain(said)
    if (how === 'files') {
      const kept = (await readdir(join(root, 'temp'))).map((name) => readFile(join(root, 'temp', name), 'utf8'))
      expect((await Promise.all(kept)).sort()).toEqual(['was outputs', 'was temp', 'was uploads'])
    }
    // It is said once.
    expect(ofType((await bot.chat.say('three', { conversation })).events, 'warning')).toEqual([])
  })

  test('so is the whole workspace, when its folder is gone', async () => {
    const { bot, conversation, root } = await thread()
    await rm(root, { recursive: true })
    await bot.chat.say('two', { conversation, files: { 'b.txt': 'hello' } })
    expect(existsSync(join(root, 'uploads/b.txt'))).toBe(true)
  })

  test('its files are listed, and the next message says what was repaired', async () => {
    const { bot, conversation, remove } = await thread()
    await remove()
    const listed = await fetch(`${bot.chat.url}/api/v1/agent/conversations/${conversation}/files`)
    expect([listed.status, await listed.json()]).toEqual([200, expect.objectContaining({ files: [] })])
    const { events } = await bot.chat.say('two', { conversation })
    expect(ofType(events, 'warning').map(({ data }) => data.code)).toEqual(['workspace_mended'])
  })

  test('in the middle of a turn, after a command without a sandbox', async () => {
    const bot = await startMemoryBot({
      script: [
        calls('run_command', { command: 'rm -rf outputs uploads temp; ln -s /etc outputs; echo x > temp' }),
        calls('write_file', { path: 'outputs/a.txt', content: 'hello' }),
        says('Done.'),
      ],
      sandbox: openSandbox({ bwrap: '/nonexistent' }),
      config: { rules: asked(), sections: { sandbox: { required: false } } },
    })
    const message = await bot.memory.say('ana', '@bobbin @run_command')
    await bot.memory.click('ben', await bot.memory.untilCard(message), yes)
    await bot.memory.eventually(() => expect(bot.memory.cards(message)).toHaveLength(2))
    expect(heard(bot)).toContain('[uploads/ was missing, so I created it again, empty.')
    expect(heard(bot)).toContain('Instead of the folder outputs/ there was a link')
    expect(heard(bot)).toContain('There was a file instead of the folder temp/: I moved it to temp/temp-')
    await bot.memory.click('ben', await bot.memory.untilCard(message), yes)
    await bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toContain('Done.'))
    const [session] = readdirSync(join(bot.dataDir, 'workspace'))
    expect(await readFile(join(bot.dataDir, 'workspace', `${session}`, 'outputs/a.txt'), 'utf8')).toBe('hello')
  })
})

test('a thread without files has no folder, until a tool is called', async () => {
  const bot = await startTestBot({
    script: ({ messages }) =>
      /\blook\s*$/.test(String(messages.at(-1)?.content)) ? calls('list_files', {}) : says('Yes.'),
  })
  const { conversation } = await bot.chat.say('hello')
  const root = join(bot.dataDir, 'workspace', conversation)
  expect(existsSync(root)).toBe(false)
  await bot.chat.say('/reset', { conversation })
  expect(existsSync(root)).toBe(false)

  const { events } = await bot.chat.say('look', { conversation })
  expect(ofType(events, 'warning')).toEqual([])
  expect(readdirSync(root)).toEqual(expect.arrayContaining(folders))
})
