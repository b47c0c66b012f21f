import type { Json } from '../kit/json.ts'
import { cutCharacters, sizeWords } from '../kit/text/shown.ts'
import { plainName } from '../kit/text/text.ts'
import type { Entry } from './entries.ts'
import type { Exported } from './exported.ts'
import { fencedBlock } from './fence.ts'
import { exportWords } from './words.ts'

/** Longer results are cut: the JSON has all of them. */
const mostOfResult = 2_000

/** Installed packages may have thousands. */
const mostFiles = 500

/** A thread as people read it. `linked`: the files lie beside it, in `files/`. */
export function toMarkdown({ thread, entries, files }: Exported, linked: boolean): string {
  const head = [
    `# ${oneLine(thread.title) || exportWords.untitled()}`,
    exportWords.begun({
      platform: thread.platform,
      channel: oneLine(thread.project_id),
      day: when(thread.created_at),
    }),
  ]
  const listed = files.slice(0, mostFiles).map(({ path, size }) => `- ${fileLine(path, path, size, linked)}`)
  if (files.length > mostFiles) listed.push(`- ${exportWords.moreFiles({ count: files.length - mostFiles })}`)
  const parts = [...head, ...entries.map((entry) => entryText(entry, linked))]
  if (listed.length > 0) parts.push(`## ${exportWords.files()}`, listed.join('\n'))
  return `${parts.join('\n\n')}\n`
}

const when = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

/** As a quote, so that nothing in it can pass for an entry of its own. */
const quoted = (text: string): string =>
  text === ''
    ? ''
    : text
        .split(/\r\n?|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function entryText(entry: Entry, linked: boolean): string {
  switch (entry.kind) {
    case 'message': {
      const files = entry.files.map(({ path, name, size }) => `- ${fileLine(path, name, size, linked)}`)
      return [`## ${speaker(entry)}, ${when(entry.at)}`, quoted(entry.text.trim()), files.join('\n')]
        .filter(Boolean)
        .join('\n\n')
    }
    case 'call': {
      const result = cutCharacters(entry.result, mostOfResult)
      const rest = result.length < entry.result.length ? '\n…' : ''
      return [
        `**\`${entry.tool}\`** (${entry.status})`,
        fencedBlock(inputText(entry.input)),
        ...(result === '' ? [] : [fencedBlock(result + rest)]),
      ].join('\n\n')
    }
    case 'approval': {
      const { why, instead } = entry
      // An approved call follows, with the same input.
      const input = entry.decision === 'approved' ? [] : [fencedBlock(inputText(entry.input))]
      const said = [
        ...(why === undefined ? [] : [exportWords.why({ text: oneLine(why) })]),
        ...(instead === undefined ? [] : [exportWords.instead({ text: oneLine(instead) })]),
      ]
      return [`*${verdict(entry)}*`, ...input, ...said].join('\n\n')
    }
    case 'question': {
      return `**${exportWords.question()}** ${oneLine(entry.question)}\n\n${answerTo(entry)}`
    }
    case 'note':
      return `*${oneLine(entry.text)}*`
  }
}

const inputText = (input: Json): string => (typeof input === 'string' ? input : JSON.stringify(input, undefined, 2))

function verdict({ tool, reason, decision, name }: Extract<Entry, { kind: 'approval' }>): string {
  const about = { tool: `\`${tool}\``, reason: oneLine(reason) }
  if (decision === undefined) return exportWords.notDecided(about)
  if (name === undefined) return exportWords.decided({ ...about, decision })
  return exportWords.decidedBy({ ...about, decision, name: plainName(name) })
}

function answerTo({ answer = '', name, by, declined }: Extract<Entry, { kind: 'question' }>): string {
  if (by === 'stop') return exportWords.withdrawn()
  if (by === 'deadline')
    return declined ? exportWords.notAnsweredInTime() : exportWords.defaultTaken({ answer: oneLine(answer) })
  if (declined) return name === undefined ? exportWords.declined() : exportWords.declinedBy({ name: plainName(name) })
  if (answer === '') return exportWords.notAnswered()
  return name === undefined
    ? exportWords.anAnswer({ answer: oneLine(answer) })
    : exportWords.answer({ name: plainName(name), answer: oneLine(answer) })
}

function speaker({ role, name }: Extract<Entry, { kind: 'message' }>): string {
  if (role === 'assistant') return 'Bobbin'
  return role === 'alarm' ? exportWords.alarm() : plainName(name ?? exportWords.someone())
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
