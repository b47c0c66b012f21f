import { reasonOf } from '../../kit/failure.ts'
import type { InboundSink } from '../inbound-sink.ts'
import type { PlatformDeps } from '../platform.ts'
import { SlackApi } from './api/api.ts'
import { createBolt, takeEvents } from './api/bolt.ts'
import { identify } from './api/identity.ts'
import { slackLogger } from './api/logger.ts'
import { Standing } from './api/token-standing.ts'
import { Groups } from './directory/groups.ts'
import { People } from './directory/people.ts'
import { msOf, rootOf } from './directory/thread-refs.ts'
import { Threads } from './directory/threads.ts'
import type { SlackWorkspace } from './directory/workspace.ts'
import { Shares } from './files/shares.ts'
import { Cursor } from './gaps/cursor.ts'
import { ReadBack } from './gaps/read-back.ts'
import { AgentView } from './heard/agent.ts'
import { Changes } from './heard/changes.ts'
import { Hearing } from './heard/hearing.ts'
import { messageEvents } from './heard/listen.ts'
import { rightsEvents } from './heard/rights.ts'
import { listenToClicks } from './interactions/listen.ts'
import { Lives } from './live/lives.ts'
import { SessionStatuses } from './live/session-status.ts'
import { StreamSupport } from './live/stream-support.ts'
import { intakeFor } from './open-intake.ts'
import { Homes } from './post/homes.ts'
import type { Mailer } from './post/message.ts'
import { Speaker } from './post/speaker.ts'
import { acknowledgedWhenStored } from './receive/acknowledge.ts'
import { Echo } from './receive/echo.ts'
import { HeardElsewhere } from './receive/heard-elsewhere.ts'
import type { Intake } from './receive/intake.ts'
import type { SlackSettings } from './settings.ts'
import type { Timing } from './timing.ts'

/** The adapter, started. */
export interface Running {
  slack: SlackWorkspace
  groups: Groups
  standing: Standing
  intake: Intake
  hearing: Hearing
  readBack: ReadBack
  mailer: Mailer
  lives: Lives
  homes: Homes
  stop(): Promise<void>
}

/** Builds the parts and begins to receive. */
export async function run(
  settings: SlackSettings,
  deps: PlatformDeps,
  timing: Timing,
  sink: InboundSink,
): Promise<Running> {
  const { botToken, apiUrl } = settings
  const { clock, log, catchUpDays } = deps
  const logger = slackLogger(log)
  // Everything that was refused before may be accepted now.
  const retryRefused = (where: Parameters<InboundSink['changed']>[0] = {}) =>
    sink
      .changed(where)
      .catch((thrown) => log.error({ error: reasonOf(thrown) }, 'what is waiting could not be tried again'))
  const standing = new Standing(log, retryRefused)
  const api = new SlackApi({ ...deps, botToken, apiUrl, logger, standing })
  const checkToken = () => api.once((client) => client.auth.test())
  const me = await identify(api)
  const slack: SlackWorkspace = { ...deps, me, api, people: new People(api, me.team, timing.nameMs) }
  const mailer: Mailer = { slack, threads: new Threads(api), shares: new Shares(api, timing) }
  const speaker = new Speaker(slack)
  const statuses = new SessionStatuses(slack)
  const { cursor, hearing, readBack } = hearingOf(mailer, sink, speaker, { ...timing, catchUpDays })
  const elsewhere = deps.others && new HeardElsewhere(deps.notes, `slack:${me.team}:files`)
  const echo = new Echo({ ...timing, api, log, elsewhere, isShared: settings.appToken === undefined })

  const app = createBolt(me, botToken, apiUrl, logger)
  const { threads } = mailer
  const homes = new Homes(slack, sink, timing.homeMs)
  const agent = new AgentView({ slack, sink, statuses, speaker, homes })
  takeEvents(app, {
    ...messageEvents({ slack, sink, hearing, speaker, threads, changes: new Changes(slack, sink, hearing), agent }),
    ...rightsEvents({ slack, retryRefused, checkToken, echo }),
  })
  listenToClicks(app, { slack, sink, speaker, threads, homes })

  const streams = new StreamSupport(clock)
  const lives = new Lives({ mailer, statuses, streams, streamMs: timing.streamMs }, deps.show, () => homes.changed())
  let stopped = false
  const taker = acknowledgedWhenStored(app, () => stopped)
  const intake = intakeFor({ settings, timing, slack, logger, readBack, cursor, echo }, taker)
  await cursor.begin(clock.now())
  await intake.start()
  standing.watch(checkToken, timing.standingMs)
  await statuses.restore()
  // Nothing fails after this: another attempt would listen once more.
  deps.others?.whenGone(() => void readBack.ofOthers())
  async function stop(): Promise<void> {
    stopped = true
    standing.stop()
    mailer.shares.stop()
    homes.stop()
    await intake.stop()
    await readBack.stop()
    await cursor.end()
    await lives.stop()
    statuses.stop()
    await api.stop()
  }
  const groups = new Groups(slack, timing.ackMs)
  return { slack, groups, standing, intake, hearing, readBack, mailer, lives, homes, stop }
}

/** The parts that hear messages, whether Slack sends them or they are read back. */
function hearingOf(
  { slack, shares, threads }: Mailer,
  sink: InboundSink,
  speaker: Speaker,
  timing: Timing & Pick<PlatformDeps, 'catchUpDays'>,
) {
  const cursor = new Cursor(slack.notes, `slack:${slack.me.team}:heard`, timing.cursorMs)
  const hearing = new Hearing({
    slack,
    sink,
    tell: (channel, thread, text, key) => speaker.tell(channel, thread, text, key),
    onOwn(message, channel) {
      shares.heard(message)
      threads.note(channel, message.ts, rootOf(message))
    },
    onHeard(message, channel) {
      cursor.heard(msOf(message.ts))
      threads.note(channel, message.ts, rootOf(message))
    },
    onLate: (thread, message) => void readBack.repliesTo(thread, message),
    onMissed: () => readBack.later(),
  })
  const isKnown = threads.isKnown.bind(threads)
  const readBack = new ReadBack({ ...timing, slack, sink, hearing, cursor, isKnown })
  return { cursor, hearing, readBack }
}
