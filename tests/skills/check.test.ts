import { describe, expect, test } from 'vitest'
import { checkSkill } from '../../src/kit/skills/check.ts'
import { effortMs } from '../support/effort.ts'

const skill = (...fields: string[]): string => `---\n${fields.join('\n')}\n---\n# Body\n`
const plain = ['name: my-skill', 'description: A test skill']

const check = (text: string, folder = 'my-skill') => checkSkill(text, folder)
const errorsOf = (text: string, folder?: string): string[] =>
  check(text, folder).findings.flatMap(({ level, message }) => (level === 'error' ? message : []))

// The cases of the tests that the specification's reference implementation is published with.
describe('the rules of the specification', () => {
  test.each<[string, string[], string?]>([
    ['the least', plain],
    ['all fields', [...plain, 'license: MIT', 'metadata:', '  author: Test']],
    ['tools as text', [...plain, 'allowed-tools: Bash(jq:*) Bash(git:*)']],
    ['tools as an inline list', [...plain, 'allowed-tools: [Read, Write, Edit, Bash]']],
    ['tools as a block list', [...plain, 'allowed-tools:', '  - Read', '  - Bash']],
    ['a Chinese name', ['name: 技能', 'description: A skill'], '技能'],
    ['a Russian name', ['name: мой-навык', 'description: A skill'], 'мой-навык'],
    ['compatibility', [...plain, 'compatibility: Requires Python 3.11+']],
    ['a name in two parts of Unicode', ['name: cafe\u0301', 'description: A skill'], 'café'],
  ])('accept %s', (_, fields, folder) => {
    expect(errorsOf(skill(...fields), folder)).toEqual([])
  })

  test.each<[string, string, RegExp, string?]>([
    ['an upper-case name', skill('name: MySkill', 'description: x'), /lowercase/, 'MySkill'],
    ['an upper-case Russian name', skill('name: НАВЫК', 'description: x'), /lowercase/, 'НАВЫК'],
    [
      'a long name',
      skill(`name: ${'a'.repeat(70)}`, 'description: x'),
      /exceeds the 64 character limit/,
      'a'.repeat(70),
    ],
    ['a hyphen first', skill('name: -my-skill', 'description: x'), /cannot start or end with a hyphen/, '-my-skill'],
    ['two hyphens', skill('name: my--skill', 'description: x'), /consecutive hyphens/, 'my--skill'],
    ['an underscore', skill('name: my_skill', 'description: x'), /invalid characters/, 'my_skill'],
    ['another folder', skill('name: correct-name', 'description: x'), /must match the skill’s name/, 'wrong-name'],
    ['a field of its own', skill(...plain, 'unknown_field: x'), /Unexpected fields.*unknown_field/],
    ['tools that are no text', skill(...plain, 'allowed-tools:', '  - Read', '  - 123'), /must all be strings/],
    ['tools that are a number', skill(...plain, 'allowed-tools: 123'), /either a string or a list of strings/],
    [
      'a long description',
      skill('name: my-skill', `description: ${'x'.repeat(1100)}`),
      /exceeds the 1024 character limit/,
    ],
    ['long compatibility', skill(...plain, `compatibility: ${'x'.repeat(550)}`), /exceeds the 500 character limit/],
    ['no front matter', '# No frontmatter here', /must start with YAML front matter/],
    ['one that is not closed', '---\nname: my-skill\n', /not properly closed/],
    ['broken YAML', skill('name: [invalid', 'description: broken'), /Invalid YAML/],
    ['a list', skill('- just', '- a', '- list'), /must be a YAML mapping/],
    ['no name', skill('description: x'), /lacks the required field name/],
    ['no description', skill('name: my-skill'), /lacks the required field description/],
  ])('find %s', (_, text, message, folder) => {
    expect(errorsOf(text, folder)).toContainEqual(expect.stringMatching(message))
  })

  test('find everything at once, each with its line', () => {
    const { findings } = check(skill('name: My_Skill', 'description: a < b', 'version: 2', 'compatibility: 3'))
    expect(findings.map(({ level, line, message }) => [level, line, message.slice(0, 24)])).toEqual([
      ['error', 2, 'The name "My_Skill" must'],
      ['error', 2, 'The name "My_Skill" cont'],
      ['error', 2, 'The folder "my-skill" mu'],
      ['advice', 3, 'The description should h'],
      ['error', 5, 'The field compatibility '],
      ['error', 4, 'Unexpected fields in the'],
    ])
  })
})

