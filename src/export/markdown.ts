import { cutCharacters, sizeWords } from '../kit/text/shown.ts'
import { plainName } from '../kit/text/text.ts'
import type { Entry } from './entries.ts'
import type { Exported } from './exported.ts'
import { fencedBlock } from './fence.ts'

/** Longer results are cut: the JSON has all of them. */
const mostOfResult = 2_000

/** A thread as people read it. `linked`: the files lie beside it, in `files/`. */
export function toMarkdown({ thread, entries, files }: Exported, linked: boolean): string {
  const head = [
    `# ${oneLine(thread.title) || 'Untitled'}`,
    `${thread.platform}, ${oneLine(thread.project_id)}, begun on ${when(thread.created_at)}`,
  ]
  const listed = files.map(({ path, size }) => `- ${fileLine(path, path, size, linked)}`)
  const parts = [...head, ...entries.map((entry) => entryText(entry, linked))]
  if (listed.length > 0) parts.push('## Files', listed.join('\n'))
  return `${parts.join('\n\n')}\n`
}

const when = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function entryText(entry: Entry, linked: boolean): string {
  switch (entry.kind) {
    case 'message': {
      const files = entry.files.map(({ path, name, size }) => `- ${fileLine(path, name, size, linked)}`)
      return [`## ${speaker(entry)}, ${when(entry.at)}`, entry.text.trim(), files.join('\n')]
        .filter(Boolean)
        .join('\n\n')
    }
    case 'call': {
      const input = typeof entry.input === 'string' ? entry.input : JSON.stringify(entry.input, undefined, 2)
      const result = cutCharacters(entry.result, mostOfResult)
      const rest = result.length < entry.result.length ? '\n…' : ''
      return [
        `**\`${entry.tool}\`** (${entry.status})`,
        fencedBlock(input),
        ...(result === '' ? [] : [fencedBlock(result + rest)]),
      ].join('\n\n')
    }
    case 'approval': {
      const outcome = entry.decision === undefined ? 'not decided' : `${entry.decision}${by(entry.name)}`
      return `*Approval for \`${entry.tool}\`: ${oneLine(entry.reason)} ${outcome}.*`
    }
    case 'question': {
      const answer =
        entry.answer === undefined ? 'Not answered.' : `${plainName(entry.name ?? 'Answer')}: ${oneLine(entry.answer)}`
      return `**Question:** ${oneLine(entry.question)}\n\n${answer}`
    }
    case 'note':
      return `*${oneLine(entry.text)}*`
  }
}

const by = (name: string | undefined): string => (name === undefined ? '' : ` by ${plainName(name)}`)

function speaker({ role, name }: Extract<Entry, { kind: 'message' }>): string {
  if (role === 'assistant') return 'Bobbin'
  return role === 'alarm' ? 'Alarm' : plainName(name ?? 'Someone')
}

function fileLine(path: string, name: string, size: number, linked: boolean): string {
  const shown = oneLine(name).replace(/[[\]\\]/g, String.raw`\$&`)
  const address = path
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'))
  return `${linked ? `[${shown}](files/${address})` : shown} (${sizeWords(size)})`
}
