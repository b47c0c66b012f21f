import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type LibraryOptions, openLibrary } from '../../src/capabilities/documents/library.ts'
import { documentsSection } from '../../src/capabilities/documents/settings.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settingsIn } from '../../src/config/section.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { ParserPool } from '../../src/kit/documents/pool.ts'
import { poolSettings } from '../../src/kit/documents/pool-options.ts'
import { openContainment } from '../../src/kit/sandbox/contained.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'

const loaded = loadConfig(
  { BOBBIN_CONFIG_DIR: shippedConfigDir },
  resolve(import.meta.dirname, '../..'),
  builtinSections,
)
if (!('config' in loaded)) throw new Error('the shipped configuration has complaints')

export const settings = settingsIn(loaded.config, documentsSection)

export const print = (line: string) => process.stdout.write(`${line}\n`)

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** How many passages are looked at. */
export const shown = 5

export const never = new AbortController().signal

export const queryOf = (query: string, others: readonly string[] = []) => ({
  ...{ query, others, isPattern: false, maxResults: shown },
  contextCharacters: settings.searchCharacters,
})

/** Libraries as the bot has them, in a directory of their own that `end` removes. */
export async function openBenches() {
  const scratch = await mkdtemp(join(tmpdir(), 'bobbin-search-'))
  const pool = new ParserPool({ ...poolSettings(settings), containment: openContainment() })
  return {
    async open(name: string, more: Partial<LibraryOptions> = {}) {
      const workspace = await openWorkspace(join(scratch, name))
      const file = join(scratch, `${name}.db`)
      const library = await openLibrary({
        file,
        pool,
        fileBytes: settings.fileBytes,
        unusedMs: 30 * 86_400_000,
        mostCharacters: settings.indexCharacters,
        checkMs: 86_400_000,
        patienceMs: 600_000,
        clock: systemClock,
        removedAt: async () => undefined,
        report: (thrown) => print(`! ${String(thrown)}`),
        ...more,
      })
      const session = `ses_${name}` as const
      return { workspace, library, file, documents: library.of(session, workspace) }
    },
    async end() {
      await pool.stop()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

export type Benches = Awaited<ReturnType<typeof openBenches>>
