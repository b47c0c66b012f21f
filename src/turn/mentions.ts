import { nearestName } from '../kit/nearest.ts'

/** What people call with @: tools that come into the thread, and what they are told of the other names. */
export interface Mentioned {
  tools: string[]
  /** Sentences for the thread. */
  answers: string[]
}

/** What a name may stand for. */
export interface KnownNames {
  /** Tools that come into a thread by their name. */
  byName: string[]
  /** All names of tools that there are, also of those that nobody has to call. */
  all: string[]
  /** Why a tool that exists cannot be used here, as a sentence or more. */
  unusable: ReadonlyMap<string, string>
}

/** More in one message are passed over. */
const mostNames = 50
const mostAnswers = 3

/** Fenced and inline code, as on the platforms. */
const code = /```[\s\S]*?(?:```|$)|``[^`]*``|`[^`\n]*`/g

/** Not in e-mail addresses, links and names of other servers. */
const called = /(?<![A-Za-z0-9_.+\-/@])@([A-Za-z][A-Za-z0-9_-]{1,63})(?![A-Za-z0-9_@]|\.[A-Za-z0-9])/g

/** Names that are written with @ outside of code, each once. */
function namesIn(text: string): string[] {
  const names = Array.from(text.replace(code, ' ').matchAll(called), ([, name]) => name ?? '')
  return [...new Set(names)].slice(0, mostNames)
}

/** What the @names of a message mean. Those that resemble no name are somebody's own, and left alone. */
export function mentionsIn(text: string, { byName, all, unusable }: KnownNames): Mentioned {
  const names = namesIn(text)
  const answers = names.flatMap((name): string[] => {
    const why = unusable.get(name)
    if (why !== undefined) return [`I can't use \`@${name}\` here. ${why}`]
    const nearest = all.includes(name) ? undefined : nearestName(name, all)
    return nearest === undefined ? [] : [`I don't know \`@${name}\`. Did you mean \`@${nearest}\`?`]
  })
  return { tools: names.filter((name) => byName.includes(name)), answers: answers.slice(0, mostAnswers) }
}
