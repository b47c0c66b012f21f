import { broken, type Finding, mind } from '../../../domain/finding.ts'
import { innermost } from '../../words/doctor-findings.ts'
import { codeOf, isCode, reasonIn, tokenTrouble } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'

/** Where the apps of a workspace are managed. */
export const appPage = 'https://api.slack.com/apps'

export const subscribed = (): string[] => [slackWords.turnEventsOn({ appPage })]

export const unseenEvents = (): Finding =>
  mind(slackWords.whetherSlackSendsEvents(), ...subscribed(), slackWords.orRunDoctorProbe())

export const httpFinding = (http: { host: string; port: number } | undefined): Finding =>
  mind(
    slackWords.requestsReceived({ address: http ? `${http.host}:${http.port}` : 'HTTP' }),
    slackWords.slackNeedsPublicHttps(),
    slackWords.withoutPublicAddressUse(),
  )

export function refusedSocket(reason: string): Finding {
  if (reason === 'link_disabled') {
    return broken(slackWords.socketModeSwitchedOff(), slackWords.switchYourAppSocket({ appPage }))
  }
  if (reason === 'too_many_websockets') {
    return broken(slackWords.appAsManyConnections(), slackWords.stopOtherProcessesUse())
  }
  return broken(slackWords.slackEndedConnectionOnce({ reason }), slackWords.tryAgainMinute())
}

/** Why Slack doesn't accept a token. */
export function notLetIn(thrown: unknown, kind: 'bot' | 'app'): Finding {
  const name = kind === 'bot' ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN'
  const from = kind === 'bot' ? slackWords.copyBotToken({ appPage }) : slackWords.makeAppLevelToken({ appPage })
  if (codeOf(thrown) === undefined) {
    return broken(slackWords.slackCantReached2({ thrown: innermost(thrown) }), slackWords.checkNetworkProxySlack())
  }
  if (isCode(thrown, 'not_allowed_token_type')) {
    return broken(slackWords.otherKind({ name }), from)
  }
  if (kind === 'app' && isCode(thrown, 'missing_scope')) {
    return broken(slackWords.appTokenLacksScope(), from)
  }
  if (kind === 'app' && isCode(thrown, 'invalid_auth', 'not_authed', 'token_revoked', 'token_expired')) {
    return broken(slackWords.slackDoesNotKnow(), from)
  }
  const trouble = tokenTrouble(thrown)
  if (kind === 'app') return broken(slackWords.slackDoesntAccept({ name, code: codeOf(thrown) ?? '?' }), from)
  if (trouble !== undefined) {
    // A new installation may come with a new token.
    const first = trouble.remedy.includes(name) ? [] : [`${trouble.remedy}.`]
    return broken(slackWords.slackDoesntAccept2({ name, why: trouble.why }), ...first, from)
  }
  return broken(slackWords.slackDoesntAccept3({ name, thrown: reasonIn(thrown) }), from)
}
