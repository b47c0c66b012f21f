import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type PendingRequest } from '../support/client.ts'
import { isOfMessage, markIn } from './check/rows.ts'
import { rejection } from './clients.ts'
import type { Keeper } from './keeper.ts'
import type { Given, Ledger } from './ledger.ts'
import { type PlannedClick, planClick, textOf } from './plan.ts'
import { send } from './sender.ts'

interface Crowd {
  seed: number
  keeper: Keeper
  ledger: Ledger
  ended: AbortSignal
}

/** People who watch for pending requests and answer each once. */
export async function click(crowd: Crowd): Promise<void> {
  const known = new Set<string>()
  while (!crowd.ended.aborted) {
    for (const request of await pending(crowd)) {
      if (known.has(request.id)) continue
      known.add(request.id)
      void answer(request, crowd)
    }
    await sleep(120)
  }
}

async function pending({ keeper }: Crowd): Promise<PendingRequest[]> {
  try {
    const { url, gone } = await keeper.home()
    const client = new Client(url)
    const asked = client.get<{ requests: PendingRequest[] }>('/requests?status=pending&limit=1000')
    return (await Promise.race([asked, rejection(gone)])).requests
  } catch {
    return []
  }
}

async function answer(request: PendingRequest, crowd: Crowd): Promise<void> {
  const token = markIn(JSON.stringify(request))
  const plan = planClick(crowd.seed, token, request.kind)
  await sleep(plan.waitMs)
  // The reply may have answered another question in the thread, so the person also clicks.
  if (request.kind !== 'approval' && plan.how === 'thread' && isOfMessage(token))
    await replyInThread(request, token, plan, crowd)
  const clicks = [one(request, token, plan.user, plan, crowd)]
  if (plan.how === 'two') {
    const opposite = plan.decision === 'approve' ? 'deny' : 'approve'
    clicks.push(one(request, token, plan.second, { ...plan, decision: opposite }, crowd))
  }
  await Promise.all(clicks)
}

/** Posts the answer in the thread; if somebody has answered already, it is an ordinary message. */
async function replyInThread(request: PendingRequest, token: string, plan: PlannedClick, { keeper, ledger }: Crowd) {
  const own = `${token}r`
  const quiet = { upload: undefined, twice: false, leaves: true }
  await send(
    { token: own, user: plan.user, text: textOf(own, []), conversation: request.conversation_id, ...quiet },
    keeper,
    ledger,
  )
}

/** A person who agrees to a plan changes it first. */
const wordsFor = (request: PendingRequest, user: string, { decision }: PlannedClick): string =>
  decision === 'approve' && JSON.stringify(request).includes('carry out this plan')
    ? 'drop 4; run'
    : `${user} says ${decision}`

/** Clicks until the bot says whether the click counted. */
async function one(request: PendingRequest, token: string, user: string, plan: PlannedClick, crowd: Crowd) {
  const answer = request.kind === 'approval' ? plan.decision : wordsFor(request, user, plan)
  const body = request.kind === 'approval' ? { decision: answer } : { answer }
  const given: Given = { request: request.id, token, user, answer, status: undefined }
  crowd.ledger.given.push(given)
  while (given.status === undefined) {
    const { url, gone } = await crowd.keeper.home()
    const client = new Client(url)
    try {
      const response = await Promise.race([client.answer(request.id, { ...body, user_id: user }), rejection(gone)])
      await response.arrayBuffer()
      if (response.status < 500) given.status = response.status
    } catch {
      await sleep(50)
    }
  }
  if (given.status !== 200 && given.status !== 409) {
    crowd.ledger.fault('refused', `answering ${request.id} (${token}): ${given.status}`)
  }
}
