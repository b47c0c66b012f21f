import type { RecognizedText, StoredText } from '../../../store/recognized-row.ts'

/**
 * After it failed, perhaps because the machine, a model or Tesseract did, whoever asks has it tried again so much
 * later.
 */
export const pauseMs = 10 * 60_000

/** What a try gave. `isFinal`: whatever is tried later, it can't be read. */
export interface Recognized extends RecognizedText {
  isFinal?: true
}

/** For one page. */
export const mostTries = 3

/** Whether a page is not to be read now: it was, it can't be, or it has just failed. */
const isSettled = ({ text, tries, made_at }: StoredText, now: number): boolean =>
  text !== null || tries >= mostTries || now - made_at < pauseMs

/** Those that are to be read now, of `tried` as it stands. */
export const pagesLeft = (pages: number[], tried: ReadonlyMap<number, StoredText>, now: number): number[] =>
  pages.filter((page) => {
    const known = tried.get(page)
    return known === undefined || !isSettled(known, now)
  })
