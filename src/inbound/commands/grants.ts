import { closedWords, type Grant, type GrantScope, isOfClosed, isOfContents, isOfOneCall } from '../../domain/grant.ts'
import { asCode } from '../../kit/text/shown.ts'
import { oneLine, plainName } from '../../kit/text/text.ts'
import { grantsFor } from '../../store/grants.ts'
import type { Command } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

const most = 30

const mostPatterns = 5

export const grants: Command = {
  name: 'grants',
  summary: inboundWords.grantsSummary(),
  about: 'thread',
  async run({ session, deps }) {
    const found = await grantsFor(deps.store.db, { session: session.id, thread: session.thread }, deps.clock.now())
    if (found.length === 0) return inboundWords.noGrants()
    const lines = found.slice(0, most).map((grant) => `- \`${shortGrantId(grant)}\` ${inMarkdown(grant)}`)
    const more = found.length > most ? [`- ${inboundWords.andMore({ count: found.length - most })}`] : []
    return [inboundWords.grantsHere(), ...lines, ...more, inboundWords.revokeRemedy()].join('\n')
  },
}

/** The part of a grant's id that people type; in practice it is unique. */
export const shortGrantId = ({ id }: Grant): string => id.slice('grant_'.length, 'grant_'.length + 14)

const inMarkdown = (grant: Grant): string =>
  isOfClosed(grant)
    ? inboundWords.grantLine({ tool: everyProgram(), what: closedWords, terms: termsOf(grant) })
    : inboundWords.grantLine({ tool: grant.tool, what: patternsOf(grant, asCode), terms: termsOf(grant) })

export const everyProgram = (): string => inboundWords.everyProgram()

/** What a grant allows, one pattern a line, without characters that a screen would act on. */
export function patternsOf({ patterns }: Grant, marked: (pattern: string) => string): string {
  const shown = patterns.slice(0, mostPatterns).map((pattern) => marked(oneLine(pattern.replace(/\p{C}/gu, ' '), 120)))
  return [
    ...shown,
    ...(patterns.length > mostPatterns ? [inboundWords.more({ count: patterns.length - mostPatterns })] : []),
  ].join(', ')
}

const scopes: Record<GrantScope, () => string> = {
  thread: inboundWords.oneThread,
  channel: inboundWords.wholeChannel,
  tenant: inboundWords.wholeWorkspace,
}

/** Where and until when it holds, who gave it, and how often it was used. */
export function termsOf(grant: Grant): string {
  const { scope, until, by, uses, untrusted } = grant
  const limits = [
    scopes[scope](),
    until === undefined ? inboundWords.withoutEnd() : inboundWords.until({ at: minute(until) }),
    ...(isOfOneCall(grant) ? [inboundWords.oneCallOnly()] : []),
    ...(isOfContents(grant) ? [inboundWords.whileFilesUnchanged()] : []),
    ...(untrusted ? [inboundWords.withUntrusted()] : []),
  ]
  const used = [inboundWords.givenBy({ name: plainName(by.name) }), inboundWords.usedTimes({ count: uses })]
  return [...limits, ...used].join(' · ')
}

export const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
