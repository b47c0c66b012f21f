import type { People } from '../people.ts'

/** Slack's marks of people, channels, links and dates: what stands between < and >. */
const mark = /<([^<>]+)>/g
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

const unescaped = (text: string): string => text.replace(/&(lt|gt|amp);/g, (entity) => entities[entity] ?? entity)

/** Ids of the people who are named in the text. */
export const mentionsIn = (text: string): string[] =>
  [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id]) => id ?? '')

export const groupsIn = (text: string): string[] =>
  [...text.matchAll(/<!subteam\^([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id]) => id ?? '')

/** A link as a person sees it, and where it leads when that is something else. */
function linkText(url: string, label: string | undefined): string {
  const bare = url.replace(/^(https?:\/\/|mailto:|tel:)/, '')
  if (label === undefined || label === url) return url.replace(/^(mailto:|tel:)/, '')
  return label === bare || `${label}/` === bare ? label : `${label} (${url})`
}

async function markText(inner: string, me: string, people: People): Promise<string> {
  const [target = '', ...labels] = inner.split('|')
  const label = labels.length > 0 ? labels.join('|') : undefined
  const id = target.slice(1)
  if (target.startsWith('@')) return id === me ? '' : `@${(await people.person(id)).name}`
  if (target.startsWith('#')) return `#${label || (await people.channel(id))}`
  if (target.startsWith('!subteam^')) return label ?? `@${target.slice('!subteam^'.length)}`
  if (target.startsWith('!')) return label ?? `@${id}`
  return linkText(target, label)
}

/** What a person would read: names instead of ids, links as they are shown, the bot's own name taken out. */
export async function unfold(text: string, me: string, people: People): Promise<string> {
  // What follows the bot's name belongs to it: “@Bobbin: stop”.
  const addressed = text.replace(new RegExp(`^\\s*<@${me}(?:\\|[^<>]*)?>[\\s,:]*`), '')
  const marks = [...addressed.matchAll(mark)]
  const texts = await Promise.all(marks.map(([, inner = '']) => markText(inner, me, people)))
  const plain = addressed.split(mark).map((part, place) => (place % 2 === 0 ? part : (texts[(place - 1) / 2] ?? '')))
  return unescaped(plain.join(''))
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
}
