import { createStreamMask } from '../kit/secrets/stream.ts'
import { Deliverer } from '../outbound/deliver.ts'
import { FormerCalls } from '../outbound/former-calls.ts'
import { liveTextsHere } from '../outbound/live-texts.ts'
import { Outages } from '../outbound/outages.ts'
import { OutputStream } from '../outbound/output-stream.ts'
import { Presenter } from '../outbound/presenter.ts'
import { reportPosting } from '../outbound/report-posting.ts'
import { sharedTexts } from '../outbound/shared-texts.ts'
import { TextStream } from '../outbound/text-stream.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import type { Rules } from '../trust/rules.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { Foundation } from './foundation.ts'

/** How often a turn's events are read for platforms, ms. */
const readMs = 150

/** What shows people what the bot says and does. `wake` is called for a session whose card was shown. */
export function openOutgoing(
  { config, store, clock, log, report, secrets, lock }: Foundation,
  platforms: Map<string, ChatPlatform>,
  workspaces: Workspaces,
  rules: Rules,
  wake: ConstructorParameters<typeof Deliverer>[0]['wake'],
) {
  const outages = new Outages({ platforms, clock, report: report('an outage could not be told') })
  outages.follow(store)
  const formerCalls = new FormerCalls(store.db, clock)
  const { holder } = lock
  const unshown = report('progress could not be shown')
  const here = liveTextsHere(clock)
  const liveTexts = store.wire === undefined ? here : sharedTexts(here, store.wire)
  const presenter = new Presenter({ store, liveTexts, clock, platforms, formerCalls, holder, readMs, report: unshown })
  const deliverer = new Deliverer({
    store,
    clock,
    platforms,
    presenter,
    rules,
    formerCalls,
    holder,
    workspaces,
    fileBytes: config.show.fileBytes,
    wake,
    failed: report('delivering failed'),
    report: reportPosting(log, report),
  })
  store.whenPosting((posted) => deliverer.deliver(posted))
  store.listenToOthers()
  const newMask = () => createStreamMask(secrets)
  const outputStream = new OutputStream(store, report('output was lost'), newMask)
  const { textFlushMs: flushMs } = config.engine
  const textStream = new TextStream({
    store,
    liveTexts,
    flushMs,
    report: report('streamed text was not shown'),
    newMask,
  })
  return { formerCalls, outages, presenter, deliverer, outputStream, liveTexts, textStream }
}
