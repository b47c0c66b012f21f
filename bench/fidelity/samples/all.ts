import type { Sample } from '../sample.ts'
import type { Story } from '../texts.ts'
import { csvSamples } from './csv.ts'
import { docxSamples } from './docx.ts'
import { emailSamples } from './email.ts'
import { odfSamples } from './odf.ts'
import { olderSamples } from './older.ts'
import { pdfSamples } from './pdf.ts'
import { pptxSamples } from './pptx.ts'
import { type Printed, printedSamples } from './printed.ts'
import { rtfSamples } from './rtf.ts'
import { xlsxSamples } from './xlsx.ts'

/** Samples of these kinds, of all when none is named. */
export async function allSamples(stories: Map<string, Story>, kinds: string[]): Promise<Printed> {
  const isWanted = (kind: string) => kinds.length === 0 || kinds.includes(kind)
  const makers: [string, (stories: Map<string, Story>) => Promise<Sample[]>][] = [
    ['pdf', pdfSamples],
    ['docx', docxSamples],
    ['xlsx', xlsxSamples],
    ['pptx', pptxSamples],
    ['csv', csvSamples],
    ['odf', odfSamples],
    ['rtf', rtfSamples],
    ['email', emailSamples],
  ]
  const made: Sample[] = []
  for (const [kind, make] of makers) if (isWanted(kind)) made.push(...(await make(stories)))
  const printed = isWanted('pdf') ? await printedSamples(stories) : { samples: [], leftOut: [] }
  const newer = async () => [await docxSamples(stories), await xlsxSamples(stories), await pptxSamples(stories)].flat()
  const older = isWanted('legacy') ? await olderSamples(await newer()) : { samples: [], leftOut: [] }
  return {
    samples: [...made, ...printed.samples, ...older.samples],
    leftOut: [...printed.leftOut, ...older.leftOut],
  }
}
