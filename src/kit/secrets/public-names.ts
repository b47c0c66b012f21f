/**
 * Words before `token` that make it harmless: a cursor, protection against forged forms, a request id. None of these
 * lets anybody in.
 */
const pages =
  'next|prev|previous|first|last|start|end|page|paging|pagination|continuation|continue|cursor|resume|resumption|scroll|skip|marker|offset|position|checkpoint|watermark|snapshot|sync|delta|change|stream|shard|sort|sequence|forward|backward|iterator|history|bookmark|batch|window|list|results?|rows?|more|range|partition|segment|feed|poll|polling'
const forms =
  'captcha|recaptcha|hcaptcha|turnstile|csrf|xsrf|authenticity|forgery|antiforgery|request ?verification|csrf ?middleware'
const requests =
  'request|idempotency|idempotent|dedup|deduplication|cancel|cancellation|abort|stop|lock|fencing|lease|etag|version|concurrency|correlation|tracking|trace'
/** The same for programs that parse texts. */
const parsers = 'parser?|lexer|lexical|keyword|punctuation|stop|eos|bos|pad|unk|mask|vocab|separator|special'

const isPublic = new RegExp(`(?:^| )(?:${pages}|${forms}|${requests}|${parsers})$`)

/** Longer names aren't checked as a whole. */
const reach = 48

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The address of a coin on a chain. */
const address = /^0x[0-9a-fA-F]{40}$/

/** Whether a `token` with such a name or value is public. */
export function isPublicToken(text: string, index: number, value: string): boolean {
  const before = text.slice(Math.max(0, index - reach), index)
  // In prose a space stands between: `the CSRF token: …`.
  const [name = ''] = /[A-Za-z0-9_$-]*[ \t]?$/.exec(before) ?? []
  const words = asWords(name)
  // Amazon uses this name for a request id, others for a key.
  return isPublic.test(words) || address.test(value) || (/(?:^| )client$/.test(words) && uuid.test(value))
}

/** `x-ms-nextPage_` as `x ms next page`. */
const asWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_$\s-]+/g, ' ')
    .trim()
    .toLowerCase()
