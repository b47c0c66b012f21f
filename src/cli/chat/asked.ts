import type { EventData } from '../../domain/events.ts'
import type { GrantOffer } from '../../domain/grant.ts'
import type { QuestionPart } from '../../domain/question.ts'
import { localIso, zoneOf } from '../../kit/calendar/zone.ts'
import { cliWords } from '../words.ts'
import type { Asked } from './requests.ts'
import { inputText, plain } from './shown.ts'

type ApprovalAsked = EventData['permission_asked']

export const isApproval = (asked: Asked): asked is ApprovalAsked => 'tool_name' in asked && 'reason' in asked

const indented = (text: string): string => plain(text).replace(/^/gm, '    ')

/** A request as people read it, with what they can type. What it would run stands above it, because it may be long. */
export function askedWhole(asked: Asked): string {
  const scripts = isApproval(asked) ? (asked.scripts ?? []) : []
  return [...scripts.map(({ path, text }) => `  ${plain(path)}:\n${indented(text)}`), askedText(asked)].join('\n')
}

export const askedText = (asked: Asked): string =>
  (isApproval(asked) ? approvalLines(asked) : questionLines(asked)).join('\n')

function approvalLines(asked: ApprovalAsked): string[] {
  const { tool_name, tool_input, reason, risk, unclear, hosts, writes = [], runs } = asked
  const { votes, needed, grants, deadline_at } = asked
  const who = plain(asked.who)
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
    `  ${needed > 1 ? cliWords.deciders({ who, count: votes.length, needed }) : cliWords.decider({ who })}`,
    ...(deadline_at === undefined ? [] : [`  ${cliWords.deniedAt({ time: timeOf(deadline_at) })}`]),
    `  ${cliWords.typeVerdict()}`,
    ...(grants === undefined ? [] : grantLines(grants)),
  ]
}

/** What can always be allowed, and by which words. */
function grantLines({ exact, wide = [], closed, untrusted }: GrantOffer): string[] {
  return [
    ...(exact.length === 0 ? [] : [cliWords.typeAlways()]),
    ...(wide.length === 0 || closed ? [] : [cliWords.typeSimilar({ patterns: plain(wide.join(', ')) })]),
    ...(exact.length > 0 || !closed ? [cliWords.typeReach()] : []),
    ...(closed ? [cliWords.typeClosed()] : []),
    ...(untrusted ? [cliWords.alwaysUntrusted()] : []),
  ].map((line) => `  ${line}`)
}

function questionLines(asked: EventData['question_asked'] & { who?: string }): string[] {
  const { context, also = [], to = [], who = [], deadline_at, ...first } = asked
  const parts = [first, ...also]
  const names = [...to.map(({ name }) => name), who].flat()
  const taken = first.options.find(({ id }) => id === first.default)?.label ?? first.default
  const end = { end: taken === undefined ? 'none' : 'default', answer: plain(taken ?? '') }
  const required = String(first.required)
  return [
    ...(context ? [indented(context)] : []),
    ...parts.flatMap((part, index) => partLines(part, parts.length > 1 ? `${index + 1}. ` : '')),
    ...(to.length === 0 ? [] : [`  ${cliWords.forPeople({ names: plain(names.join(', ')) })}`]),
    ...(deadline_at === undefined ? [] : [`  ${cliWords.endsAt({ time: timeOf(deadline_at), ...end })}`]),
    `  ${
      parts.length > 1
        ? cliWords.typeAnswers({ required })
        : cliWords.typeAnswer({ options: first.options.length > 0 ? 'some' : 'none', required })
    }`,
  ]
}

function partLines({ question, options, multiple, required }: QuestionPart, number: string): string[] {
  const optional = number !== '' && !required ? ' (optional)' : ''
  return [
    `? ${number}${plain(question)}${multiple ? ' (several, with commas)' : ''}${optional}`,
    ...options.map(({ label, recommended, ...option }, index) => {
      const notes = [option.description, option.estimated_time, option.estimated_cost].filter(Boolean).join(' · ')
      return `    ${index + 1}) ${plain(label)}${recommended ? ' (recommended)' : ''}${notes ? `: ${plain(notes)}` : ''}`
    }),
  ]
}

/** On the clock of this machine, with the day if it isn’t today. */
function timeOf(iso: string): string {
  const [now = '', then = ''] = [Date.now(), Date.parse(iso)].map((at) => localIso(at, zoneOf('machine')))
  return then.slice(0, 10) === now.slice(0, 10) ? then.slice(11, 19) : then.slice(0, 16).replace('T', ' ')
}
