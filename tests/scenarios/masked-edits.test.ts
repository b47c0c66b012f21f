import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startMemoryBot } from '../support/memory-platform.ts'
import { calls, says } from '../support/model-server.ts'
import { asked, audited, yes } from './trust.ts'

const password = ['k7Qz9f', 'Lw2xV'].join('')
const compose = (zone: string, value = password) =>
  `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${value}\n      TZ: ${zone}\n  web:\n    image: x\n`
const path = 'uploads/docker-compose.yml'
const shown = '[secret: a password]'

/** What the model saw, with what it wants to change. */
const block = (zone: string) => `  db:\n    environment:\n      POSTGRES_PASSWORD: ${shown}\n      TZ: ${zone}\n  web:`

const edit = { old_string: block('UTC'), new_string: block('Europe/Berlin') }

test.each([
  ['edit_file', { path, ...edit }],
  ['multi_edit', { path, edits: [{ old_string: 'image: x', new_string: 'image: y' }, edit] }],
  ['write_file', { path, content: compose('Europe/Berlin', shown) }],
  ['run_command', { command: `cat > ${path} <<'E'\n${compose('Europe/Berlin', shown)}E` }],
  ['run_script', { language: 'python', code: `open('${path}', 'w').write('''${compose('Europe/Berlin', shown)}''')` }],
])(
  'a password that the model isn’t shown is never replaced by its mask, and nobody is asked: %s',
  async (tool, input) => {
    const bot = await startMemoryBot({
      script: [
        calls('read_file', { path }),
        calls(tool, input),
        calls('edit_file', { path, old_string: 'TZ: UTC', new_string: 'TZ: Europe/Berlin' }),
        says('Done.'),
      ],
      config: { rules: asked(), engine: { clockMs: 20 } },
    })
    const { memory } = bot
    const files = { 'docker-compose.yml': compose('UTC') }
    const message = await memory.say('ana', `@bobbin @${tool} set the time zone to Europe/Berlin`, { files })
    const card = await memory.untilCard(message)
    await memory.click('ana', card, yes)
    await memory.eventually(() => expect(memory.answers(message).join('\n')).toContain('Done.'))
    const refusal = bot.rows("select text from messages where role = 'tool'").map(({ text }) => String(text))[1]
    expect(refusal).toMatch(
      /contains “\[secret: a password\]”, which stands for a value you aren’t shown\. Leave it out/,
    )
    expect(memory.cards(message)).toHaveLength(1)
    const [name] = await readdir(`${bot.dataDir}/workspace`)
    expect(await readFile(`${bot.dataDir}/workspace/${name}/${path}`, 'utf8')).toBe(compose('Europe/Berlin'))
    await audited(bot)
  },
)

test('a file about masks can be edited and rewritten, but a mask is never put over a password in it', async () => {
  const about = (zone: string, value = password) => `# shown as ${shown}\n${compose(zone, value)}`
  const bot = await startMemoryBot({
    script: [
      calls('read_file', { path }),
      calls('edit_file', { path, old_string: `# shown as ${shown}`, new_string: `# people see ${shown} or ${shown}` }),
      calls('edit_file', { path, ...edit }),
      calls('write_file', { path, content: about('Europe/Berlin', shown).repeat(2) }),
      calls('write_file', { path: 'uploads/new.yml', content: about('UTC', 'x') }),
      calls('write_file', { path, content: `# people see ${shown} or ${shown}\n` }),
      says('Done.'),
    ],
    config: { rules: asked(), engine: { clockMs: 20 } },
  })
  const { memory } = bot
  const files = { 'docker-compose.yml': about('UTC') }
  const message = await memory.say('ana', '@bobbin @edit_file @write_file rewrite it', { files })
  await memory.click('ana', await memory.untilCard(message), yes)
  await memory.eventually(() => expect(memory.cards(message)).toHaveLength(2))
  const [name] = await readdir(`${bot.dataDir}/workspace`)
  const text = () => readFile(`${bot.dataDir}/workspace/${name}/${path}`, 'utf8')
  expect(await text()).toBe(`# people see ${shown} or ${shown}\n${compose('UTC')}`)
  await memory.click('ana', await memory.untilCard(message), yes)
  await memory.eventually(() => expect(memory.answers(message).join('\n')).toContain('Done.'))
  expect(await text()).toBe(`# people see ${shown} or ${shown}\n`)
  await audited(bot)
})
