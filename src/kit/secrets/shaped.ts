import type { SecretSpan } from './span.ts'

export const shapedKinds = ['a JSON Web Token', 'a Discord bot token', 'a Telegram bot token', 'an Azure client secret']

/** Tokens without a known beginning, recognised by the shape of their parts. */
export const shaped = (text: string): SecretSpan[] => [
  ...webTokens(text),
  ...discordTokens(text),
  ...telegramTokens(text),
  ...azureSecrets(text),
]

const webToken =
  /eyJ[A-Za-z0-9_-]{8,1024}(?:\.([A-Za-z0-9_-]{8,5000})\.[A-Za-z0-9_-]{16,1024}(?:\.[A-Za-z0-9_-]{8,4096}){0,4})?/g

/** Without the dots the whole run was skipped, so that no part is checked twice. */
function webTokens(text: string): SecretSpan[] {
  return [...text.matchAll(webToken)].flatMap(({ 0: token, 1: claims, index }) => {
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
  return [...text.matchAll(discordRest)].flatMap(({ 0: rest, index }) => {
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
  return [...text.matchAll(telegramRest)].flatMap(({ 0: rest, index }) => {
    const id = /[0-9]{8,10}$/.exec(text.slice(Math.max(0, index - 10), index))?.[0]
    if (id === undefined || !/[0-9]/.test(rest)) return []
    return [{ start: index - id.length, end: index + rest.length, kind: 'a Telegram bot token', weight: 1 as const }]
  })
}

const azureRest = /[0-9]Q~[A-Za-z0-9_~.-]{31,34}/g

function azureSecrets(text: string): SecretSpan[] {
  return [...text.matchAll(azureRest)].flatMap(({ 0: rest, index }) => {
    if (!/^[A-Za-z0-9_~.]{3}$/.test(text.slice(Math.max(0, index - 3), index))) return []
    return [{ start: index - 3, end: index + rest.length, kind: 'an Azure client secret', weight: 1 as const }]
  })
}
