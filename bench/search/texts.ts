import { chunksOf } from '../../src/kit/documents/chunks/chunks.ts'
import type { Documents } from '../../src/kit/documents/document.ts'
import { textOf } from '../../tests/support/document-text.ts'
import type { Passage } from './baselines.ts'
import { never } from './open.ts'

/** What the baselines search: the same text as Bobbin, cut into the same pieces. */
export interface BaselineText {
  document: string
  text: string
  chunks: Passage[]
}

/** As much around a piece as Bobbin shows. */
const aroundCharacters = 300

export async function textsOf(documents: Documents, paths: string[]): Promise<BaselineText[]> {
  const texts: BaselineText[] = []
  for (const path of paths) {
    const opened = await documents.open(path, { signal: never })
    const parts = await Promise.all(
      opened.parts.map(async (part, index) => ({ ...part, text: await textOf(opened, index) })),
    )
    const document = path.slice('uploads/'.length)
    const chunks = chunksOf({ kind: opened.kind, notes: [], parts }).map(({ part, start, end }) => {
      const { text } = parts[part] ?? { text: '' }
      const around = text.slice(Math.max(0, start - aroundCharacters), end + aroundCharacters)
      return { document, text: text.slice(start, end), around }
    })
    texts.push({ document, text: parts.map(({ text }) => text).join('\n'), chunks })
  }
  return texts
}