test.each(['[]', '""', '', '{a: b}', '5'])('allowed-tools: %s names no tool, which is said', (written) => {
  const { facts, findings } = check(skill(...plain, `allowed-tools: ${written}`))
  expect(facts?.allowedTools).toEqual([])
  expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(/none may change anything/))
})

describe('what widely used skills do', () => {
  test.each([
    ['fields of their own', skill(...plain, 'version: 1.0', 'user-invocable: true')],
    ['a list of models', skill(...plain, 'compatibility: [claude, gpt-4]')],
    ['a folder of another name', skill('name: other', 'description: x')],
    ['an upper-case name with a blank instead of a hyphen', skill('name: Other_Name', 'description: x')],
    ['a description that is too long', skill('name: my-skill', `description: ${'x'.repeat(3000)}`)],
    ['Windows line ends', skill(...plain).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${skill(...plain)}`],
  ])('is no reason to refuse them: %s', (_, text) => {
    const { facts, findings } = check(text)
    expect(facts?.name).toMatch(/^(my-skill|other|other-name)$/)
    expect(findings.filter(({ refuses }) => refuses)).toEqual([])
  })

  test('values stay as they are written', () => {
    const { facts } = check(skill(...plain, 'metadata:', '  version: 1.0', '  released: 2026-01-01', '  beta: yes'))
    expect(facts?.metadata).toEqual({ version: '1.0', released: '2026-01-01', beta: 'yes' })
  })

  test('lists in metadata, and a version, tags or a category beside it, are kept; others in it come first', () => {
    const beside = ['version: 2.0', 'category: office', 'tags: [a, b]', 'display_name: My skill', 'secret: x']
    const { facts, findings } = check(skill(...plain, ...beside, 'metadata:', '  version: 1.0', '  tools: [c, 4]'))
    expect(facts?.metadata).toEqual({
      version: '1.0',
      category: 'office',
      tags: 'a, b',
      display_name: 'My skill',
      tools: 'c, 4',
    })
    expect(findings.map(({ level }) => level)).toEqual(['advice', 'error'])
  })
})

test('a list in metadata that the program would act on isn’t one text', () => {
  const { facts } = check(
    skill(...plain, 'metadata:', '  triggers: [a, b]', '  trigger-mode: [semantic]', '  run: [now]', '  tags: [a, b]'),
  )
  expect(facts?.metadata).toEqual({ tags: 'a, b' })
})

describe('hostile front matter is refused', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`),
  ]
  test.each([
    ['a bomb of aliases', skill(...plain, ...bomb)],
    ['an anchor', skill('name: &x my-skill', 'description: x')],
    ['a tag', skill('name: !!js/function my-skill', 'description: x')],
    ['a name that is a path', skill('name: ../../etc', 'description: x')],
    ['a name with a zero byte', skill('name: "a\\0b"', 'description: x')],
    ['a long name of many parts', skill(`name: ${'a-'.repeat(5_000)}!`, 'description: x')],
    ['a megabyte', skill(...plain, `x: ${'y'.repeat(1_000_000)}`)],
    ['twice the same key', skill(...plain, 'name: other-name')],
  ])('%s', (_, text) => {
    const { facts, findings } = check(text)
    expect(facts).toBeUndefined()
    expect(findings.some(({ refuses }) => refuses)).toBe(true)
  })
})

test.each([
  ['[a](references/a.md)', false],
  ['[a](references/a.md) and b/c)', false],
  ['[a](references/a/b.md', false],
  ['[a](references/a/b.md)', true],
  ['[a](references/a.md), [b](./references/b/c.md)', true],
])('%s links to something deeper than references/: %s', (line, isDeep) => {
  const { findings } = check(`${skill(...plain)}\n${line}\n`)
  expect(findings.some(({ message }) => message.startsWith('Keep references'))).toBe(isDeep)
})

test.each([
  ['one link of slashes', `](references/${'/'.repeat(100_000)}`],
  ['many links', '](references/a'.repeat(20_000)],
])('a body of %s takes no longer than others', async (_, body) => {
  expect(await effortMs(() => check(`${skill(...plain)}${body}\n`))).toBeLessThan(500)
})
