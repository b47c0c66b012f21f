import type { EventData, SessionEvent } from '../../domain/events.ts'
import type { QuestionPart } from '../../domain/question.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { oneLine, visible } from '../../kit/text/text.ts'
import { cliWords } from '../words.ts'
import { quoted } from './typed.ts'

export type Asked = EventData['permission_asked'] | EventData['question_asked']

const isApproval = (asked: Asked): asked is EventData['permission_asked'] => 'tool_name' in asked && 'reason' in asked

/** Text from outside: it may have several lines, and can't move the cursor. */
export const plain = (text: string): string => visible(text.replace(/\r\n?/g, '\n'))

/** What went wrong, and what to do about it. */
export const failureText = (thrown: unknown): string =>
  plain(thrown instanceof Failure ? `! ${thrown.message} ${thrown.remedy}`.trim() : `! ${reasonOf(thrown)}`)

const indented = (text: string): string => plain(text).replace(/^/gm, '    ')

/** A request as people read it, with what they can type. */
export function askedText(asked: Asked): string {
  if (!isApproval(asked)) return questionText(asked)
  const { tool_name, tool_input, reason, risk, unclear, hosts, writes = [], runs, who, votes, needed, grants } = asked
  const facts = [
    ['Reaches', hosts],
    ['Writes', writes],
    ['Runs', runs],
    ['Unclear', unclear],
  ] as const
  return [
    `? ${plain(tool_name)} needs approval (${risk} risk): ${plain(reason)}`,
    indented(inputText(tool_input)),
    ...facts.flatMap(([name, list]) => (list.length === 0 ? [] : [`  ${name}: ${plain(list.join(', '))}`])),
    `  ${needed > 1 ? cliWords.deciders({ who: plain(who), count: votes.length, needed }) : cliWords.decider({ who: plain(who) })}`,
    `  ${grants?.exact.length ? cliWords.typeVerdictOrAlways() : cliWords.typeVerdict()}`,
  ].join('\n')
}

/** One text argument stands for itself: a command is easier to read without JSON around it. */
function inputText(input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.entries(input) : []
  const [only] = values
  if (values.length === 1 && typeof only?.[1] === 'string') return only[1]
  return values
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

function questionText({ context, also = [], ...first }: EventData['question_asked']): string {
  const parts = [first, ...also]
  return [
    ...(context ? [indented(context)] : []),
    ...parts.map((part, index) => partText(part, parts.length > 1 ? `${index + 1}. ` : '')),
    parts.length > 1
      ? `  ${cliWords.typeAnswers()}`
      : `  ${cliWords.typeAnswer({ options: first.options.length > 0 ? 'some' : 'none', required: String(first.required) })}`,
  ].join('\n')
}

const partText = ({ question, options, multiple }: QuestionPart, number: string): string =>
  [
    `? ${number}${plain(question)}${multiple ? ' (several, with commas)' : ''}`,
    ...options.map(
      ({ label, description, recommended }, index) =>
        `    ${index + 1}) ${plain(label)}${recommended ? ' (recommended)' : ''}${description ? `: ${plain(description)}` : ''}`,
    ),
  ].join('\n')

/** The body of a request's answer, from what was typed; undefined if that isn't offered. */
export function answerOf(asked: Asked, line: string): object | undefined {
  const text = line.trim()
  if (isApproval(asked)) {
    if (/^(y|yes|ok|approve)$/i.test(text)) return { decision: 'approve' }
    if (/^(n|no|deny)$/i.test(text)) return { decision: 'deny' }
    const always = { pattern: 'exact', scope: 'thread' }
    if (/^(a|always)$/i.test(text)) return asked.grants?.exact.length ? { decision: 'approve', always } : undefined
    return { decision: 'deny', instead: text }
  }
  if (text === '-') return { declined: true }
  if (!asked.also?.length) return { answer: text }
  const [answer, ...also] = text.split(';').map((piece) => piece.trim())
  return { answer, also }
}

const fileLines = (files: { path: string; size: number }[]): string[] =>
  files.map(({ path, size }) => `  + ${plain(path)} (${sizeWords(size)}); /get ${quoted(plain(path))} saves it here`)

/**
 * An event in lines of its own; undefined for what isn't shown, or is shown in another way. `about`: the request that
 * was answered.
 */
export function eventText(event: SessionEvent, about?: Asked): string | undefined {
  switch (event.type) {
    case 'message': {
      const { role, text, files, person } = event.data
      const who = role === 'assistant' ? 'bobbin' : role === 'alarm' ? 'alarm' : (person?.name ?? 'someone')
      return [`${plain(who)}: ${plain(text)}`, ...(role === 'assistant' ? fileLines(files) : [])].join('\n')
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
    case 'permission_replied': {
      const { decision, person, by } = event.data
      const who = person?.name ?? (by === 'deadline' ? 'the deadline' : 'a stop')
      const tool = about !== undefined && isApproval(about) ? `${plain(about.tool_name)}: ` : ''
      return `  ${tool}${decision === 'approve' ? 'Approved' : 'Denied'} by ${plain(who)}.`
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
    case 'complete':
      return event.data.files.length === 0 ? undefined : fileLines(event.data.files).join('\n')
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
