import { expect, test } from 'vitest'
import { delegating, mentionsIn } from '../../src/turn/port/mentions.ts'

const known = {
  byName: ['run_command'],
  all: ['run_command', 'read_file'],
  unusable: new Map([['web_search', 'It is switched off.']]),
  others: ['pdf', 'docx', 'math', 'code-review', '合同', 'мой-навык', 'read_file'].map((name) => ({
    capability: 'skills',
    name,
  })),
}

const namesIn = (text: string): string[] => mentionsIn(text, known).named.map(({ name }) => name)

test.each<[string, string[]]>([
  ['@pdf fill this form #contract.pdf', ['pdf']],
  ['use @PDF, please', ['pdf']],
  ['(@code-review) and @pdf.', ['code-review', 'pdf']],
  ['@code-review-', ['code-review']],
  ['请用@pdf处理合同', ['pdf']],
  ['请用＠pdf处理', ['pdf']],
  ['@合同 看一下', ['合同']],
  ['@合同看一下', ['合同']],
  ['さあ@pdfでお願いします', ['pdf']],
  ['@мой-навык, пожалуйста', ['мой-навык']],
  ['@мой-навыки', []],
  ['@pdfs', []],
  ['ana@pdf.example and mailto:x@pdf', []],
  ['https://example.com/@pdf', []],
  ['`@pdf` and ```\n@pdf\n```', []],
  ['@@pdf', []],
  ['@pdf@example.com', []],
])('%j names %j', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test('a tool comes before a skill of the same name', () => {
  expect(mentionsIn('@read_file', known)).toMatchObject({ named: [], answers: [] })
})

test.each([
  ['@cod-review', '@code-review'],
  ['@codereveiw处理一下', '@code-review'],
  ['@run_comand', '@run_command'],
  ['@pfd', '@pdf'],
  ['@doxc', '@docx'],
  ['@doc 看一下', '@docx'],
])('%j is answered with %j', (text, nearest) => {
  expect(mentionsIn(text, known).answers).toEqual([expect.stringContaining(`Did you mean \`${nearest}\`?`)])
})

test.each([
  ['@agent look at it', 'agent'],
  ['@subagent', 'subagent'],
  ['@助手帮我看看', '助手'],
  ['请@代理处理', '代理'],
])('%j asks for a subagent, and isn’t unknown', (text, name) => {
  const others = delegating.map((one) => ({ capability: 'agents', name: one }))
  expect(mentionsIn(text, { ...known, others })).toEqual({
    tools: [],
    named: [{ capability: 'agents', name }],
    answers: [],
  })
  expect(mentionsIn(text, known).answers).toEqual([])
})

test('other people’s names are left alone', () => {
  expect(mentionsIn('@ana @张三 @bobby @ped @pat @dora @docs @docxx @doe @Matt @maths', known)).toMatchObject({
    named: [],
    tools: [],
    answers: [],
  })
})
