import type { Config } from '../../config/config.ts'
import { broken, type Finding, type Findings, fine, mind } from '../../domain/finding.ts'
import { ParserPool } from '../../kit/documents/pool.ts'
import { poolSettings } from '../../kit/documents/pool-options.ts'
import { reasonOf } from '../../kit/failure.ts'
import type { Containment } from '../../kit/sandbox/containment.ts'
import { lateContainment } from '../../kit/sandbox/late.ts'
import { waysOf } from './recognition/ways.ts'
import { doctorWords, remedy } from './recognition/words.ts'
import type { DocumentsSettings } from './settings.ts'
import { vectorLibrary } from './vector-library.ts'
import { documentsWords } from './words.ts'

/** How reading documents and web pages is contained. `readOne` reads a small document to see that it works. */
export async function* readerFindings(
  containment: Pick<Containment, 'facts'>,
  readOne: () => Promise<unknown>,
): AsyncGenerator<Finding> {
  try {
    await readOne()
  } catch (thrown) {
    yield broken(documentsWords.cantRead({ reason: reasonOf(thrown) }), documentsWords.readerBrokenRemedy())
    return
  }
  const { kind, why } = await containment.facts()
  yield kind === 'bubblewrap'
    ? fine(documentsWords.insideBubblewrap())
    : mind(documentsWords.withoutBubblewrap(), ...(why === undefined ? [] : [why.message, why.remedy]))
}

/** Whether vectors can be compared on this machine. */
async function* vectorFindings(): AsyncGenerator<Finding> {
  try {
    await vectorLibrary()
    yield fine(documentsWords.vectorsWork())
  } catch (thrown) {
    yield mind(documentsWords.vectorsMissing({ reason: reasonOf(thrown) }), documentsWords.whereVectorsWork())
  }
}

/** Reads a small document the way an upload is read. */
export async function* documentChecks(settings: DocumentsSettings, model: Pick<Config, 'model'>['model']): Findings {
  yield* readingFindings(settings)
  yield* recognitionFindings(settings, model)
  if (model.embedding !== undefined) yield* vectorFindings()
}

/** What reads scans and photos. */
async function* recognitionFindings({ recognition }: DocumentsSettings, model: Config['model']): Findings {
  const way = await waysOf(recognition, { model }, async () => '', lateContainment())()
  if (way?.kind === 'model') yield fine(doctorWords.model(way.name, recognition.askFrom))
  else if (way !== undefined) yield fine(doctorWords.tesseract(way.name))
  else if (recognition.by === 'nothing') yield fine(doctorWords.off)
  else yield mind(doctorWords.nothing, remedy)
}

function readingFindings(settings: DocumentsSettings): Findings {
  const containment = lateContainment()
  const readOne = async () => {
    const pool = new ParserPool({ ...poolSettings(settings), containment })
    try {
      await pool.parse({ name: 'trial.csv', bytes: Buffer.from('a,b\n1,2\n') }, new AbortController().signal)
    } finally {
      await pool.stop()
    }
  }
  return readerFindings(containment, readOne)
}
