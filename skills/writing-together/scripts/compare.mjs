import { readFile } from 'node:fs/promises'
import { diffWords } from 'diff'
import { sectionsIn, wordsIn } from './sections.mjs'

const [before, after] = process.argv.slice(2)
if (after === undefined) throw new Error('Usage: compare.mjs old.md new.md')
const [old, now] = await Promise.all(
  [before, after].map(async (path) => numbered(sectionsIn(await readFile(path, 'utf8')))),
)

/** With which one of its title each is: several may have the same. */
function numbered(sections) {
  const counts = new Map()
  return sections.map((section) => {
    const number = (counts.get(section.title) ?? 0) + 1
    counts.set(section.title, number)
    return { ...section, number }
  })
}

const sameIn = (sections, { title, number }) => sections.find((one) => one.title === title && one.number === number)

/** Words that are gone as [-…-], new ones as {+…+}, and a little around them. */
function marked(from, to) {
  const parts = diffWords(from, to)
  return parts
    .map(({ value, added, removed }, place) => {
      if (added) return `{+${value}+}`
      if (removed) return `[-${value}-]`
      const words = value.split(/(?<=\s)/)
      if (words.length <= 16) return value
      return `${place === 0 ? '' : words.slice(0, 6).join('')}… ${place === parts.length - 1 ? '' : words.slice(-6).join('')}`
    })
    .join('')
    .trim()
}

let unchanged = 0
for (const section of now) {
  const { title, body } = section
  const earlier = sameIn(old, section)
  const name = title || 'the beginning'
  if (earlier === undefined) console.log(`# ${name}: new, ${wordsIn(body)} words`)
  else if (earlier.body.trim() === body.trim()) unchanged++
  else
    console.log(
      `# ${name}: ${wordsIn(earlier.body)} → ${wordsIn(body)} words\n${marked(earlier.body, body).slice(0, 4_000)}\n`,
    )
}
for (const section of old)
  if (sameIn(now, section) === undefined)
    console.log(`# ${section.title || 'the beginning'}: gone, ${wordsIn(section.body)} words`)
console.log(`${unchanged} of ${now.length} sections are unchanged.`)
