import { closedWords, type Grant, type GrantScope, isOfClosed, isOfOneCall } from '../../domain/grant.ts'
import { oneLine, plainName } from '../../kit/text/text.ts'
import { grantsFor } from '../../store/grants.ts'
import { type Command, counted } from '../../turn/command.ts'
import { inboundWords } from '../words.ts'

const most = 30

const mostPatterns = 5

export const grants: Command = {
  name: 'grants',
  summary: inboundWords.grantsSummary(),
  about: 'thread',
  async run({ session, deps }) {
    const found = await grantsFor(deps.store.db, { session: session.id, thread: session.thread }, deps.clock.now())
    if (found.length === 0) return inboundWords.nothingAlwaysAllowedHere()
    const lines = found.slice(0, most).map((grant) => `- \`${shortGrantId(grant)}\` ${inMarkdown(grant)}`)
    const more = found.length > most ? [`- and ${found.length - most} more`] : []
    const end = 'Say `revoke` and an id to end one.'
    return [inboundWords.threadIDontAsk(), ...lines, ...more, end].join('\n')
  },
}

/** The part of a grant's id that people type; in practice it is unique. */
export const shortGrantId = ({ id }: Grant): string => id.slice('grant_'.length, 'grant_'.length + 14)

const inMarkdown = (grant: Grant): string =>
  isOfClosed(grant)
    ? `${everyProgram}: ${closedWords} · ${termsOf(grant)}`
    : `${grant.tool}: ${patternsOf(grant, (pattern) => `\`${pattern.replaceAll('`', "'")}\``)} · ${termsOf(grant)}`

export const everyProgram = 'commands and scripts'

/** What a grant allows, one pattern a line, without characters that a screen would act on. */
export function patternsOf({ patterns }: Grant, marked: (pattern: string) => string): string {
  const shown = patterns.slice(0, mostPatterns).map((pattern) => marked(oneLine(pattern.replace(/\p{C}/gu, ' '), 120)))
  return [...shown, ...(patterns.length > mostPatterns ? [`${patterns.length - mostPatterns} more`] : [])].join(', ')
}

const scopes: Record<GrantScope, string> = {
  thread: 'one thread',
  channel: 'the whole channel',
  tenant: 'the whole workspace',
}

/** Where and until when it holds, who gave it, and how often it was used. */
export function termsOf(grant: Grant): string {
  const { scope, until, by, uses, untrusted, binding } = grant
  const limits = [
    scopes[scope],
    until === undefined ? 'without end' : `until ${minute(until)}`,
    ...(isOfOneCall(grant)
      ? ['exactly this call']
      : binding === '' || isOfClosed(grant)
        ? []
        : ['as long as the files that it runs stay as they are']),
    ...(untrusted ? ['also with untrusted content in the thread'] : []),
  ]
  return [...limits, `by ${plainName(by.name)}`, uses === 0 ? 'not used yet' : `used ${counted(uses, 'time')}`].join(
    ' · ',
  )
}

export const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
