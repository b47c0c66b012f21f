import type { OpenDocument } from '../../src/kit/documents/document.ts'

/** A part's whole text. */
export const textOf = async (document: OpenDocument, index = 0): Promise<string> =>
  (await Array.fromAsync(document.lines(index))).flat().join('\n')

/** The lines of a text, as a document hands them out. */
export async function* linesOf(text = ''): AsyncGenerator<string[]> {
  if (text !== '') yield text.split('\n')
}
