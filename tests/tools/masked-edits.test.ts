import { expect, test } from 'vitest'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { builtinTools } from '../../src/wiring/capabilities.ts'
import { bench } from './support.ts'

const { mask } = createSecrets([])
const password = ['k7Qz9f', 'Lw2xV'].join('')
const shown = '[secret: a password]'
const path = 'temp/a.yml'

/** Checks a call as the pipeline does, and runs it on a file with this text. Returns what the file has then. */
async function changed(before: string, name: string, input: object): Promise<string> {
  const { run, put, text, context } = await bench({}, { mask })
  if (before !== '') await put(path, before)
  const tool = builtinTools.find((tool) => tool.name === name)
  if (tool?.kind !== 'run') throw new Error(`no tool ${name}`)
  const whole = { path, ...input }
  await tool.check?.(tool.input.parse(whole), context)
  await run(name, whole)
  return await text(path)
}

const refused = (before: string, name: string, input: object) =>
  expect(changed(before, name, input)).rejects.toMatchObject({ code: 'masked' })

const compose = `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${password}\n      TZ: UTC\n  web:\n    image: x\n`
const block = (zone: string, value: string) =>
  `  db:\n    environment:\n      POSTGRES_PASSWORD: ${value}\n      TZ: ${zone}\n  web:`

test.each(['(hidden)', '***', '[secret: …]', '[secret: a password', 'another-0ne!'])(
  'a block that is only nearly the file’s replaces no value that the model isn’t shown: %s',
  async (value) => {
    const edit = { old_string: block('UTC', value), new_string: block('Europe/Berlin', value) }
    for (const text of [compose, compose.replaceAll('\n', '\r\n'), `# as ${shown}\n${compose}`]) {
      await refused(text, 'edit_file', edit)
      await refused(text, 'multi_edit', { edits: [{ old_string: 'image: x', new_string: 'image: y' }, edit] })
    }
  },
)

test('a block that is only nearly the file’s replaces what the model is shown', async () => {
  const text = compose.replace(password, shown)
  const edit = { old_string: block('UTC', '(hidden)'), new_string: block('UTC', 'x') }
  expect(await changed(text, 'edit_file', edit)).toBe(compose.replace(password, 'x'))
})

test.each([
  ['takes the comment out', `# people see ${shown}\n${compose}`, compose.replace(password, shown)],
  ['takes a damaged line out', `DB_PASSWORD=${shown}\nAPI_PASSWORD=${password}\n`, `API_PASSWORD=${shown}\n`],
  ['two alike, one damaged', `PASSWORD=${shown}\n\nPASSWORD=${password}\n`, `PASSWORD=${shown}\n`],
  ['a new file', '', `PASSWORD=${shown}\n`],
])('new content has no mask where the file has a value: %s', (_, before, content) =>
  refused(before, 'write_file', { content }),
)

test.each([
  ['the same line', `# as ${shown}\n${compose}`, `# All\n  # as ${shown}\n${compose.replace(password, 'x')}`],
  ['another line, with nothing hidden', `# as ${shown}\n`, `# is ${shown} or ${shown}\n`],
  ['a first mask, with nothing hidden', '# Passwords\n', `# Passwords are shown as ${shown}\n`],
])('new content has a mask as a word: %s', async (_, before, content) => {
  expect(await changed(before, 'write_file', { content })).toBe(content)
})

test('what a file says of masks is edited with other white space, in steps, and where it said nothing yet', async () => {
  const edit = (old_string: string, new_string: string) => ({ old_string, new_string })
  const text = `# A\n  - Passwords  are shown as ${shown}.\n${compose}`
  const sentence = edit(`- Passwords are shown as ${shown}. `, `- They are ${shown}. `)
  expect(await changed(text, 'edit_file', sentence)).toBe(`# A\n  - They are ${shown}.\n${compose}`)
  const steps = [
    edit('# A', '# B'),
    edit(`# B\n  - Passwords  are shown as ${shown}.`, `# C\nsee ${shown}`),
    edit(`# C\nsee ${shown}`, `# D\nas ${shown}`),
  ]
  expect(await changed(text, 'multi_edit', { edits: steps })).toBe(`# D\nas ${shown}\n${compose}`)
  expect(await changed('# A\n', 'edit_file', edit('# A', `# A\n${shown}`))).toBe(`# A\n${shown}\n`)
  await refused(compose, 'edit_file', edit('image: x', `image: x\n    password: ${shown}`))
})
