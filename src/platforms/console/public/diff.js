/** @typedef {{ kind: 'same' | 'removed' | 'added' | 'skipped', text: string }} DiffLine */

const largestTable = 400_000
const contextLines = 3

function longestCommon(before, after) {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
    }
  }
  return (i, j) => lengths[i * width + j]
}

function middle(before, after) {
  const removed = (text) => ({ kind: 'removed', text })
  const added = (text) => ({ kind: 'added', text })
  if (before.length * after.length > largestTable) return [...before.map(removed), ...after.map(added)]
  const common = longestCommon(before, after)
  const lines = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i++] })
      j++
    } else if (i < before.length && (j === after.length || common(i + 1, j) >= common(i, j + 1))) {
      lines.push(removed(before[i++]))
    } else {
      lines.push(added(after[j++]))
    }
  }
  return lines
}

/** Folds long unchanged stretches, leaving a few lines around each change. */
function folded(lines) {
  const near = new Uint8Array(lines.length)
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue
    near.fill(1, Math.max(0, index - contextLines), index + contextLines + 1)
  }
  const out = []
  for (const [index, line] of lines.entries()) {
    if (near[index]) out.push(line)
    else if (out.at(-1)?.kind !== 'skipped') out.push({ kind: 'skipped', text: '' })
  }
  return out
}

/**
 * The difference between two texts, line by line.
 * @returns {DiffLine[]}
 */
export function diffLines(beforeText, afterText) {
  const before = beforeText === '' ? [] : beforeText.split('\n')
  const after = afterText === '' ? [] : afterText.split('\n')
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const same = (text) => ({ kind: 'same', text })
  return folded([
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ])
}
