/** What a fact is filled with. */
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
  /** The sentence, in which `key` tells this one from all others. */
  sentence: Filled
  key: Filled
  keywords: Filled
  /** A few words of the sentence, as they stand there. */
  phrase: Filled
  number?: Filled
  /** Other words and forms, as somebody would ask who has not read it. */
  question: Filled
  /** One word of the keywords, which is then written wrongly. */
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
  /** Sentences that say nothing, with some of the same words. */
  fillers: Filled[]
  /** Between sentences. */
  space: string
  amount(value: number): string
  date(day: number, month: number, year: number): string
  /** From the Universal Declaration of Human Rights (1948), which belongs to everybody: text, and what somebody asks. */
  rights: { text: string; question: string }[]
}
