import type { HomeView } from '../domain/home.ts'
import { shortAlarmId } from '../domain/ids.ts'
import { pageKey } from '../domain/keys.ts'
import { dollarsOf } from '../kit/model/cost.ts'
import type { HomeOf } from '../platforms/inbound-sink.ts'
import { alarmsIn } from '../store/alarms.ts'
import { listRequests } from '../store/list-requests.ts'
import { turnsOfPerson } from '../store/person-turns.ts'
import { findPosting } from '../store/postings.ts'
import { findSession, homeOf, type Session } from '../store/sessions.ts'
import type { Db } from '../store/store.ts'
import { spentBy } from '../store/usage-sums.ts'
import { barred } from '../trust/admit.ts'
import { mayAnswer } from '../trust/answer.ts'
import { cardKey } from '../trust/cards.ts'
import type { HearDeps } from './hear.ts'

/** How many requests and alarms are looked at, and how many are shown. */
const mostLookedAt = 500
const mostWaiting = 20
const mostAlarms = 10

/**
 * What a person may see: of the projects they are in, what waits there; of everything else, only what is theirs.
 * Undefined if they may not use the bot.
 */
export async function homeFor(platform: string, who: HomeOf, deps: HearDeps): Promise<HomeView | undefined> {
  const { access, store } = deps
  // It is about no channel.
  const anywhere = { ...access, channels: [] }
  if (barred({ tenant: who.tenant, project: '', person: who.person }, anywhere) !== undefined) return undefined
  const isHere = ({ thread }: Session): boolean =>
    thread.platform === platform &&
    thread.tenant === who.tenant &&
    who.projects.has(thread.project) &&
    barred({ ...thread, person: who.person }, access) === undefined
  const [{ waiting, more }, alarms, month] = await Promise.all([
    waitingFor(who, isHere, deps),
    alarmsOf(who, isHere, deps),
    monthOf(store.db, { platform, tenant: who.tenant, person: who.person.id }, deps.clock.now()),
  ])
  const model = deps.models.get('base')?.model.name ?? ''
  return { waiting, more, alarms, month, settings: { model, threads: access.threads, files: deps.filesPerMessage } }
}

type Links = Pick<HearDeps, 'platforms'>

const linkTo = ({ platforms }: Links, { thread }: Session, message?: string): string | undefined =>
  platforms.get(thread.platform)?.link(thread, message)

async function waitingFor({ person }: HomeOf, isHere: (session: Session) => boolean, deps: HearDeps) {
  const { db } = deps.store
  const pending = await listRequests(db, { state: 'pending', limit: mostLookedAt })
  const waiting: HomeView['waiting'] = []
  let more = 0
  for (const request of pending) {
    const session = await findSession(db, request.session)
    // A subagent's thread is its parent's.
    const home = session?.parent === undefined ? session : await findSession(db, homeOf(session))
    if (session === undefined || home === undefined || home.isDeleted || !isHere(home)) continue
    if (waiting.length >= mostWaiting) {
      more++
      continue
    }
    const card = await findPosting(db, pageKey(cardKey(request.id), 0))
    const mine = await mayAnswer(deps, request, session, { person, operator: false })
    waiting.push({ request, title: home.title, link: linkTo(deps, home, card?.id), mine })
  }
  return { waiting, more }
}

async function alarmsOf({ person }: HomeOf, isHere: (session: Session) => boolean, deps: HearDeps) {
  const { db } = deps.store
  const alarms: HomeView['alarms'] = []
  for (const alarm of await alarmsIn(db, person.id, mostLookedAt)) {
    const session = await findSession(db, alarm.session)
    if (session === undefined || session.isDeleted || !isHere(session)) continue
    const { message, dueAt: at, cron } = alarm
    const id = shortAlarmId(alarm.id)
    alarms.push({ id, message, at, repeats: cron !== undefined, link: linkTo(deps, session) })
    if (alarms.length === mostAlarms) break
  }
  return alarms
}

async function monthOf(db: Db, filter: { platform: string; tenant: string; person: string }, now: number) {
  const since = `${new Date(now).toISOString().slice(0, 7)}-01`
  const [turns, { spent }] = await Promise.all([
    turnsOfPerson(db, filter, Date.parse(since)),
    spentBy(db, { ...filter, since }),
  ])
  return { ...turns, usd: dollarsOf(spent) }
}
