import type { InboxRow, OutboxRow, PostingRow } from '../../../../src/store/schema.ts'
import type { SessionRow } from '../../../../src/store/session-rows.ts'
import { checkAlarms } from '../../check/alarms.ts'
import { checkAnswers } from '../../check/answers.ts'
import { checkCalls } from '../../check/calls.ts'
import { type Evidence, type Fault, type Faults, faultsOf, type Known, type Rule } from '../../check/check.ts'
import { checkDecisions } from '../../check/decisions.ts'
import { checkFiles } from '../../check/files.ts'
import { checkHands } from '../../check/hands.ts'
import { checkMessages } from '../../check/messages.ts'
import { checkOrder } from '../../check/order.ts'
import { checkPlans } from '../../check/plans.ts'
import { checkRoutes } from '../../check/routes.ts'
import type { Rows } from '../../check/rows.ts'
import { checkTurns } from '../../check/turns.ts'
import type { Effect } from '../../effects.ts'
import { Ledger } from '../../ledger.ts'
import { type Account, placeKey } from '../account.ts'
import type { Place, Seen, Stage } from '../stage.ts'
import { checkCards } from './cards.ts'
import { checkChatter } from './chatter.ts'
import { checkMarks } from './marks.ts'
import { checkPosted } from './posted.ts'
import { checkPostedFiles } from './posted-files.ts'
import { receivedOnPlatform } from './received.ts'
import { checkRest } from './rest.ts'

interface Given {
  rows: Rows
  /** Whether the database was away now and then. */
  outages: boolean
  account: Account
  stage: Stage
  effects: Effect[]
  workspaceDir: string
}

/** One of the bot's messages that people see, and its rows. */
export interface Posted {
  place: Place
  seen: Seen
  postings: PostingRow[]
  /** Its final form. */
  entry: OutboxRow | undefined
}

const platformRules = [
  'lost',
  'missing',
  'doubled',
  'elsewhere',
  'half made',
  'card',
  'decision',
  'file',
  'chatter',
] as const
type PlatformRule = (typeof platformRules)[number]

/** The data that is compared. */
interface Whole extends Given {
  received: Map<string, InboxRow[]>
  posted: Posted[]
  /** By place. */
  sessions: Map<string, SessionRow>
}

export type PlatformEvidence = Whole & Faults<PlatformRule>

const ofRows: ((evidence: Evidence) => void)[] = [
  checkMessages,
  checkTurns,
  checkAnswers,
  checkCalls,
  checkDecisions,
  checkAlarms,
  checkFiles,
  checkHands,
  checkPlans,
  checkRoutes,
  checkOrder,
]
const ofPeople = [checkMarks, checkPosted, checkPostedFiles, checkCards, checkRest, checkChatter]

/** Everything that should be true after a campaign and isn't, in the rows and in what people see. */
export function checkPlatform(given: Given): Fault[] {
  const { rows, account, stage } = given
  const sessions = new Map(rows.sessions.map((row) => [placeKey(row), row]))
  const received = receivedOnPlatform(rows, [...account.told.values()])
  const posted = postedOf(rows, stage).filter((one) => !given.outages || !isNotice(one))
  const whole = { ...given, received, sessions, posted }
  const ledger = ledgerOf(account, stage, sessions)
  return [...faultsOf<Known, Rule>({ ...whole, ledger }, ofRows), ...faultsOf<Whole, PlatformRule>(whole, ofPeople)]
}

function postedOf({ postings, outbox }: Rows, stage: Stage): Posted[] {
  const known = Map.groupBy(postings, ({ platform_id }) => stage.messageOf(platform_id ?? ''))
  const entries = new Map(outbox.map((row) => [row.key, row]))
  return stage.everything().map(({ place, seen }) => {
    const own = known.get(seen.id) ?? []
    return { place, seen, postings: own, entry: entries.get(own[0]?.key.split('.')[0] ?? '') }
  })
}

/** While nothing can be stored, threads are told so, and such a message has no row. */
const isNotice = ({ seen, postings }: Posted): boolean =>
  postings.length === 0 && /; Bobbin then continues by itself\.$/.test(seen.text.trim())

/** What people know, in the terms of the rows. Edited and deleted messages have their own rules. */
function ledgerOf(account: Account, stage: Stage, sessions: Map<string, SessionRow>): Ledger {
  const ledger = new Ledger()
  ledger.hasServer = account.ledger.hasServer
  for (const told of account.told.values()) {
    if (told.removed || told.edited) continue
    const { user, place, acknowledgedAt = Number.POSITIVE_INFINITY } = told
    const conversation = sessions.get(placeKey(place))?.id
    ledger.sent.set(told.token, { ...told, user: stage.idOf(user), conversation, acknowledgedAt })
  }
  for (const place of account.stopped) ledger.stops.set(sessions.get(placeKey(place))?.id ?? '', 0)
  return ledger
}
