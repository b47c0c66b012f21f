import { type Random, randomFrom } from '../search/random.ts'

const between = (random: Random, least: number, most: number): number => least + random.below(most - least + 1)

/** What is done in a turn besides the answer. */
export type Work = { kind: 'talk' } | { kind: 'read'; offset: number; limit: number } | { kind: 'recall'; fact: Fact }

export interface Turn {
  says: string
  answers: string
  work: Work
}

/** Something that is said once and asked for much later. */
export interface Fact {
  /** Occurs nowhere else. */
  value: string
  sentence: string
  question: string
  /** What a model looks for when it doesn't see it: words of the question. */
  search: string
  at: 'person' | 'answer' | 'result'
}

export interface Session {
  file: string
  turns: Turn[]
  facts: Fact[]
}

export const figures = { turns: 705, calls: 305, facts: 100 }

/** A fact is asked for so many turns after it was said, at least. */
const leastDistance = 60

const things = [
  { thing: 'berth', asked: 'berth' },
  { thing: 'access code', asked: 'access code' },
  { thing: 'invoice number', asked: 'number of the invoice' },
  { thing: 'contact', asked: 'person to contact' },
  { thing: 'deadline', asked: 'last day' },
]

/** In four languages, and every fifth is asked for in other words. */
function factOf(number: number, random: Random): Fact {
  const name = `${random.one(['Aurora', 'Kestrel', 'Meridian', 'Tallow', 'Brightwater'])}-${number + 11}`
  const value = `${random.one(['KX', 'QV', 'ZW', 'JY'])}-${between(random, 1_000, 9_999)}-${number}`
  const { thing, asked } = random.one(things)
  const at = (['person', 'person', 'answer', 'result'] as const)[number % 4] ?? 'person'
  const language = number % 10
  if (language === 3)
    return {
      value,
      at,
      sentence: `${name} 的泊位是 ${value}。`,
      question: `${name} 的泊位是什么？`,
      search: `${name} 泊位`,
    }
  if (language === 7) {
    const sentence = `Der Liegeplatz der ${name} ist ${value}.`
    return { value, at, sentence, question: `Welchen Liegeplatz hat die ${name}?`, search: `Liegeplatz ${name}` }
  }
  const sentence = `The ${thing} of the ${name} is ${value}.`
  const word = number % 5 === 0 ? asked : thing
  return { value, at, sentence, question: `What was the ${word} of the ${name}?`, search: `${word} ${name}` }
}

const words = {
  en: 'harbour storm crew night sail report engine cargo lighthouse captain weather channel anchor supply paint repair week ship order plan water lamp signal dock rope chart tide north list check'.split(
    ' ',
  ),
  de: 'Hafen Sturm Besatzung Nacht Segel Bericht Maschine Ladung Leuchtturm Wetter Kanal Anker Vorrat Farbe Woche Schiff Auftrag Plan Wasser Lampe'.split(
    ' ',
  ),
  zh: '港口 风暴 船员 夜晚 报告 机器 货物 灯塔 天气 海峡 补给 维修 本周 船只 计划 信号 码头 潮汐 北方 检查'.split(' '),
}

function prose(random: Random, count: number): string {
  const language = random.one(['en', 'en', 'en', 'de', 'zh'] as const)
  const picked = Array.from({ length: count }, () => random.one(words[language]))
  return `${picked.join(language === 'zh' ? '' : ' ')}${language === 'zh' ? '。' : '.'}`
}

/** Lines of a result, most of them short, some of them 20 kB together. */
const sizes = [2, 10, 20, 20, 40, 40, 60, 100, 200]
const lineLength = 100

const line = (random: Random, number: number): string =>
  `${number} ${between(random, 100, 999)}.${between(random, 10, 99)} ${prose(random, 14)}`.slice(0, lineLength)

/** The same session for each seed: 2,000 messages, 300 of them results of calls. */
export function sessionOf(seed: number): Session {
  const random = randomFrom(seed)
  const facts = Array.from({ length: figures.facts }, (_, number) => factOf(number, random))
  const lines: string[] = []
  const turns: Turn[] = []
  const readAt = new Set(
    random.some(
      Array.from({ length: figures.turns - 1 }, (_, place) => place + 1),
      figures.calls,
    ),
  )
  const wanting = { person: [] as Fact[], answer: [] as Fact[], result: [] as Fact[] }
  // They are said in the first two thirds.
  for (const fact of facts) wanting[fact.at].push(fact)
  const due = new Map<number, Fact>()
  for (let number = 0; number < figures.turns; number++) {
    const recalled = due.get(number)
    const told = number > 1 && number < figures.turns * 0.65 && recalled === undefined
    const fromPerson = told && number % 8 === 2 ? wanting.person.shift() : undefined
    const fromAnswer = told && number % 16 === 5 ? wanting.answer.shift() : undefined
    const says = recalled?.question ?? [prose(random, between(random, 8, 60)), fromPerson?.sentence].join(' ').trim()
    const answers = [prose(random, between(random, 20, 150)), fromAnswer?.sentence].join(' ').trim()
    let work: Work = recalled === undefined ? { kind: 'talk' } : { kind: 'recall', fact: recalled }
    let fromResult: Fact | undefined
    if (recalled === undefined && readAt.has(number)) {
      const limit = random.one(sizes)
      const offset = lines.length + 1
      for (let place = 0; place < limit; place++) lines.push(line(random, lines.length + 1))
      fromResult = told && limit >= 10 ? wanting.result.shift() : undefined
      if (fromResult !== undefined) lines[offset - 1 + Math.floor(limit / 2)] = fromResult.sentence
      work = { kind: 'read', offset, limit }
    }
    turns.push({ says, answers, work })
    for (const fact of [fromPerson, fromAnswer, fromResult]) if (fact !== undefined) plan(due, fact, number, random)
  }
  return { file: lines.join('\n'), turns, facts: [...due.values()] }
}

/** When it is asked for: at a turn at which nothing else is. */
function plan(due: Map<number, Fact>, fact: Fact, said: number, random: Random): void {
  const latest = figures.turns - 1
  let at = Math.min(latest, said + leastDistance + between(random, 0, latest - said - leastDistance))
  while (due.has(at)) at = at === latest ? said + leastDistance : at + 1
  due.set(at, fact)
}
