import { join } from 'node:path'
import { indexName } from '../capabilities/documents/clean-index.ts'
import { LateLibrary } from '../capabilities/documents/late-library.ts'
import { Recognition } from '../capabilities/documents/recognition/recognition.ts'
import { waysOf } from '../capabilities/documents/recognition/ways.ts'
import { documentsSection } from '../capabilities/documents/settings.ts'
import { webSection } from '../capabilities/web/settings.ts'
import type { Config } from '../config/config.ts'
import { settingsIn } from '../config/section.ts'
import type { SessionId } from '../domain/ids.ts'
import { removals } from '../inbound/clean.ts'
import { ParserPool } from '../kit/documents/pool.ts'
import { painters, poolSettings } from '../kit/documents/pool-options.ts'
import { lateContainment } from '../kit/sandbox/late.ts'
import type { ReadPage } from '../kit/web/port.ts'
import { openWeb } from '../kit/web/web.ts'
import { LeaseLost } from '../store/lease-lost.ts'
import { isLockedByAnother } from '../store/lock.ts'
import { findSession } from '../store/sessions.ts'
import type { Embed } from '../turn/port/aside.ts'
import type { Services } from '../turn/port/scope.ts'
import { telling, workspacesIn } from '../workspace/workspaces.ts'
import type { Surroundings } from './bot.ts'
import type { Foundation } from './foundation.ts'
import { version } from './version.ts'

const dayMs = 86_400_000

/** The files of threads, and the readers that turn documents and pages into text. */
export function openReading(
  { config, clock, store, lock, report }: Foundation,
  surroundings: Surroundings,
  { embed, write }: Pick<Services, 'embed' | 'write'>,
) {
  const { uploads, searchKey } = config
  const documents = settingsIn(config, documentsSection)
  const { pageBytes, timeoutMs, search } = settingsIn(config, webSection)
  const containment = lateContainment({ report: report('documents and pages are read without bubblewrap') })
  const parsers = new ParserPool({ ...poolSettings(documents), containment })
  const painter = new ParserPool({ ...poolSettings(documents), workers: 1, program: painters, containment })
  const way = waysOf(documents.recognition, config, write, containment)
  const { pages: mostPages, askFrom } = documents.recognition
  const scans = new Recognition({ store, clock, way, painter, mostPages, askFrom })
  const library = new LateLibrary({
    file: join(config.dataDir, indexName(config.node)),
    pool: parsers,
    fileBytes: documents.fileBytes,
    unusedMs: documents.unusedDays * dayMs,
    mostCharacters: documents.indexCharacters,
    patienceMs: documents.searchWaitMs,
    checkMs: documents.checkHours * 3_600_000,
    clock,
    async removedAt(id) {
      const session = await findSession(store.db, id)
      if (session === undefined || session.isDeleted) return Number.MAX_SAFE_INTEGER
      return (await directories.cleaned(session))?.at
    },
    recognition: { scans, pool: parsers },
    vectors: embed && vectorsBy(config, documents.vectorChunks, embed),
    report: report('the document index failed'),
  })
  const directories = workspacesIn(join(config.dataDir, 'workspace'), report('a workspace could not be put in order'), {
    quota: { bytes: uploads.workspaceBytes, files: uploads.workspaceFiles },
    alone: (work) =>
      store.transaction(async (tx) => {
        await tx.alone(removals)
        await work()
      }),
    async mayWrite(session) {
      const isReplaced = () => isLockedByAnother(store.db, lock.holder)
      if (await store.availability.patiently(isReplaced)) throw new LeaseLost(session)
    },
  })
  const readPage: ReadPage = (html, charset, url, signal) => parsers.page({ html, charset, url }, pageBytes, signal)
  return {
    parsers,
    library,
    painter,
    documents: {
      of: library.of.bind(library),
      clean: library.clean.bind(library),
      budgets: documents.read,
      recognize: scans.read.bind(scans),
      indexRecognized: library.indexRecognized.bind(library),
    },
    workspaces: telling(directories, (session) => library.forget(session.id)),
    web: surroundings.web ?? openWeb({ version, readPage, search: search && { ...search, key: searchKey, timeoutMs } }),
  }
}

/** Which model makes vectors, and whatever changes them. */
function vectorsBy({ model: { embedding } }: Config, mostChunks: number, embed: Embed) {
  const { id, baseUrl, dimensions = 0 } = embedding ?? { id: '', baseUrl: '' }
  return {
    model: JSON.stringify([id, baseUrl, dimensions]),
    mostChunks,
    make: (session: SessionId, texts: readonly string[], signal: AbortSignal) =>
      embed(session, { texts, tool: 'search_file' }, signal),
  }
}
