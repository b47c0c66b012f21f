/** How a tool call ended, read from the text of its result: a model has nothing else to go by. */
export interface Outcome {
  kind: 'done' | 'failed' | 'denied' | 'unknown'
  text: string
}

/** How the pipeline begins a result that is none. */
const kinds: [Outcome['kind'], RegExp][] = [
  ['failed', /^Error: /],
  ['unknown', /^Unknown outcome: /],
  ['denied', /^(Cancelled|Forbidden by rule|Not run): /],
]

export const outcomeOf = (text: string): Outcome => ({
  kind: kinds.find(([, begins]) => begins.test(text))?.[0] ?? 'done',
  text,
})

/** Says plainly what did not work, in the tool's or the person's own words, and leaves it at that. */
export function reportTrouble(name: string, outcome: Outcome): string {
  const quoted = outcome.text
    .trim()
    .split('\n')
    .slice(0, 12)
    .map((line) => `> ${line}`)
    .join('\n')
  if (outcome.kind === 'denied') return `I left that alone: \`${name}\` was not approved.\n\n${quoted}`
  if (outcome.kind === 'unknown') {
    return `I cannot tell whether \`${name}\` took effect, so I will not try it again blindly. Please look before you ask me anew.\n\n${quoted}`
  }
  return `That did not work: \`${name}\` failed.\n\n${quoted}\n\nI stop here rather than guess; correct it and ask me again.`
}
