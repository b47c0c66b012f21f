import type { OutboxRow } from '../../../../src/store/schema.ts'
import { groupBy, homesIn } from '../../check/rows.ts'
import { placeKey } from '../account.ts'
import type { PlatformEvidence, Posted } from './check.ts'

/** Each of the bot's messages appears once and has one row, and each outbox row is visible as intended. */
export function checkPosted({ rows, posted, sessions, fault }: PlatformEvidence): void {
  const homeOf = homesIn(rows)
  for (const { place, seen, postings } of posted) {
    const where = `${seen.id} in ${placeKey(place)}, ${JSON.stringify(seen.text.slice(0, 120))}`
    if (postings.length === 0) fault('doubled', `no row knows message ${where}`)
    if (postings.length > 1) fault('doubled', `message ${where} is that of ${postings.map(({ key }) => key)}`)
  }
  const pages = groupBy(posted, ({ postings }) => postings[0]?.key.split('.')[0] ?? '')
  for (const row of rows.outbox) {
    if (row.kind !== 'answer' && row.kind !== 'card') continue
    const shown = pages.get(row.key) ?? []
    const where = `${row.key} of ${row.session_id}`
    if (shown.length === 0) fault('missing', `nobody sees ${where}`)
    for (const { place, seen } of shown) {
      if (sessions.get(placeKey(place))?.id !== homeOf(row.session_id))
        fault('elsewhere', `${where} stands in ${placeKey(place)} as ${seen.id}`)
    }
    if (row.kind === 'answer' && shown.length > 0) checkText(row, shown, where, fault)
  }
}

/** Every recognisable line of an answer is in its messages or files, and in its messages only once. */
function checkText({ payload }: OutboxRow, shown: Posted[], where: string, fault: PlatformEvidence['fault']): void {
  const texts = shown.map(({ seen }) => seen.text)
  const attached = shown.flatMap(({ seen }) => seen.files.map(({ content }) => content))
  const counts = countOf(texts)
  const inFiles = countOf(attached)
  for (const mark of countOf([(JSON.parse(payload) as { text: string }).text]).keys()) {
    const times = counts.get(mark) ?? 0
    if (times > 1) fault('doubled', `"${mark}" stands ${times} times in ${where}`)
    if (times === 0 && !inFiles.has(mark)) fault('missing', `"${mark}" is not in ${where}`)
  }
}

function countOf(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const [mark] of text.matchAll(/(?:answer|rang) tok-\d+-\d+r?\b|part tok-\d+-\d+ line \d+\b/g))
      counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  return counts
}
