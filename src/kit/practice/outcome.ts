/** How a tool call ended, judged by its result's text: a model knows nothing else. */
export interface CallOutcome {
  kind: 'done' | 'failed' | 'denied' | 'corrected' | 'forbidden' | 'unknown'
  text: string
}

/** How the pipeline begins a result that isn't one. */
const kinds: [CallOutcome['kind'], RegExp][] = [
  ['failed', /^Error: /],
  ['unknown', /^Unknown outcome: /],
  ['forbidden', /^Forbidden by rule: /],
  ['corrected', /^Corrected: /],
  ['denied', /^(Cancelled|Not run): /],
]

export const outcomeOf = (text: string): CallOutcome => ({
  kind: kinds.find(([, begins]) => begins.test(text))?.[0] ?? 'done',
  text,
})

/** Says plainly what didn't work, in the tool's or the person's own words, and leaves it at that. */
export function reportTrouble(name: string, outcome: CallOutcome): string {
  const quoted = outcome.text
    .trim()
    .split('\n')
    .slice(0, 12)
    .map((line) => `> ${line}`)
    .join('\n')
  if (outcome.kind === 'denied') return `I left that alone: \`${name}\` was not approved.\n\n${quoted}`
  if (outcome.kind === 'forbidden')
    return `A rule forbids that: \`${name}\` was not run, and nobody can approve it.\n\n${quoted}`
  if (outcome.kind === 'corrected')
    return `I left that alone: \`${name}\` was not approved, and I was told what to do instead.\n\n${quoted}\n\nPlease write that as a new request: I’m only a practice model, and can’t work it out by myself.`
  if (outcome.kind === 'unknown') {
    return `I can’t tell whether \`${name}\` took effect, so I won’t try it again. Please check before you ask me again.\n\n${quoted}`
  }
  return `That did not work: \`${name}\` failed.\n\n${quoted}\n\nI stop here rather than guess; correct it and ask me again.`
}
