import { makeCollection, type Section } from '../search/collection.ts'
import type { Language } from '../search/languages/language.ts'

/** Texts of one language, and material for tables and lists. */
export interface Story {
  language: Language
  sections: Section[]
  title: string
  items: string[]
  /** A head and rows of six cells. */
  table: string[][]
}

/** By the language's code. */
export function storiesOf(seed: number, sectionCount = 4): Map<string, Story> {
  const stories = new Map<string, Story>()
  for (const { language, sections } of makeCollection(seed).documents) {
    if (stories.has(language.code)) continue
    stories.set(language.code, {
      language,
      sections: sections.slice(0, sectionCount),
      title: language.companies[0] ?? '',
      items: language.people.slice(0, 6),
      table: tableOf(language),
    })
  }
  return stories
}

export const storyOf = (stories: Map<string, Story>, code: string): Story => {
  const story = stories.get(code)
  if (story === undefined) throw new Error(`there are no texts in ${code}`)
  return story
}

export const blocksOf = (sections: Section[]): string[] =>
  sections.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs])

export const headingsOf = (sections: Section[]) =>
  sections.map(({ heading }) => ({ kind: 'headings' as const, text: heading }))

const tableOf = (language: Language): string[][] => [
  language.headings.slice(0, 6),
  ...language.projects
    .slice(0, 8)
    .map((project, index) => [
      project,
      language.cities[index % language.cities.length] ?? '',
      language.date(1 + index * 3, 1 + index, 2020 + (index % 5)),
      language.amount(1250.5 + index * 317),
      String(3 + index * 11),
      `Q${index + 1}-${1000 + index * 37}`,
    ]),
]
