import { matchesIn } from './matches.ts'
import type { SecretSpan } from './span.ts'

const azureKey = 'an Azure key'
const terraformToken = 'a Terraform token'
const mailchimpKey = 'a Mailchimp key'
const newRelicKey = 'a New Relic key'
const asanaToken = 'an Asana token'

export const shapedKinds = [
  ...['a JSON Web Token', 'a Discord bot token', 'a Telegram bot token', 'an Azure client secret'],
  ...[azureKey, terraformToken, mailchimpKey, asanaToken, newRelicKey],
]

/** Tokens without a known beginning, recognised by the shape of their parts. */
export const shaped = (text: string): SecretSpan[] => [
  ...webTokens(text),
  ...discordTokens(text),
  ...telegramTokens(text),
  ...azureSecrets(text),
  ...knownByTheirEnd.flatMap((end) => behind(text, end)),
]

/** Tokens that are known by a part in their middle or at their end. `before` looks at the characters before it. */
const knownByTheirEnd = [
  { rest: /JQQJ9[9DH][A-Za-z0-9]{26}/g, before: /[A-Za-z0-9]{52}$/, kind: azureKey },
  { rest: /NRAL/g, before: /[0-9a-z]{36}$/, kind: newRelicKey },
  { rest: /AZDO[A-Za-z0-9]{4}/g, before: /[A-Za-z0-9]{76}$/, kind: azureKey },
  { rest: /\.atlasv1\.[A-Za-z0-9_=-]{60,70}/g, before: /[A-Za-z0-9]{14}$/, kind: terraformToken },
  { rest: /-us[0-9]{1,2}(?![A-Za-z0-9])/g, before: /(?<![0-9a-f])[0-9a-f]{32}$/, kind: mailchimpKey },
  {
    rest: /:[0-9a-f]{32}(?![0-9A-Za-z])/g,
    before: /(?<![0-9])[0-9]\/[0-9]{15,17}(?:\/[0-9]{15,17})?$/,
    kind: asanaToken,
  },
]

function behind(text: string, { rest, before, kind }: (typeof knownByTheirEnd)[number]): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const { 0: found, index } of matchesIn(text, rest)) {
    const first = before.exec(text.slice(Math.max(0, index - 80), index))?.[0]
    if (first !== undefined) spans.push({ start: index - first.length, end: index + found.length, kind, weight: 1 })
  }
  return spans
}

const webToken =
  /eyJ[A-Za-z0-9_-]{8,1024}(?:\.((?:[A-Za-z0-9_-]{8,16000})?)\.[A-Za-z0-9_-]{16,1024}(?:\.[A-Za-z0-9_-]{8,4096}){0,4})?/g

/** Without the dots the whole run was skipped, so that no part is checked twice. */
function webTokens(text: string): SecretSpan[] {
  return [...matchesIn(text, webToken)].flatMap(({ 0: token, 1: claims, index }) => {
    if (claims === undefined || !isHeader(token.slice(0, token.indexOf('.')))) return []
    return [{ start: index, end: index + token.length, kind: 'a JSON Web Token', weight: 1 as const }]
  })
}

function isHeader(part: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof header === 'object' && header !== null && Object.hasOwn(header, 'alg')
  } catch {
    // Not JSON, so it isn't a header.
    return false
  }
}

const discordRest = /\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,64}/g

/** The first part is the bot's id, digits in Base64: 17 to 20 of them. */
function discordTokens(text: string): SecretSpan[] {
  return [...matchesIn(text, discordRest)].flatMap(({ 0: rest, index }) => {
    for (const length of [27, 26, 24, 23]) {
      const start = index - length
      const id = text.slice(Math.max(0, start), index)
      if (start < 0 || !/^[A-Za-z0-9_-]+$/.test(id)) continue
      if (!/^[0-9]{17,20}$/.test(Buffer.from(id, 'base64url').toString('latin1'))) continue
      return [{ start, end: index + rest.length, kind: 'a Discord bot token', weight: 1 as const }]
    }
    return []
  })
}

const telegramRest = /:AA[A-Za-z0-9_-]{32,64}/g

function telegramTokens(text: string): SecretSpan[] {
  return [...matchesIn(text, telegramRest)].flatMap(({ 0: rest, index }) => {
    const id = /[0-9]{8,10}$/.exec(text.slice(Math.max(0, index - 10), index))?.[0]
    if (id === undefined || !/[0-9]|[a-z][A-Z]/.test(rest)) return []
    return [{ start: index - id.length, end: index + rest.length, kind: 'a Telegram bot token', weight: 1 as const }]
  })
}

const azureRest = /[0-9]Q~[A-Za-z0-9_~.-]{31,34}/g

function azureSecrets(text: string): SecretSpan[] {
  return [...matchesIn(text, azureRest)].flatMap(({ 0: rest, index }) => {
    if (!/^[A-Za-z0-9_~.]{3}$/.test(text.slice(Math.max(0, index - 3), index))) return []
    return [{ start: index - 3, end: index + rest.length, kind: 'an Azure client secret', weight: 1 as const }]
  })
}
