/** What makes a word another one, as in C# or +1. In #incident, it doesn't. */
const sign = /[\p{Sm}\p{Sc}\p{So}]|(?<=\p{L})#/u

/** Without these, a sign only stands between words, as in sales + marketing. */
const own = /[\p{L}\p{N}\p{So}]/u

/** Whether a folded text has what a phrase's words alone don't tell. */
export const hasSigns = (text: string, phrase: string): boolean =>
  signedParts(folded(phrase)).every((part) => text.includes(part))

/** The parts of a phrase that its words alone don't tell: those with signs; all if it has no words, as in 🚀. */
function signedParts(phrase: string): string[] {
  const parts = phrase.split(/\s+/).filter((part) => part !== '')
  return /[\p{L}\p{N}]/u.test(phrase) ? parts.filter((part) => sign.test(part) && own.test(part)) : parts
}

/** To be compared: in lower case, and ❤️ as ❤, which differ only in whether color is asked for. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('\uFE0F', '')
