import { defusePings } from '../../../kit/markdown/pings.ts'

const pings = [
  /<\\?!(?:channel|here|everyone|group|subteam)/gi,
  /<\\?@(?=[UW])/gi,
  // Except those of an e-mail address.
  /(?<![a-z\d])@(?:channel|here|everyone)\b/gi,
]

/** A model's text, without mentions of a person, a group, or everybody in a channel. */
export const withoutPings = (markdown: string): string => defusePings(markdown, pings)
