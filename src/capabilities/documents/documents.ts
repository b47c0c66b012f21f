import type { Capability } from '../../turn/capability.ts'
import { documentChecks } from './checks.ts'
import { cleanIndexKind, startCleaningIndex } from './clean-index.ts'
import { indexKind, indexUpload } from './index-upload.ts'
import { searchFile } from './search-file.ts'

/** Finding passages in PDF, Office and the like. */
export const documents: Capability = {
  name: 'documents',
  title: 'Documents',
  tools: [searchFile],
  checks: documentChecks,
  uploaded: indexUpload,
  jobs: ({ store, workspaces, documents: library, config, clock }) => [
    indexKind({ store, workspaces, library, atOnce: config.documents.workers }),
    cleanIndexKind(library, clock),
  ],
  start: ({ store }) => startCleaningIndex(store),
  context({ bot, documents: ofThread }) {
    const { tools, documents: settings } = bot.config
    return { documents: ofThread, limits: { ...tools, ...settings, fileBytes: tools.fileBytes } }
  },
}
