import { makePdf } from '../../tests/documents/pdf/make.ts'
import { makeCollection } from './collection.ts'
import { type Benches, never, print, queryOf } from './open.ts'
import { pagesOf, wrapped } from './write.ts'

/** The time from a new PDF of 100 pages to the passage. */
export async function measureFirst(benches: Benches, seed: number): Promise<void> {
  const [document] = makeCollection(seed + 1).documents
  const paragraphs = document?.sections.flatMap((section) => section.paragraphs) ?? []
  const lines = Array.from({ length: 40 }, () => paragraphs)
    .flat()
    .flatMap((text) => wrapped(text, 88))
    .map((text) => ({ text, size: 10 }))
  const pages = pagesOf(lines, 'latin').slice(0, 100)
  pages[79]?.texts.push({ x: 60, y: 800, text: 'The needle lies on page eighty.', size: 10, font: 'latin' })
  const pdf = makePdf({ pages, isPacked: true })
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const { workspace, library, documents } = await benches.open(`first-${round}`)
    await workspace.write('uploads/long.pdf', pdf)
    const began = performance.now()
    const { matches } = await documents.search(['uploads/long.pdf'], queryOf('needle page eighty'), never)
    times.push(performance.now() - began)
    if (matches[0]?.number !== 80) print(`! the needle was found on page ${matches[0]?.number}`)
    library.close()
  }
  print(
    `\nfirst search in a PDF of ${pages.length} pages: ${times.map((time) => `${(time / 1000).toFixed(2)} s`).join(', ')} (the first one starts a worker)`,
  )
}
