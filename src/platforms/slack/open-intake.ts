import { Failure } from '../../kit/failure.ts'
import { HTTPReceiver } from './api/bolt-parts.ts'
import { reasonIn } from './api/errors.ts'
import type { SlackLogger } from './api/logger.ts'
import type { SlackWorkspace } from './directory/workspace.ts'
import type { Cursor } from './gaps/cursor.ts'
import type { ReadBack } from './gaps/read-back.ts'
import type { Taker } from './receive/acknowledge.ts'
import type { Answer, Echo } from './receive/echo.ts'
import { HttpIntake } from './receive/http.ts'
import type { Intake } from './receive/intake.ts'
import type { Where } from './receive/quiet.ts'
import { heedingRateLimits } from './receive/rate-limits.ts'
import { StayConnected } from './receive/stay-connected.ts'
import type { SlackSettings } from './settings.ts'
import type { Timing } from './timing.ts'
import { slackWords } from './words/words.ts'

export interface IntakeDeps {
  settings: SlackSettings
  timing: Timing
  slack: SlackWorkspace
  logger: SlackLogger
  readBack: ReadBack
  cursor: Cursor
  echo: Echo
}

/** An app token means a socket, a signing secret means requests. Throws Failure if there is neither. */
export function intakeFor(deps: IntakeDeps, stored: Taker): Intake {
  const { settings, timing, logger, readBack, cursor, echo } = deps
  const { me, log, clock } = deps.slack
  const { appToken, signingSecret, apiUrl, http } = settings
  const onConnected = () => {
    readBack.run().catch((thrown) => {
      log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'missed messages could not be read back')
      readBack.again()
    })
  }
  const onLost = () => cursor.hold()
  const taker = heedingRateLimits(stored, me.team, () => {
    log.warn({ platform: 'slack' }, 'too many events: Slack drops them for a minute, and they are read back afterwards')
    onLost()
    setTimeout(onConnected, timing.limitedMs).unref()
  })
  const ask = async (where: Where): Promise<Answer> => {
    const answer = await echo.ask()
    if (answer !== 'unknown' || where === 'new' || readBack.isRunning) return answer
    const missed = await (where === 'near' ? readBack.look() : readBack.run())
    return missed ? 'missing' : 'unknown'
  }
  if (appToken !== undefined) {
    const onQuiet = async (where: Where) => {
      const missed = (await ask(where)) === 'missing'
      if (missed) echo.doubt()
      return missed
    }
    return new StayConnected({ ...timing, appToken, apiUrl, logger, log, onConnected, onLost, onQuiet }, taker)
  }
  if (signingSecret !== undefined && http !== undefined) {
    const onGoingOn = () => {
      onLost()
      echo.doubt()
      onConnected()
    }
    // If everything was read without a find, that was only up to now.
    const onStillLost = () => {
      if (!cursor.isHeld) cursor.hold()
    }
    const reports = { onConnected: onGoingOn, onLost, onStillLost, onQuiet: ask }
    const receiver = new HTTPReceiver({ signingSecret, logger, unhandledRequestTimeoutMillis: timing.ackMs })
    return new HttpIntake({ ...timing, ...http, receiver, log, clock, ...reports }, taker)
  }
  throw new Failure('slack_tokens', slackWords.noIntake(), slackWords.noIntakeRemedy())
}
