import type { People } from '../directory/people.ts'

/** Slack's markup for people, channels, links and dates, between < and >. */
const mark = /<([^<>]+)>/g
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

const unescaped = (text: string): string => text.replace(/&(lt|gt|amp);/g, (entity) => entities[entity] ?? entity)

/** The most names of people and channels that are looked up for one message: more would use up the bot's limit. */
const mostNames = 50

/** Ids of the people who are named in the text. */
export const mentionsIn = (text: string): string[] =>
  [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id]) => id ?? '')

export const groupsIn = (text: string): string[] =>
  [...text.matchAll(/<!subteam\^([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id]) => id ?? '')

/** A link as a person sees it, and where it leads if that is different. */
function linkText(url: string, label: string | undefined): string {
  const bare = url.replace(/^(https?:\/\/|mailto:|tel:)/, '')
  if (label === undefined || label === url) return url.replace(/^(mailto:|tel:)/, '')
  return label === bare || `${label}/` === bare ? label : `${label} (${url})`
}

const targetOf = (inner: string): string => inner.split('|', 1)[0] ?? ''

/** Without `people`, ids stay as they are. */
async function markText(inner: string, me: string, people: People | undefined): Promise<string> {
  const target = targetOf(inner)
  const label = target === inner ? undefined : inner.slice(target.length + 1)
  const id = target.slice(1)
  if (target.startsWith('@')) return id === me ? '' : `@${people ? (await people.person(id)).name : id}`
  if (target.startsWith('#')) return `#${label || (people ? await people.channel(id) : id)}`
  if (target.startsWith('!subteam^')) return label ?? `@${target.slice('!subteam^'.length)}`
  if (target.startsWith('!')) return label ?? `@${id}`
  return linkText(target, label)
}

/** What a person would read: names instead of ids, links as they are shown, the bot's own name taken out. */
export async function unfold(text: string, me: string, people: People): Promise<string> {
  // What follows the bot's name belongs to it: “@Bobbin: stop”.
  const addressed = text.replace(new RegExp(`^\\s*<@${me}(?:\\|[^<>]*)?>[\\s,:]*`), '')
  const marks = [...addressed.matchAll(mark)]
  const targets = marks.map(([, inner = '']) => targetOf(inner)).filter((target) => /^[@#]/.test(target))
  const found = new Set([...new Set(targets)].slice(0, mostNames))
  const texts = await Promise.all(
    marks.map(([, inner = '']) => markText(inner, me, found.has(targetOf(inner)) ? people : undefined)),
  )
  const plain = addressed.split(mark).map((part, place) => (place % 2 === 0 ? part : (texts[(place - 1) / 2] ?? '')))
  return unescaped(plain.join(''))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}
