/** The values to fill a fact with. */
export interface Slots {
  company: string
  person: string
  project: string
  product: string
  city: string
  code: string
  section: string
  amount: string
  days: number
  date: string
  email: string
}

type Filled = (slots: Slots) => string

/** One thing that a document says once, and how people ask for it. */
export interface Fact {
  /** The sentence, which `key` makes unique. */
  sentence: Filled
  key: Filled
  keywords: Filled
  /** A few words of the sentence, unchanged. */
  phrase: Filled
  number?: Filled
  /** Other words and forms, as somebody who hasn't read it would ask. */
  question: Filled
  /** One of the keywords, which is then misspelled. */
  mistyped: Filled
}

export interface Language {
  code: string
  companies: string[]
  people: string[]
  projects: string[]
  products: string[]
  cities: string[]
  headings: string[]
  facts: Fact[]
  /** Filler sentences with some of the same words. */
  fillers: Filled[]
  /** Between sentences. */
  space: string
  amount(value: number): string
  date(day: number, month: number, year: number): string
  /** From the Universal Declaration of Human Rights (1948), which is in the public domain: text and a question. */
  rights: { text: string; question: string }[]
}
