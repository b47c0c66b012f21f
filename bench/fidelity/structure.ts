import { folded, type Mark, type Read } from './sample.ts'
import { withoutMarks } from './seen.ts'

/** True if it kept its role: a heading as a heading, a note at its reference. */
export const isThere = (mark: Mark, read: Read): boolean => tests[mark.kind](mark, read)

type Test = (mark: Mark, read: Read) => boolean

const hasLine = ({ text }: Read, isIt: (line: string) => boolean): boolean => text.split('\n').some(isIt)

const tests: Record<Mark['kind'], Test> = {
  headings: ({ text }, read) =>
    hasLine(read, (line) => /^#{1,6} /.test(line) && folded(withoutMarks(line)) === folded(text)),
  'list items': ({ text, level }, read) =>
    hasLine(read, (line) => {
      const [, indent = '', item = ''] = /^( *)(?:- |(?=\(?[\dA-Za-z]{1,3}[.)]))(.*)$/.exec(line) ?? []
      return folded(item) === folded(text) && (level === undefined || indent.length === level * 2)
    }),
  footnotes: ({ text, at = '' }, read) =>
    Array.from(read.text.matchAll(/^\[\^(\d+)\]: (.*)$/gm)).some(
      ([, number, note = '']) => folded(note) === text && read.text.includes(`${at}[^${number}]`),
    ),
  comments: ({ text }, read) => hasLine(read, (line) => /^(> |- )/.test(line) && line.includes(text)),
  notes: ({ text }, read) =>
    read.document.parts.some((part) => folded(part.text.split('\nNotes:\n')[1] ?? '') === folded(text)),
  hidden: ({ text }, { document }) =>
    document.notes.some((note) => note.includes('hidden') && note.includes(text)) ||
    document.parts.some((part) => part.text.startsWith('(hidden') && part.text.includes(text)),
  links: ({ text }, read) => read.text.includes(text),
  formulas: ({ text }, { document }) => document.parts.some(({ formulas = '' }) => formulas.split('\n').includes(text)),
  facts: ({ text }, read) => folded([read.text, ...read.document.notes].join('\n')).includes(folded(text)),
}
