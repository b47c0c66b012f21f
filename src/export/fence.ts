/** A block of code whose fence nothing in it can close. */
export function fencedBlock(text: string): string {
  const longest = Math.max(
    0,
    ...[...text.matchAll(/^[^\S\r\n\u2028\u2029]*(`+)/gm)].map(([, ticks = '']) => ticks.length),
  )
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`
}
