import { type APIEmbed, type APIMessage, type APIMessageSnapshotFields, ComponentType } from 'discord.js'
import { oneLine } from '../../../kit/text/text.ts'
import { type Names, readable } from './unfold.ts'

/** Everything that a message says, as people read it: most bots say what they have to say outside of the content. */
export function wordsOf(message: APIMessage, names: Names): string[] {
  const { author, poll, message_snapshots = [] } = message
  return [
    ...ownWords(message, names, author.bot === true),
    ...(poll === undefined ? [] : [inWords(poll)]),
    ...message_snapshots.map(({ message }) => quote('Forwarded:', ownWords(message, names, true).join('\n'))),
  ]
}

export const quote = (heading: string, text: string): string =>
  [heading, ...text.split('\n')].map((line) => `> ${line}`).join('\n')

/** Embeds of people's links aren't their words. */
function ownWords(
  { content, embeds, components = [], sticker_items = [] }: APIMessageSnapshotFields,
  names: Names,
  withEmbeds: boolean,
): string[] {
  return [
    content,
    ...(withEmbeds ? (embeds ?? []).map(embedded) : []),
    ...textsIn(components),
    ...sticker_items.map(({ name }) => `(sticker: ${oneLine(name, 60)})`),
  ]
    .map((part) => readable(part, names))
    .filter((part) => part !== '')
}

const embedded = ({ author, title, description, fields = [], footer }: APIEmbed): string =>
  [author?.name, title, description, ...fields.map(({ name, value }) => `${name}: ${value}`), footer?.text]
    .filter(Boolean)
    .join('\n')

/** The texts of a message that is made of components instead of content and embeds. */
function textsIn(components: unknown): string[] {
  if (Array.isArray(components)) return components.flatMap(textsIn)
  if (typeof components !== 'object' || components === null) return []
  if ('type' in components && components.type === ComponentType.TextDisplay)
    return 'content' in components ? [String(components.content)] : []
  return 'components' in components ? textsIn(components.components) : []
}

function inWords({ question, answers, results }: NonNullable<APIMessage['poll']>): string {
  const votes = (answer: number): string => {
    const count = results?.answer_counts.find(({ id }) => id === answer)?.count ?? 0
    return results === undefined ? '' : ` (${count} ${count === 1 ? 'vote' : 'votes'})`
  }
  const lines = answers.map(({ answer_id, poll_media }) => `- ${poll_media.text ?? ''}${votes(answer_id)}`)
  return [`Poll: ${question.text ?? ''}`, ...lines].join('\n')
}
