type Granularity = 'grapheme' | 'word' | 'sentence'

const segmenters: Partial<Record<Granularity, Intl.Segmenter>> = {}

/**
 * A text's graphemes, words or sentences. The first call loads the tables, which takes as long as loading 50 modules.
 */
export function segmentsOf(text: string, granularity: Granularity): Intl.Segments {
  segmenters[granularity] ??= new Intl.Segmenter('en', { granularity })
  return segmenters[granularity].segment(text)
}
