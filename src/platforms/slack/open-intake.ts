import { Failure } from '../../kit/failure.ts'
import type { Log } from '../../kit/log.ts'
import { reasonIn } from './api/errors.ts'
import type { SlackLogger } from './api/logger.ts'
import type { Cursor } from './gaps/cursor.ts'
import type { ReadBack } from './gaps/read-back.ts'
import type { Taker } from './receive/acknowledge.ts'
import type { Echo } from './receive/echo.ts'
import { HttpIntake } from './receive/http.ts'
import type { Intake } from './receive/intake.ts'
import { StayConnected } from './receive/stay-connected.ts'
import type { SlackSettings } from './settings.ts'
import type { Timing } from './timing.ts'
import { slackWords } from './words/words.ts'

export interface IntakeDeps {
  settings: SlackSettings
  timing: Timing
  log: Log
  logger: SlackLogger
  readBack: ReadBack
  cursor: Cursor
  echo: Echo
}

/** An app token means a socket, a signing secret means requests. Throws Failure if there is neither. */
export function intakeFor({ settings, timing, log, logger, readBack, cursor, echo }: IntakeDeps, taker: Taker): Intake {
  const { appToken, signingSecret, apiUrl, http } = settings
  const onConnected = () => {
    readBack.run().catch((thrown) => {
      log.warn({ platform: 'slack', reason: reasonIn(thrown) }, 'missed messages could not be read back')
      readBack.later()
    })
  }
  if (appToken !== undefined) {
    const onLost = () => cursor.hold()
    const onQuiet = async (where: 'new' | 'near' | 'everywhere') => {
      const answer = await echo.ask()
      if (answer !== 'unknown' || where === 'new') return answer === 'missing'
      return where === 'near' ? readBack.look() : readBack.run()
    }
    return new StayConnected({ ...timing, appToken, apiUrl, logger, log, onConnected, onLost, onQuiet }, taker)
  }
  if (signingSecret !== undefined && http !== undefined) {
    return new HttpIntake({ ...http, signingSecret, logger, onConnected }, taker)
  }
  throw new Failure('slack_tokens', slackWords.noIntake(), slackWords.noIntakeRemedy())
}
