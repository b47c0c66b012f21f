import { nearestName } from '../kit/nearest.ts'

/** What people mention with @: tools to load into the thread, and what to say about other names. */
export interface Mentioned {
  tools: string[]
  /** Sentences for the thread. */
  answers: string[]
}

/** What a name may refer to. */
export interface KnownNames {
  /** Tools that are loaded into a thread by name. */
  byName: string[]
  /** All names of tools, including those that are always there. */
  all: string[]
  /** Why an existing tool can't be used here, as one or more sentences. */
  unusable: ReadonlyMap<string, string>
}

/** Further names in one message are ignored. */
const mostNames = 50
const mostAnswers = 3

/** Fenced and inline code, as on the platforms. */
const code = /```[\s\S]*?(?:```|$)|``[^`]*``|`[^`\n]*`/g

/** Not in e-mail addresses, links and names of other servers. */
const called = /(?<![A-Za-z0-9_.+\-/@])@([A-Za-z][A-Za-z0-9_-]{1,63})(?![A-Za-z0-9_@]|\.[A-Za-z0-9])/g

/** Names with @ outside of code, each once. */
function namesIn(text: string): string[] {
  const names = Array.from(text.replace(code, ' ').matchAll(called), ([, name]) => name ?? '')
  return [...new Set(names)].slice(0, mostNames)
}

/** What the @names of a message mean. Names that resemble none of ours are left alone. */
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
