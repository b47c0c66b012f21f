import type { Capability } from '../../turn/port/capability.ts'
import { documentChecks } from './checks.ts'
import { cleanIndexOften, formerCleaning } from './clean-index.ts'
import { indexKind, indexUpload, vectorsKind } from './index-upload.ts'
import { readScan } from './read-scan.ts'
import { recognizeKind } from './recognition/recognize-job.ts'
import { searchFile } from './search-file.ts'
import { type DocumentsSettings, documentsSection } from './settings.ts'

/** Finding passages in PDF, Office and similar files. */
export const documents: Capability<DocumentsSettings> = {
  name: 'documents',
  title: 'Documents',
  settings: documentsSection,
  tools: [searchFile, readScan],
  checks: ({ model }, settings) => documentChecks(settings, model),
  uploaded: indexUpload,
  jobs: ({ store, workspaces, documents: library, clock, embed }, { workers }) => {
    const deps = { store, workspaces, library, atOnce: workers, hasVectors: embed !== undefined }
    const { recognize, indexRecognized: index } = library
    const recognizing = recognizeKind({ store, workspaces, clock, recognize, index })
    return [indexKind(deps), vectorsKind(deps), recognizing, formerCleaning]
  },
  start: (bot, { unusedDays }) => cleanIndexOften(bot, unusedDays),
  context: ({ bot, documents }, _, { searchResults, searchCharacters }) => ({
    documents,
    limits: { ...bot.config.tools, searchResults, searchCharacters },
    mask: (text: string) => bot.store.mask(text),
  }),
}
