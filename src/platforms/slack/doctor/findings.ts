import { broken, type Finding, mind } from '../../../domain/finding.ts'
import { innermost } from '../../doctor-findings.ts'
import { codeOf, isCode, reasonIn, tokenTrouble } from '../api/errors.ts'

/** Where the apps of a workspace are managed. */
export const appPage = 'https://api.slack.com/apps'

export const subscribed = [
  `Open ${appPage}, your app, “Event Subscriptions”: it has to be on, with the bot events of manifests/slack.yaml.`,
]

export const unseenEvents = (): Finding =>
  mind(
    'Whether Slack sends the events can’t be checked from here.',
    ...subscribed,
    'Or run doctor with --probe and the id of a channel that the bot is in: it posts a message there and deletes it.',
  )

export const httpFinding = (http: { host: string; port: number } | undefined): Finding =>
  mind(
    `Slack's requests are received on ${http ? `${http.host}:${http.port}` : 'HTTP'}; whether they arrive can’t be checked from here.`,
    'Slack needs a public https address that leads there, and /slack/events behind it as the request URL',
    'of “Event Subscriptions”, “Interactivity & Shortcuts” and the slash command.',
    'Without a public address, use Socket Mode: set SLACK_APP_TOKEN.',
  )

export function refusedSocket(reason: string): Finding {
  if (reason === 'link_disabled') {
    return broken('Socket Mode is switched off in the app.', `Switch it on at ${appPage}, your app, “Socket Mode”.`)
  }
  if (reason === 'too_many_websockets') {
    return broken(
      'The app has as many connections as Slack allows.',
      'Stop the other processes that use its app token.',
    )
  }
  return broken(`Slack ended the connection at once (${reason}).`, 'Try again in a minute.')
}

/** Why Slack doesn't accept a token. */
export function notLetIn(thrown: unknown, kind: 'bot' | 'app'): Finding {
  const name = kind === 'bot' ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN'
  const from =
    kind === 'bot'
      ? `Copy the “Bot User OAuth Token” (xoxb-…) from ${appPage}, your app, “OAuth & Permissions”.`
      : `Make an app-level token (xapp-…) with the scope connections:write at ${appPage}, your app, “Basic Information”.`
  if (codeOf(thrown) === undefined) {
    return broken(
      `Slack can’t be reached: ${innermost(thrown)}.`,
      'Check the network, the proxy, and SLACK_API_URL if you set it.',
    )
  }
  if (isCode(thrown, 'not_allowed_token_type')) {
    return broken(`${name} holds a token of another kind.`, from)
  }
  if (kind === 'app' && isCode(thrown, 'missing_scope')) {
    return broken('The app token lacks the scope connections:write.', from)
  }
  if (kind === 'app' && isCode(thrown, 'invalid_auth', 'not_authed', 'token_revoked', 'token_expired')) {
    return broken('Slack does not know the app token (SLACK_APP_TOKEN).', from)
  }
  const trouble = tokenTrouble(thrown)
  if (kind === 'app') return broken(`Slack doesn’t accept ${name} (${codeOf(thrown)}).`, from)
  if (trouble !== undefined) {
    // A new installation may come with a new token.
    const first = trouble.remedy.includes(name) ? [] : [`${trouble.remedy}.`]
    return broken(`Slack doesn’t accept ${name}: ${trouble.why}.`, ...first, from)
  }
  return broken(`Slack doesn’t accept ${name}: ${reasonIn(thrown)}.`, from)
}
