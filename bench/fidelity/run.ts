import { resolve } from 'node:path'
import { documentsSection } from '../../src/capabilities/documents/settings.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settingsIn } from '../../src/config/section.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import type { ParsedDocument } from '../../src/kit/documents/document.ts'
import { ParserPool } from '../../src/kit/documents/pool.ts'
import { poolSettings } from '../../src/kit/documents/pool-options.ts'
import { reasonOf } from '../../src/kit/failure.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { type Measured, measure } from './measure.ts'
import { print, printSummary, printTables, printWrong } from './print.ts'
import type { Sample } from './sample.ts'
import { allSamples } from './samples/all.ts'
import { scoreTable, type TableScore, truePdfs } from './table-truth.ts'
import { storiesOf } from './texts.ts'

// How faithfully each kind of document is read: words, order, cells and structure.
// Arguments: a seed, kinds to measure (pdf docx …), --wrong for the first differences of each kind, --all for all.

const words = process.argv.slice(2)
const seed = Number(words.find((word) => /^\d+$/.test(word)) ?? 7)
const kinds = words.filter((word) => /^[a-z]+$/.test(word))

const loaded = loadConfig(
  { BOBBIN_CONFIG_DIR: shippedConfigDir },
  resolve(import.meta.dirname, '../..'),
  builtinSections,
)
if (!('config' in loaded)) throw new Error('the shipped configuration has complaints')
const settings = settingsIn(loaded.config, documentsSection)
const pool = new ParserPool({ ...poolSettings(settings), containment: openContainment() })

async function documentOf({ kind, feature, name, bytes }: Sample): Promise<ParsedDocument> {
  try {
    return (await pool.parse({ name, bytes }, new AbortController().signal)).document
  } catch (thrown) {
    print(`! ${kind}, ${feature}: ${reasonOf(thrown)}`)
    return { kind, notes: [], parts: [] }
  }
}

/** Tables in PDFs that other programs made, with the truth beside them. */
async function measureTables(): Promise<void> {
  const scores: { name: string; score: TableScore }[] = []
  for (const { name, bytes, table } of truePdfs()) {
    const sample = { kind: 'pdf' as const, feature: name, name: 'table.pdf', bytes, blocks: [] }
    scores.push({ name, score: scoreTable(await documentOf(sample), table) })
  }
  printTables(scores, { isWhole: words.includes('--all') })
}

try {
  const { samples, leftOut } = await allSamples(storiesOf(seed), kinds)
  print(`${samples.length} documents (seed ${seed})\n`)
  const all: Measured[] = []
  for (const sample of samples) {
    all.push(await measure(sample, await documentOf(sample)))
  }
  printSummary(all)
  if (kinds.length === 0 || kinds.includes('pdf')) await measureTables()
  for (const sentence of leftOut) print(sentence)
  if (words.includes('--wrong') || words.includes('--all')) printWrong(all, { isWhole: words.includes('--all') })
} finally {
  await pool.stop()
}
