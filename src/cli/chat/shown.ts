import type { SessionEvent } from '../../domain/events.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { oneLine, visible } from '../../kit/text/text.ts'
import { cliWords } from '../words.ts'
import type { Asked } from './requests.ts'
import { quoted } from './typed.ts'

/** Text from outside: it may have several lines, and can't move the cursor. */
export const plain = (text: string): string => visible(text.replace(/\r\n?/g, '\n'))

/** What went wrong, and what to do about it. */
export const failureText = (thrown: unknown): string =>
  plain(thrown instanceof Failure ? `! ${thrown.message} ${thrown.remedy}`.trim() : `! ${reasonOf(thrown)}`)

/** One text argument stands for itself: a command is easier to read without JSON around it. */
export function inputText(input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.entries(input) : []
  const [only] = values
  if (values.length === 1 && typeof only?.[1] === 'string') return only[1]
  return values
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

const fileLines = (files: { path: string; size: number }[]): string[] =>
  files.map(({ path, size }) => `  + ${plain(path)} (${sizeWords(size)}); /get ${quoted(plain(path))} saves it here`)

const toolOf = (about: Asked | undefined): string =>
  about !== undefined && 'tool_name' in about ? `${plain(about.tool_name)}: ` : ''

/**
 * An event in lines of its own; undefined for what isn't shown, or is shown in another way. `about`: the request that
 * was answered.
 */
export function eventText(event: SessionEvent, about?: Asked): string | undefined {
  switch (event.type) {
    case 'message': {
      const { role, text, files, person } = event.data
      const who = role === 'assistant' ? 'bobbin' : role === 'alarm' ? 'alarm' : (person?.name ?? 'someone')
      const brought = role === 'assistant' ? fileLines(files) : []
      return text === '' && brought.length > 0
        ? brought.join('\n')
        : [`${plain(who)}: ${plain(text)}`, ...brought].join('\n')
    }
    case 'act':
      return `  · ${plain(event.data.tool_name)} ${plain(oneLine(inputText(event.data.tool_input), 100))}`
    case 'observe': {
      const { status, result, tool_name } = event.data
      return status === 'done' ? undefined : `  · ${plain(tool_name)} ${status}: ${plain(oneLine(result, 200))}`
    }
    case 'permission_voted': {
      const { person, votes, needed } = event.data
      return `  ${cliWords.votedFor({ name: plain(person.name), votes, needed })}`
    }
    case 'permission_moved':
      return event.data.escalated
        ? `  ${toolOf(about)}${cliWords.nowAsking({ who: plain(event.data.who) })}`
        : undefined
    case 'permission_replied': {
      const { decision, person, by } = event.data
      const who = person?.name ?? (by === 'deadline' ? 'the deadline' : 'a stop')
      return `  ${toolOf(about)}${decision === 'approve' ? 'Approved' : 'Denied'} by ${plain(who)}.`
    }
    case 'question_answered':
    case 'decision_answered':
    case 'clarification_answered':
    case 'doom_loop_intervened': {
      const { person, answer, by } = event.data
      return `  ${
        person === undefined
          ? cliWords.answeredBySome({ by, answer: plain(answer) })
          : cliWords.answeredBy({ name: plain(person.name), answer: plain(answer) })
      }`
    }
    case 'said':
    case 'complete':
      return event.data.files?.length ? fileLines(event.data.files).join('\n') : undefined
    case 'stopped':
      return '  Stopped.'
    case 'error':
      return `! ${plain(event.data.message)} ${plain(event.data.remedy)}`
    case 'warning':
      return `! ${plain(event.data.message)}`
    case 'deleted':
      return `  ${cliWords.threadDeleted()}`
    default:
      return undefined
  }
}
