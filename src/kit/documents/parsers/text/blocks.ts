import type { Block } from '../docx/sections.ts'

/** Paragraphs, tables, lists and headings of Markdown; what stands in a fence stays together. */
export function blocksOfMarkdown(markdown: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let fence: string | undefined
  const end = () => {
    const text = lines.join('\n')
    lines = []
    if (text.trim() === '') return
    const [, marks, name] = /^(#{1,6}) +(.*)$/.exec(text) ?? []
    blocks.push(marks === undefined || name === undefined ? { text } : { text, level: marks.length, name })
  }
  for (const line of markdown.split('\n')) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && (line.trim() === '' || /^#{1,6} /.test(line))) end()
    if (fence !== undefined || line.trim() !== '') lines.push(line)
    if (fence === undefined) fence = mark
    else if (mark === fence && line.trim() === fence) fence = undefined
    if (fence === undefined && /^#{1,6} /.test(line)) end()
  }
  end()
  return blocks
}

/** A fence that nothing in the text closes. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
