/** What Slack makes a mention of, and what people read as one. https://docs.slack.dev/messaging/formatting-message-text */
export const slackPings: readonly RegExp[] = [
  /<!(?:channel|here|everyone|group|subteam)/,
  /<@[a-z0-9]/,
  /(?<![a-z0-9])@(?:channel|here|everyone)(?![a-z0-9])/,
]
