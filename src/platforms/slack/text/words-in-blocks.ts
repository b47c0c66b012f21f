import { escapeText } from './escape.ts'

type Part = Record<string, unknown>

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const partsAt = <T>(value: unknown, key: string, is: (one: unknown) => one is T): T[] => {
  const list = isPart(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter(is) : []
}

/** Nothing in it is markup. */
export const said = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? escapeText(String(value)) : ''

/** What blocks say in Slack's markup, in order. Tables, plans and whatever can be clicked or filled in are left out. */
export const wordsIn = (blocks: unknown): string => [...wordsOf(blocks)].filter((one) => one.trim() !== '').join('\n')

function* wordsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* wordsOf(one)
  if (!isPart(value) || value.action_id !== undefined) return
  switch (value.type) {
    case 'table':
    case 'plan':
      return
    case 'rich_text':
      yield* partsAt(value, 'elements', isPart).flatMap(linesOf)
      return
    case 'mrkdwn':
      if (typeof value.text === 'string') yield value.text
      return
    case 'plain_text':
    case 'markdown':
      yield said(value.text)
      return
    default:
      for (const one of Object.values(value)) yield* wordsOf(one)
  }
}

/** A line for each item of a list. */
function linesOf(element: Part): string[] {
  if (element.type !== 'rich_text_list') return [elementText(element, said)]
  const first = typeof element.offset === 'number' ? element.offset + 1 : 1
  const mark = (place: number) => (element.style === 'ordered' ? `${first + place}.` : '•')
  return partsAt(element, 'elements', isPart).map((item, place) => `${mark(place)} ${elementText(item, said)}`)
}

/** Paragraphs, lists, and what these consist of; `say` is for plain text. */
export function elementText(element: Part, say: (value: unknown) => string): string {
  const parts = partsAt(element, 'elements', isPart).map((one) => elementText(one, say))
  switch (element.type) {
    case 'rich_text_list':
      return parts.join(' ')
    case 'user':
      return `<@${element.user_id}>`
    case 'channel':
      return `<#${element.channel_id}>`
    case 'usergroup':
      return `<!subteam^${element.usergroup_id}>`
    case 'broadcast':
      return `<!${element.range}>`
    case 'link':
      return `<${said(element.url).replaceAll('|', '%7C')}${element.text === undefined ? '' : `|${say(element.text)}`}>`
    case 'emoji':
      return `:${say(element.name)}:`
    case 'date':
      return `<!date^${said(element.timestamp)}|${say(element.fallback)}>`
    default:
      return parts.length > 0 ? parts.join('') : say(element.text ?? element.value ?? element.fallback)
  }
}
