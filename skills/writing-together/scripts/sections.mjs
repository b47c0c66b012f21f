/** The sections of a Markdown text; what stands before the first heading has level 0. */
export function sectionsIn(text) {
  const sections = [{ level: 0, title: '', line: 1, body: '' }]
  let isCode = false
  for (const [place, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    const [, marks, title] = (isCode ? null : /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)) ?? []
    if (title === undefined) sections.at(-1).body += `${line}\n`
    else sections.push({ level: marks.length, title, line: place + 1, body: '' })
  }
  return sections[0].body.trim() === '' ? sections.slice(1) : sections
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Words in any script. */
export const wordsIn = (text) => Array.from(segmenter.segment(text)).filter(({ isWordLike }) => isWordLike).length
