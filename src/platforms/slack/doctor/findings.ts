import { broken, type Finding, mind } from '../../../domain/finding.ts'
import { innermost } from '../../words/doctor-findings.ts'
import { codeOf, isCode, reasonIn, tokenTrouble } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'

/** Where the apps of a workspace are managed. */
export const appPage = 'https://api.slack.com/apps'

export const subscribed = (): string[] => [slackWords.turnEventsOnRemedy({ appPage })]

export const unseenEvents = (): Finding =>
  mind(slackWords.eventsUnchecked(), ...subscribed(), slackWords.eventsUncheckedRemedy())

export const httpFinding = (http: { host: string; port: number } | undefined): Finding =>
  mind(
    slackWords.requestsReceived({ address: http ? `${http.host}:${http.port}` : 'HTTP' }),
    slackWords.publicAddressRemedy(),
    slackWords.socketModeRemedy(),
  )

export function refusedSocket(reason: string): Finding {
  if (reason === 'link_disabled') {
    return broken(slackWords.socketModeDisabled(), slackWords.socketModeDisabledRemedy({ appPage }))
  }
  if (reason === 'too_many_websockets') {
    return broken(slackWords.connectionLimitReached(), slackWords.connectionLimitRemedy())
  }
  return broken(slackWords.connectionEndedAtOnce({ reason }), slackWords.tryInAMinuteRemedy())
}

/** Why Slack doesn't accept a token. */
export function notLetIn(thrown: unknown, kind: 'bot' | 'app'): Finding {
  const name = kind === 'bot' ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN'
  const from = kind === 'bot' ? slackWords.copyBotTokenRemedy({ appPage }) : slackWords.makeAppTokenRemedy({ appPage })
  if (codeOf(thrown) === undefined) {
    return broken(slackWords.slackUnreachableBecause({ thrown: innermost(thrown) }), slackWords.unreachableRemedy())
  }
  if (isCode(thrown, 'not_allowed_token_type')) {
    return broken(slackWords.otherKind({ name }), from)
  }
  if (kind === 'app' && isCode(thrown, 'missing_scope')) {
    return broken(slackWords.appTokenWithoutScope(), from)
  }
  if (kind === 'app' && isCode(thrown, 'invalid_auth', 'not_authed', 'token_revoked', 'token_expired')) {
    return broken(slackWords.appTokenUnknown(), from)
  }
  const trouble = tokenTrouble(thrown)
  if (kind === 'app') return broken(slackWords.tokenRefusedWithCode({ name, code: codeOf(thrown) ?? '?' }), from)
  if (trouble !== undefined) {
    // A new installation may come with a new token.
    const first = trouble.remedy.includes(name) ? [] : [`${trouble.remedy}.`]
    return broken(slackWords.tokenRefusedBecause({ name, why: trouble.why }), ...first, from)
  }
  return broken(slackWords.tokenCheckFailed({ name, thrown: reasonIn(thrown) }), from)
}
