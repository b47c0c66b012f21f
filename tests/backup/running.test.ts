import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { openPlace, type Place } from '../support/bot-process.ts'
import { type Client, ofType } from '../support/client.ts'
import { calls, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { launch, standingStillAt, unprivileged } from './support.ts'

const change = { path: 'uploads/a.txt', content: 'changed' }

function script({ messages }: RequestBody): ScriptedReply {
  const last = messages.at(-1)
  const text = JSON.stringify(messages.filter(({ role }) => role === 'user'))
  const said = JSON.stringify(last?.content)
  if (said.includes('talk')) return says(`Noted: ${said.length}`)
  if (text.includes('tea time') && last?.role === 'user') return says('Tea is ready.')
  if (text.includes('go approve')) return last?.role === 'tool' ? says('Changed.') : calls('write_file', change)
  if (text.includes('go remind'))
    return last?.role === 'tool' ? says('Set.') : calls('alarm_set', { at: 'PT30S', message: 'tea time' })
  return says('?')
}

/** A message whose answer isn't waited for. */
async function begin(chat: Client, message: string, files?: Record<string, string>): Promise<string> {
  const response = await chat.send(message, files === undefined ? {} : { files })
  void response.body?.cancel().catch(() => {})
  return response.headers.get('x-conversation-id') ?? ''
}

async function told(chat: Client, conversation: string): Promise<string[]> {
  const messages = ofType(await chat.events(conversation), 'message')
  return messages.flatMap(({ data }) => (data.role === 'assistant' ? [data.text] : []))
}

/** The place of a bot that is restored from a backup of another one, with its model. */
const placeBeside = (place: Place) => openPlace({ rules: {}, environment: { MODEL_BASE_BASE_URL: place.model.url } })

test('a backup made while turns run is restored elsewhere: approvals, alarms, threads and files go on', async () => {
  const here = await openPlace({ script, rules: {} })
  const first = await here.start()
  const approve = await begin(first.chat, 'go approve', { 'a.txt': 'old' })
  await until('the approval', async () => (await first.chat.requests()).length === 1)
  const remind = await first.chat.say('go remind')
  await symlink('/etc/passwd', join(here.dataDir, 'workspace', approve, 'outputs', 'link'))
  const long = join(here.dataDir, 'workspace', approve, 'outputs', `${'ä'.repeat(90)}.sh`)
  await writeFile(long, 'true\n')
  await chmod(long, 0o755)

  // Turns run all the while.
  const turns = { ended: 0, isOver: false }
  const talk = async () => {
    for (let turn = 0; !turns.isOver; turn++) {
      await first.chat.say(`talk ${turn}`, { files: { 'b.txt': 'b'.repeat(10_000) } })
      turns.ended++
    }
  }
  const talking = Promise.all([talk(), talk(), talk()])
  await until('some turns', () => turns.ended >= 3)
  const before = turns.ended
  const file = join(await mkdtemp(join(here.dataDir, '../backup-')), 'b.tar.gz')
  const made = await bobbin(here.dataDir, 'backup', file)
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('Left out: 1 link or special file.')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const whileRunning = turns.ended
  await until('more turns', () => turns.ended > whileRunning)
  turns.isOver = true
  await talking
  expect(first.said()).not.toContain('"level":50')
  first.signal('SIGKILL')
  await first.ended

  const there = await placeBeside(here)
  const restored = await bobbin(there.dataDir, 'restore', file)
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(await readdir(there.dataDir)).not.toContain('.restoring')
  expect(rowsIn(join(there.dataDir, 'bobbin.db'), 'select 1 from turns').length).toBeGreaterThan(before)
  const second = await there.start()
  expect(second.said()).not.toMatch(/Something is missing|older than/)
  const { chat } = second
  const [card] = await chat.requests()
  expect((await chat.answer(card?.id ?? '', { decision: 'approve', user_id: 'ana' })).status).toBe(200)
  await until('the answer', async () => (await told(chat, approve)).includes('Changed.'))
  const workspace = join(there.dataDir, 'workspace', approve)
  expect(await readFile(join(workspace, change.path), 'utf8')).toBe(change.content)
  expect((await stat(join(workspace, 'outputs', `${'ä'.repeat(90)}.sh`))).mode & 0o777).toBe(0o700)
  expect(await readdir(join(workspace, 'outputs'))).not.toContain('link')
  await until('the alarm', async () => (await told(chat, remind.conversation)).includes('Tea is ready.'))
  const again = await chat.say('talk again', { conversation: remind.conversation })
  expect(again.text).toContain('Noted')
  expect((await bobbin(there.dataDir, 'audit', 'verify')).out).toContain('The audit log is intact')
})

test('a folder that a command has locked is in the backup, and what can’t be read is named', async () => {
  const here = await openPlace({ script, rules: {} })
  const life = await here.start()
  const { conversation } = await life.chat.say('talk', { files: { 'b.txt': 'b' } })
  const outputs = join(here.dataDir, 'workspace', conversation, 'outputs')
  for (const name of ['open', 'locked', 'half']) await mkdir(join(outputs, name), { recursive: true })
  for (const path of ['open/secret', 'locked/a', 'half/b']) await writeFile(join(outputs, path), path)
  await chmod(join(outputs, 'open/secret'), 0)
  await chmod(join(outputs, 'locked'), 0)
  await chmod(join(outputs, 'half'), 0o600)
  const file = join(await mkdtemp(join(here.dataDir, '../backup-')), 'b.tar.gz')
  const made = launch(here.dataDir, ['backup', file], unprivileged)
  expect([await made.ended, made.said()]).toEqual([
    0,
    expect.stringMatching(new RegExp(`isn’t allowed to read them, .*:\n  ${join(outputs, 'open/secret')}\n`)),
  ])
  const there = await placeBeside(here)
  expect(await bobbin(there.dataDir, 'restore', file)).toMatchObject({ code: 0 })
  const found = await readdir(join(there.dataDir, 'workspace', conversation, 'outputs'), { recursive: true })
  expect(found.toSorted()).toEqual(['half', 'half/b', 'locked', 'locked/a'])
})

test('whatever a backup is killed at, nothing has its name until it is whole, and the next one tidies up', async () => {
  const here = await openPlace({ script, rules: {} })
  const life = await here.start()
  await life.chat.say('talk', { files: { 'b.txt': 'b' } })
  const folder = await mkdtemp(join(here.dataDir, '../backup-'))
  for (const moment of ['', 'bobbin.db', 'b.tar.gz']) {
    const before = await readdir(folder)
    const killed = launch(here.dataDir, ['backup', join(folder, 'b.tar.gz')], standingStillAt(1))
    await until(`the moment ${moment}`, async () => {
      const [scratch] = (await readdir(folder)).filter((name) => !before.includes(name))
      return scratch !== undefined && (moment === '' || (await readdir(join(folder, scratch))).includes(moment))
    })
    killed.kill()
    expect(await killed.ended).toBe('SIGKILL')
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.bobbin-backup-/)])
  }
  expect(await bobbin(here.dataDir, 'backup', join(folder, 'c.tar.gz'))).toMatchObject({ code: 0 })
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a restore that was killed leaves no database, and is begun again by the same command', async () => {
  const here = await openPlace({ script, rules: {} })
  const life = await here.start()
  const { conversation } = await life.chat.say('talk', { files: { 'b.txt': 'b' } })
  for (let number = 0; number < 20; number++)
    await writeFile(join(here.dataDir, 'workspace', conversation, 'outputs', `${number}`), 'x'.repeat(1_000))
  const file = join(await mkdtemp(join(here.dataDir, '../backup-')), 'b.tar.gz')
  expect(await bobbin(here.dataDir, 'backup', file)).toMatchObject({ code: 0 })
  const there = await placeBeside(here)
  const killed = launch(there.dataDir, ['restore', file], standingStillAt(10))
  await killed.untilStill()
  killed.kill()
  expect(await killed.ended).toBe('SIGKILL')
  expect(await readdir(there.dataDir)).toEqual(['.restoring'])
  await expect(there.start()).rejects.toThrow('Run the same `bobbin restore` again')
  expect(await bobbin(there.dataDir, 'restore', file)).toMatchObject({ code: 0 })
  expect((await readdir(join(there.dataDir, 'workspace', conversation, 'outputs'))).length).toBe(20)
  // As if it had been killed before it removed this.
  await mkdir(join(there.dataDir, '.restoring', 'data'), { recursive: true })
  expect((await bobbin(there.dataDir, 'restore', file)).err).toContain('Start Bobbin')
  // The other one still runs, and its lock doesn't count here.
  const second = await there.start()
  expect(await told(second.chat, conversation)).toHaveLength(1)
  expect(await readdir(there.dataDir)).not.toContain('.restoring')
})
