import { openPdf } from '../../src/kit/documents/parsers/pdf/open.ts'
import { scanXmlPieces } from '../../src/kit/documents/scan-xml.ts'
import { openZip } from '../../src/kit/documents/zip.ts'
import { openBenches, settings } from '../search/open.ts'
import { measureLarge } from './large.ts'
import { madeCsv, madePdf, madeXlsx } from './made.ts'
import { measureThread } from './thread.ts'

// How soon large documents are found, what memory that takes, and what a search costs in a thread of many files:
//   npm run bench:index
// Times are also given as multiples of the least work with the same file in the same run.

const benches = await openBenches()
try {
  await measureLarge(benches, {
    name: 'book.pdf',
    bytes: madePdf(352),
    baseline: {
      name: 'the text of its pages by pdf.js alone',
      async run(bytes) {
        const { pdf } = await openPdf({ bytes: bytes.slice() })
        for (let page = 1; page <= pdf.numPages; page++) await (await pdf.getPage(page)).getTextContent()
        await pdf.loadingTask.destroy()
      },
    },
  })
  await measureLarge(benches, {
    name: 'orders.xlsx',
    bytes: await madeXlsx(100_000),
    baseline: {
      name: 'unpacking its sheet and going through the tags',
      async run(bytes) {
        const zip = await openZip(bytes, settings)
        await scanXmlPieces(zip.pieces('xl/worksheets/sheet1.xml'), { open: () => {} })
      },
    },
  })
  await measureLarge(benches, {
    name: 'orders.csv',
    bytes: madeCsv(50_000_000),
    baseline: {
      name: 'decoding it and looking at each line',
      run: async (bytes) =>
        new TextDecoder()
          .decode(bytes)
          .split('\n')
          .filter((line) => line.includes('nowhere')),
    },
  })
  await measureThread(benches, 7)
} finally {
  await benches.end()
}
