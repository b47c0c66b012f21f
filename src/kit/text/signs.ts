/** What makes a word another one, as in C# or +1. */
const sign = /[\p{Sm}\p{Sc}\p{So}#]/u

/** The parts of a phrase that its words alone don’t tell: those with signs; all if it has no words, as in 🚀. */
export function signedParts(phrase: string): string[] {
  const parts = phrase.split(/\s+/).filter((part) => part !== '')
  return /[\p{L}\p{N}]/u.test(phrase) ? parts.filter((part) => sign.test(part)) : parts
}
