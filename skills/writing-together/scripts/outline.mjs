import { readFile } from 'node:fs/promises'
import { sectionsIn, wordsIn } from './sections.mjs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: outline.mjs draft.md')
const text = await readFile(path, 'utf8')
const sections = sectionsIn(text)
const lines = text.split('\n')
const problems = []
const note = (line, problem) => void problems.push({ line, problem })

const open = /\[\?[^\]]*\]|\b(TODO|TBD|FIXME)\b|\?\?\?/g
for (const [place, line] of lines.entries())
  for (const [found] of line.matchAll(open)) note(place + 1, `open: ${found}`)

const anchors = new Set()
for (const { title } of sections) {
  const anchor = anchorOf(title)
  let number = 0
  while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number++
  anchors.add(number === 0 ? anchor : `${anchor}-${number}`)
}
for (const [place, line] of lines.entries())
  for (const [, anchor] of line.matchAll(/\]\(#([^)\s]+)\)/g))
    if (!anchors.has(decoded(anchor))) note(place + 1, `there is no section #${anchor}`)

let above = 0
const seen = new Set()
for (const [place, { level, title, line, body }] of sections.entries()) {
  if (level > above + 1 && above > 0) note(line, `${JSON.stringify(title)} skips a level of headings`)
  if (seen.has(title.toLowerCase())) note(line, `there is another section ${JSON.stringify(title)}`)
  const isParent = (sections[place + 1]?.level ?? 0) > level
  if (title !== '' && body.trim() === '' && !isParent) note(line, `${JSON.stringify(title)} is empty`)
  seen.add(title.toLowerCase())
  above = level
  // Tables, code and lists have no sentences.
  const prose = body
    .replace(/```[\s\S]*?(```|$)/g, '')
    .split(/\n\s*\n/)
    .filter((one) => !/^\s*([|>#*+-]|\d+[.)])/.test(one))
  for (const sentence of prose.join('\n').split(/(?<=[.!?。！？])\s*/)) {
    const words = wordsIn(sentence)
    if (words > 40) note(line, `a sentence of ${words} words: ${sentence.trim().slice(0, 60)}…`)
  }
}

/** A link that isn't encoded may hold a per cent sign. */
function decoded(anchor) {
  try {
    return decodeURIComponent(anchor)
  } catch {
    return anchor
  }
}

/** As GitHub and most programs make it. */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

const words = wordsIn(text)
console.log(
  JSON.stringify(
    {
      words,
      minutesToRead: Math.max(1, Math.round(words / 220)),
      sections: sections.map(({ level, title, line, body }) => ({
        line,
        section: `${'#'.repeat(level)} ${title}`.trim(),
        words: wordsIn(body),
      })),
      problems,
    },
    undefined,
    1,
  ),
)
