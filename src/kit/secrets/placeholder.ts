import { randomness } from './randomness.ts'

/** Words that stand in for a secret in examples, templates and documentation. */
const standIns =
  /example|change.?me|placeholder|redacted|dummy|insert|replace|\.\.\.|…|\*\*\*|\[secret|sample|process\.env|environ|import\.meta|getenv|secrets?\.|<[a-z]|\$\{|\{\{|%[({]/i
/** Short ones occur within a random value by chance, so they count only where a word begins, or as a row. */
const shortStandIns = /(?<![a-z0-9])(?:your|todo|fake)|x{6}/i
const shortInOneCase = /[a-z](?:Your|Todo|Fake)|(?<![A-Za-z0-9])(?:xxx|XXX)|(?:xxx|XXX)(?![A-Za-z0-9])/
const standsIn = (text: string): boolean => standIns.test(text) || shortStandIns.test(text) || shortInOneCase.test(text)
const exactly =
  /^(?:null|none|nil|undefined|true|false|password|passwd|pass|pwd|secret|token|string|number|boolean|user|admin|root|hunter2?|foo|bar|baz|bearer|basic|test|\d+)$/i
/** A reference, path, address or call. */
const reference =
  /^(?:[<[{$%*]|\.{0,2}\/|~\/|[a-z][a-z0-9+.-]*:\/\/|[au]rn:|[a-z_$][\w$.]*[([]|[A-Za-z]:\\|(?:required|nullable|sometimes|bail|confirmed)\|)/i
/** A digest, or a password stored as a digest. */
const digest = /^\{?(?:sha|md5|ssha|bcrypt|pbkdf2|scrypt|argon2)\w{0,12}[}$:-]/i

/** Whether a value is only a placeholder. The caller limits the length of `text`. */
export const isPlaceholder = (text: string): boolean =>
  exactly.test(text) ||
  isReference(text) ||
  digest.test(text) ||
  standsIn(text) ||
  new Set(text).size < 5 ||
  isSequence(text) ||
  isPasswordWord(text) ||
  isDefaultPassword(text) ||
  isReadable(text)

const color = /^#(?:[0-9a-f]{3,4}){1,2}$/i

/** A random value may begin like a path or a reference: one in 64 in Base64. */
function isReference(text: string): boolean {
  if (reference.test(text)) return !(/^\/(?![a-z]{3,}\/)/.test(text) && isScrambled(text, 20))
  return color.test(text) || (/^[@!&#]/.test(text) && isName(text.slice(1).replace(/[([{].*$/s, '')))
}

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', '09876543210', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** `abcdef1234567890`, `qwertyui`: most characters follow the one before them. */
export function isSequence(text: string): boolean {
  let steps = 0
  const small = text.toLowerCase()
  for (let at = 1; at < small.length; at++) if (rows.some((row) => row.includes(small.slice(at - 1, at + 1)))) steps++
  return text.length >= 8 && steps >= (text.length - 1) * 0.6
}

const whose =
  'my|your|the|some|db|database|app|user|root|admin|postgres|mysql|mongo|redis|super|strong|secure|personal|access|api|private|github|gitlab|service|account|default|sample|demo|test|client|consumer|auth|deploy|proxy|jenkins'
const what =
  'pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|key|changeme|guest|example|dummy|foo|bar|baz|value|passwort|motdepasse|contrase[nñ]a|senha'
const passwordWord = new RegExp(
  `^(?:(?:${whose}|${what})[-_.]?){0,6}(?:${what})[-_]?v?(?:\\d{0,4}|123456\\d{0,4})$`,
  'i',
)

/** What a text says in place of a password: `mysecretpassword`, `github_token`, `secret123`. */
export const isPasswordWord = (text: string): boolean => text.length <= 48 && passwordWord.test(text)

const services =
  'postgres|mysql|mariadb|mongo|mongodb|redis|rabbit|rabbitmq|elastic|minio|minioadmin|mailhog|admin|root|guest|demo|test|dev|abc'
const wellKnown = new RegExp(
  `^(?:(?:${services})-?\\d{0,4}!?|p[a@]ss?w(?:or|0r)d\\d{0,3}!?|s3cr3t|toor|tiger|foobared|raspberry|calvin|letmein\\d?)$`,
  'i',
)

/** What local setups and manuals use: `admin123`, `tiger`. */
export const isDefaultPassword = (text: string): boolean => wellKnown.test(text)

/** Base64 of a readable placeholder, or of JSON: a web token's header, a cursor. Unless it names a secret itself. */
function isReadable(text: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{8,512}={0,2}$/.test(text)) return false
  const inner = Buffer.from(text, 'base64url').toString('latin1')
  if (/^[\x20-\x7e]+$/.test(inner) && (exactly.test(inner) || standsIn(inner) || isPasswordWord(inner))) return true
  return /^[{[]/.test(inner) && isJson(inner) && !/key|token|secret|pass|pwd|cred|auth|session/i.test(inner)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Words and small numbers, joined by signs or capitals: a name, not a secret. */
export const isName = (text: string): boolean =>
  text
    .split(/[-_.:/@\s+,=]+/)
    .every((part) =>
      /^(?:[a-z]*|[A-Z][a-z]*|[A-Z]*|[a-z]+(?:[A-Z][a-z]*)*|(?:[A-Z][a-z]+)+)v?\d{0,2}$|^\d{1,4}$/.test(part),
    )

const date = /^\d{4}-\d{2}-\d{2}(?:[T_]?[\d:.]{0,16}(?:Z|[+-]\d{2}:?\d{2})?)?$/
const mail = /^[\w.+-]{1,64}@[\w.-]{1,100}\.[a-z]{2,12}$/i
const wordOrNumber = /^(?:[a-z]*|[A-Z]*|[A-Z][a-z]*|\d{1,12})$/

/** A date, an e-mail address, or words and numbers of any length: `ORDER-2026-00123`. */
export const isLabel = (text: string): boolean =>
  date.test(text) || mail.test(text) || text.split(/[-_.:/#]/).every((part) => wordOrNumber.test(part))

/** Long, with capitals and letters where no name has them: some random values have no digit. */
export const isScrambled = (text: string, least = 16, sureness = 5): boolean =>
  text.length >= least &&
  /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_-]{1,512}={0,2}$/.test(text) &&
  randomness(text.replace(/=+$/, '')) > sureness

/** Not a word or a name: at least one digit among the letters, and `least` characters in all. */
export function isRandom(text: string, least: number): boolean {
  if (text.length < least || isPlaceholder(text.slice(0, 512))) return false
  if (isScrambled(text)) return true
  return /[0-9]/.test(text) && /[A-Za-z]/.test(text) && !isName(text.slice(0, 512))
}

const sayings = /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_.](?:[A-Z]?[a-z]+|[A-Z]+))*[!?*]+$/
const aboutSecrets = /pass|pwd|kennwort|senha|contrase|secret|token|key/i

/** `Forgot?`, `weak-password!`, and a name with the sign for its key: `Pass&word`. Other joined words: a passphrase. */
const isLabelOfField = (text: string): boolean =>
  (sayings.test(text) && (!/[-_.]/.test(text) || aboutSecrets.test(text))) || isPasswordWord(text.replace('&', ''))

/** In a person's password, a sign is as good as a digit. */
export const isPassword = (text: string): boolean =>
  isRandom(text, 6) ||
  (isScrambled(text, 10, 0) && !isPlaceholder(text)) ||
  (text.length >= 6 &&
    /[!#$%&*^?@]/.test(text) &&
    /[A-Za-z]/.test(text) &&
    !isLabelOfField(text) &&
    !isPlaceholder(text))
