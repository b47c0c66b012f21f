export interface DiffSummary {
  added: number
  removed: number
  /** A unified diff, or a line that says why there is none. */
  diff: string
}

/** Comparing two very different texts takes long, so only the numbers of lines are given then. */
const patience = { timeout: 300 }

const unix = (text: string): string => text.replaceAll('\r\n', '\n')

export async function describeChange(path: string, before: string, after: string): Promise<DiffSummary> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff')
  const [old, now] = [unix(before), unix(after)]
  const patch = structuredPatch(path, path, old, now, undefined, undefined, { context: 3, ...patience })
  if (!patch) return { ...countLines(old, now), diff: '(The change is too large for a diff.)' }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count('+'), removed: count('-'), diff: formatPatch(patch, FILE_HEADERS_ONLY).trimEnd() }
}

/** Lines that are in one text and not in the other, wherever they stand. */
function countLines(old: string, now: string): { added: number; removed: number } {
  const surplus = new Map<string, number>()
  for (const line of now.split('\n')) surplus.set(line, (surplus.get(line) ?? 0) + 1)
  for (const line of old.split('\n')) surplus.set(line, (surplus.get(line) ?? 0) - 1)
  let added = 0
  let removed = 0
  for (const count of surplus.values()) {
    added += Math.max(0, count)
    removed += Math.max(0, -count)
  }
  return { added, removed }
}
