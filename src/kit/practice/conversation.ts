import type { JsonObject } from '../json.ts'
import type { ModelMessage, ModelRequest } from '../model/model.ts'
import { outcomeOf } from './outcome.ts'
import type { DoneCall, Situation, Upload } from './situation.ts'

const reminder = /<system_reminder>[\s\S]*?(<\/system_reminder>|$)/g
const fileHeading = /^Files:\n(?=- )/m
// Names may contain brackets too; usually the path ends with the name, which identifies it.
const fileLine =
  /^- (?:(uploads\/(.{1,300})) \(\2|(uploads\/.{1,400}) \((.{1,300})), [^,()]{1,100}, \d+ bytes\)(?:, and it is .{1,300})?$/gm
/** `[ana] ` in front, but not the `[Alarm …]` of an alarm. */
const author = /^\s*\[(?!Alarm)[^\]\n]{1,80}\]:?[ \t]*/i
/** After a stop or a failure, somebody asked to continue with the earlier request. */
const resumption = /^\[The program\] Continue where\b/
const retrial = /^\[The program\] .{1,200} asks you to answer the last message again\b/
/** The task of a subagent, and that its result is wanted in more detail. */
const task = /^\[The program\] This is your task:\n\n/
/** What a step of a plan has to give and may read, below what it is. */
const ofStep = /\n\nWhat it must give: [\s\S]*$/
const inDetail = /^\[The program\] Your result is very short\./
/** A tool named this way becomes available in the thread: that isn't a mention. */
const mention = /<@[!&]?\w+>\s*|^@(?!run_(?:command|script)\b)\w+[,:]?\s+/g
/** The program's own remarks below the words: not part of the request. */
const aside = /^\n\n\((?:They were told: |Said on )[^\n]*\)$/
/** What others wrote is labelled with their names. */
const label = /^<data source="[^\n]{0,400}">\n([\s\S]*)\n<\/data>$/

/** One by one from the end: a pattern for all of them would take too long if there are many before other words. */
function withoutAsides(text: string): string {
  let rest = text.trimEnd()
  for (;;) {
    const start = rest.lastIndexOf('\n\n(')
    if (start === -1 || !aside.test(rest.slice(start))) return rest
    rest = rest.slice(0, start)
  }
}

/** The person's own words in a user message. */
const wordsOf = (content: string): string =>
  withoutAsides(content.replace(reminder, '').split(fileHeading)[0] ?? '')
    .replace(task.test(content) ? ofStep : '', '')
    .replace(task, '')
    .replace(author, '')
    .replace(mention, '')
    .trim()

const uploadsOf = (content: string): Upload[] =>
  [...content.replace(reminder, '').matchAll(fileLine)].map(([, samePath, sameName, path = '', name = '']) => ({
    path: samePath ?? path,
    name: sameName ?? name,
  }))

function inputOf(written: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(written)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : {}
  } catch {
    return {}
  }
}

const unlabelled = (content: string): string => label.exec(content)?.[1] ?? content

/** The steps since the message: each reply with calls, and their results. */
function roundsOf(messages: ModelMessage[]): DoneCall[][] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.call, unlabelled(message.content.replace(reminder, '').trimEnd())]] : [],
    ),
  )
  return messages.flatMap((message) => {
    if (message.role !== 'assistant' || message.calls.length === 0) return []
    const calls = message.calls.map((call) => ({
      name: call.name,
      input: inputOf(call.arguments),
      outcome: outcomeOf(results.get(call.id) ?? 'Unknown: no result'),
    }))
    return [calls]
  })
}

const isDone = (round: DoneCall[]) => round.every(({ outcome }) => outcome.kind === 'done')

/**
 * After a resumption, what was interrupted is done again, and what had been done isn't. After a retry, everything is
 * done again.
 */
function roundsSince(all: ModelMessage[]): DoneCall[][] {
  const messages = all.slice(all.findLastIndex(({ role, content }) => role === 'user' && retrial.test(content)) + 1)
  const resumed = messages.findLastIndex(({ role, content }) => role === 'user' && resumption.test(content))
  if (resumed < 0) return roundsOf(messages)
  return [...roundsOf(messages.slice(0, resumed)).filter(isDone), ...roundsOf(messages.slice(resumed))]
}

const writtenFiles = (messages: ModelMessage[]): Upload[] =>
  roundsOf(messages)
    .flat()
    .filter(({ name, outcome }) => name === 'write_file' && outcome.kind === 'done')
    .map(({ input }) => String(input.path))
    .map((path) => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }))

/** Calls of these are accepted, too. A real model has to load them first, to see what they take. */
function toolsToLoad(prompt: string): string[] {
  const section = /^# More tools\n(?:(?!# ).*\n?)*/m.exec(prompt)?.[0] ?? ''
  return Array.from(section.matchAll(/^- ([\w-]+)(?::|$)/gm), ([, name = '']) => name)
}

/** Everything that an answer depends on, read from the request: the practice model remembers nothing. */
export function situationOf({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): Situation {
  const isAsked = ({ role, content }: ModelMessage) =>
    role === 'user' && ![resumption, retrial, inDetail].some((one) => one.test(content))
  const place = messages.findLastIndex(isAsked)
  const asked = place < 0 ? '' : (messages[place]?.content ?? '')
  const uploads = new Map<string, Upload>()
  for (const { role, content } of messages) {
    if (role !== 'user') continue
    for (const upload of uploadsOf(content)) uploads.set(upload.path, upload)
  }
  return {
    text: wordsOf(asked),
    uploads: [...uploads.values()],
    newUploads: uploadsOf(asked),
    written: writtenFiles(messages),
    rounds: roundsSince(messages.slice(place + 1)),
    tools: new Set([...tools.map(({ name }) => name), ...toolsToLoad(messages[0]?.content ?? '')]),
  }
}
