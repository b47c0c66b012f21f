import { nearestTool } from '../../kit/nearest.ts'
import { plainOwnWords } from '../../kit/text/own-words.ts'
import { unspaced } from '../../kit/text/unspaced.ts'
import { turnWords } from './words.ts'

/** What people mention with @: what to load into the thread, and what to say about other names. */
export interface Mentioned {
  tools: string[]
  /** What capabilities have by these names, such as skills. */
  named: CapabilityName[]
  /** Sentences for the thread. */
  answers: string[]
}

/** A name in a message. `why`: only if it was implied; what it says is known to whoever implied it. */
export interface NamedByMessage {
  name: string
  why?: unknown
}

/** A name that a capability knows, such as that of a skill. */
export interface CapabilityName extends NamedByMessage {
  capability: string
}

export const namesOf = (capability: string, named: readonly CapabilityName[]): string[] =>
  named.filter((one) => one.capability === capability).map(({ name }) => name)

/** What a name may refer to. */
export interface KnownNames {
  /** Tools that are loaded into a thread by name. */
  byName: readonly string[]
  /** All names of tools, including those that are always there. */
  all: readonly string[]
  /** Why an existing tool can't be used here, as one or more sentences. */
  unusable: ReadonlyMap<string, string>
  /** Names of capabilities. A tool of the same name comes first, then whichever is listed first. */
  others: readonly CapabilityName[]
}

/** Further names in one message are ignored. */
const mostNames = 50
const mostAnswers = 3

/** Reserved for handing work to an agent, in English and Chinese. */
export const delegating: readonly string[] = ['agent', 'subagent', '助手', '代理']

/** Not in e-mail addresses, links and names of other servers. */
const called =
  /(?<![A-Za-z0-9_.+\-/@＠])[@＠]([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,200})(?![\p{L}\p{M}\p{N}_@＠-]|\.[A-Za-z0-9])/gu

/** What stands after an @ outside of code and quotes, each once. */
function wordsIn(text: string): string[] {
  const words = Array.from(plainOwnWords(text).matchAll(called), ([, word = '']) => word.normalize('NFKC'))
  return [...new Set(words)].slice(0, mostNames)
}

/** Whether there is anything to look up. */
export const mayMention = (text: string): boolean => /[@＠]/.test(text)

/** What the @names of a message mean. Names that resemble none of ours are left alone. */
export function mentionsIn(text: string, { byName, all, unusable, others }: KnownNames): Mentioned {
  const known = new Set([...all, ...unusable.keys(), ...others.map(({ name }) => name), ...delegating])
  const names = [...new Set(wordsIn(text).map((word) => nameIn(word, known)))]
  const answers = names.flatMap((name): string[] => {
    const why = unusable.get(name)
    if (why !== undefined) return [turnWords.unusableName({ name, why })]
    const nearest = known.has(name) ? undefined : nearestTool(name, [...known])
    return nearest === undefined ? [] : [turnWords.unknownName({ name, nearest })]
  })
  return {
    tools: names.filter((name) => byName.includes(name)),
    named: names.flatMap((name) =>
      isTool(name, all, unusable) ? [] : (others.find((one) => one.name === name) ?? []),
    ),
    answers: answers.slice(0, mostAnswers),
  }
}

const isTool = (name: string, all: readonly string[], unusable: ReadonlyMap<string, string>): boolean =>
  all.includes(name) || unusable.has(name)

/** The known name a word begins with, if what follows may belong to the sentence; else what looks like a name. */
function nameIn(word: string, known: ReadonlySet<string>): string {
  const whole = [word, word.toLowerCase(), word.replace(/[-_]+$/, '')].find((one) => known.has(one))
  if (whole !== undefined) return whole
  const key = word.toLowerCase()
  const beginning = [...known]
    .filter((name) => key.startsWith(name) && unspaced.test(key.charAt(name.length)))
    .toSorted((a, b) => b.length - a.length)[0]
  return beginning ?? /^[A-Za-z0-9][A-Za-z0-9_-]*/.exec(word)?.[0]?.replace(/[-_]+$/, '') ?? word
}
