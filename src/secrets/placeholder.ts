/** Words that stand where a secret would: in examples, templates and documentation. */
const standIns =
  /your|example|change.?me|placeholder|xxx|redacted|dummy|todo|insert|replace|\.\.\.|…|\*\*\*|\[secret|fake|sample|process\.env|environ|import\.meta|getenv|secrets?\.|<[a-z]|\$\{|\{\{|%[({]/i
const exactly =
  /^(?:null|none|nil|undefined|true|false|password|passwd|pass|pwd|secret|token|string|number|boolean|user|admin|root|hunter2?|foo|bar|baz|bearer|basic|test|\d+)$/i
/** A reference, path, address or call. */
const reference = /^(?:[<[{$%*@!&#]|\.{0,2}\/|~\/|[a-z][a-z0-9+.-]*:\/\/|urn:|[a-z_$][\w$.]*[([]|[A-Za-z]:\\)/i
const sequences = ['abcdefgh', '12345678', '87654321', '01234567', 'qwertyui']

/** Whether a value only stands for a secret. `text` is bounded by the caller. */
export const isPlaceholder = (text: string): boolean =>
  exactly.test(text) || reference.test(text) || standIns.test(text) || new Set(text).size < 5 || isSequence(text)

const isSequence = (text: string): boolean =>
  sequences.some((sequence) => text.toLowerCase().startsWith(sequence) && text.length <= sequence.length + 8)

/** Words and small numbers, joined by signs or by capitals: a name, not a secret. */
export const isName = (text: string): boolean =>
  text
    .split(/[-_.:/@\s+,=]+/)
    .every((part) =>
      /^(?:[a-z]*|[A-Z][a-z]*|[A-Z]*|[a-z]+(?:[A-Z][a-z]*)*|(?:[A-Z][a-z]+)+)v?\d{0,2}$|^\d{1,4}$/.test(part),
    )

/** No word and no name: at least one digit among the letters, and `least` characters in all. */
export function isRandom(text: string, least: number): boolean {
  if (text.length < least || isPlaceholder(text.slice(0, 512))) return false
  return /[0-9]/.test(text) && /[A-Za-z]/.test(text) && !isName(text.slice(0, 512))
}

/** A password of people: a sign does as well as a digit. */
export const isPassword = (text: string): boolean =>
  isRandom(text, 6) || (text.length >= 6 && /[!#$%&*^?@]/.test(text) && /[A-Za-z]/.test(text) && !isPlaceholder(text))
