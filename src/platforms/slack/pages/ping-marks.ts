import type { RichTextBlock, RichTextElement } from '@slack/types'
import { isGroupId } from '../directory/groups.ts'

const mostPings = 20

type Named = { kind: 'user' | 'group'; id: string }

/** Ids are put into markup: anything that doesn't look like one notifies nobody. */
function named(ping: string): Named | undefined {
  const colon = ping.indexOf(':')
  const [kind, id] = [ping.slice(0, colon), ping.slice(colon + 1)]
  if (kind === 'user' && /^[UW][A-Z0-9]{2,40}$/.test(id)) return { kind, id }
  return kind === 'group' && isGroupId(id) ? { kind, id } : undefined
}

const allNamed = (ping: string[]): Named[] => [...new Set(ping)].flatMap((one) => named(one) ?? []).slice(0, mostPings)

/** People and groups in Slack's markup; '' for nobody. */
export const pingMarks = (ping: string[]): string =>
  allNamed(ping)
    .map(({ kind, id }) => (kind === 'user' ? `<@${id}>` : `<!subteam^${id}>`))
    .join(' ')

/** The same as a block, which notifies where the text beside blocks doesn't. */
export function pingBlock(ping: string[]): RichTextBlock | undefined {
  const elements = allNamed(ping).flatMap(({ kind, id }): RichTextElement[] => [
    kind === 'user' ? { type: 'user', user_id: id } : { type: 'usergroup', usergroup_id: id },
    { type: 'text', text: ' ' },
  ])
  return elements.length === 0
    ? undefined
    : { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: elements.slice(0, -1) }] }
}
