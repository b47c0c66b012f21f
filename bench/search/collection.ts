import { arabic } from './languages/arabic.ts'
import { chinese } from './languages/chinese.ts'
import { english } from './languages/english.ts'
import { german } from './languages/german.ts'
import { japanese } from './languages/japanese.ts'
import type { Fact, Language, Slots } from './languages/language.ts'
import { type Random, randomFrom } from './random.ts'

export type Format = 'pdf' | 'docx' | 'xlsx' | 'pptx'

export interface Section {
  heading: string
  paragraphs: string[]
}

export interface Document {
  name: string
  format: Format
  language: Language
  sections: Section[]
}

export const questionKinds = ['keyword', 'phrase', 'number', 'paraphrase', 'typo'] as const

export interface Question {
  kind: (typeof questionKinds)[number]
  language: string
  document: string
  format: Format
  query: string
  /** A passage that contains one of these answers the question. */
  evidence: string[]
}

/** A question before other answers to it are known. */
interface Asked extends Omit<Question, 'evidence'> {
  evidence: string
  /** The question without the spelling mistake. */
  meant: string
}

export interface Collection {
  documents: Document[]
  questions: Question[]
}

/** How many of each language and format; Arabic letters are not written into PDF here, as that needs a font. */
const plan: [Language, Partial<Record<Format, number>>][] = [
  [english, { pdf: 6, docx: 5, xlsx: 4, pptx: 3 }],
  [german, { pdf: 4, docx: 4, xlsx: 3, pptx: 2 }],
  [chinese, { pdf: 3, docx: 3, xlsx: 2, pptx: 2 }],
  [japanese, { pdf: 3, docx: 3, xlsx: 2, pptx: 2 }],
  [arabic, { docx: 4, xlsx: 3, pptx: 2 }],
]

/** Facts and sections of one document. */
const factsEach = 16
const sectionsEach = 68
const questionsEach = 7

/** The same seed gives the same documents and questions. */
export function makeCollection(seed: number): Collection {
  const random = randomFrom(seed)
  const documents: Document[] = []
  const asked: Asked[][] = []
  for (const [language, formats] of plan) {
    for (const [format, count] of Object.entries(formats) as [Format, number][]) {
      for (let number = 1; number <= count; number++) {
        const made = makeDocument(language, format, number, random)
        documents.push(made.document)
        asked.push(made.asked)
      }
    }
  }
  const answers = Map.groupBy(asked.flat(), ({ meant }) => meant)
  const questions = asked
    .flatMap((ofOne) => random.some(ofOne, questionsEach))
    .map(({ meant, ...question }) => ({
      ...question,
      evidence: answers.get(meant)?.map(({ evidence }) => evidence) ?? [],
    }))
  return { documents, questions }
}

function makeDocument(language: Language, format: Format, number: number, random: Random) {
  const name = `${language.code}-${number}.${format}`
  const sections: Section[] = Array.from({ length: sectionsEach }, (_, index) => ({
    heading: `${index + 1} ${random.one(language.headings)}`,
    paragraphs: Array.from({ length: 5 }, () => filler(language, random)),
  }))
  const asked: Asked[] = []
  for (let index = 0; index < factsEach; index++) {
    const fact = random.one(language.facts)
    const slots = slotsOf(language, random)
    const section = random.one(sections)
    const at = random.below(section.paragraphs.length)
    section.paragraphs[at] = `${section.paragraphs[at]}${language.space}${fact.sentence(slots)}`
    const about = { language: language.code, document: name, format, evidence: fact.key(slots) }
    asked.push(...questionsAbout(fact, slots, random).map((question) => ({ ...question, ...about })))
  }
  if (number === 1) {
    for (const [index, { text, question }] of language.rights.entries()) {
      sections[index * 2]?.paragraphs.push(text)
      const about = { language: language.code, document: name, format, evidence: text.slice(0, 24) }
      asked.push({ kind: 'paraphrase', query: question, meant: question, ...about })
    }
  }
  return { document: { name, format, language, sections }, asked }
}

const filler = (language: Language, random: Random): string =>
  Array.from({ length: 3 }, () => random.one(language.fillers)(slotsOf(language, random))).join(language.space)

function questionsAbout(fact: Fact, slots: Slots, random: Random): Pick<Asked, 'kind' | 'query' | 'meant'>[] {
  const keywords = fact.keywords(slots)
  const wrong = fact.mistyped(slots)
  const as = (kind: Question['kind'], query: string, meant = query) => ({ kind, query, meant })
  return [
    as('keyword', keywords),
    as('phrase', fact.phrase(slots)),
    as('paraphrase', fact.question(slots)),
    ...(fact.number ? [as('number', fact.number(slots))] : []),
    ...(wrong.length > 3 && keywords.toLowerCase().includes(wrong.toLowerCase())
      ? [as('typo', keywords.replace(new RegExp(wrong, 'i'), mistype(wrong, random)), keywords)]
      : []),
  ]
}

/** Swaps two letters inside the word, or drops one. */
function mistype(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2)
  const swapped = word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
  return random.below(2) === 0 && swapped !== word ? swapped : word.slice(0, at) + word.slice(at + 1)
}

function slotsOf(language: Language, random: Random): Slots {
  const [project, person] = [random.one(language.projects), random.one(language.people)]
  const number = () => 1 + random.below(9)
  const letters = String.fromCharCode(65 + random.below(26), 65 + random.below(26))
  return {
    company: random.one(language.companies),
    person,
    project,
    product: random.one(language.products),
    city: random.one(language.cities),
    code: `${letters}-${1000 + random.below(9000)}/${number()}`,
    section: `${number()}.${number()}.${1 + random.below(30)}`,
    amount: language.amount(1000 + random.below(900_000) + 0.5),
    days: 7 + random.below(300),
    date: language.date(1 + random.below(28), 1 + random.below(12), 2019 + random.below(8)),
    email: `desk.${1000 + random.below(9000)}@example.${language.code}`,
  }
}
