declare module 'word-extractor' {
  export interface WordDocument {
    getBody(): string
    getFootnotes(): string
    getEndnotes(): string
    getAnnotations(): string
    getHeaders(): string
    getTextboxes(options: { includeHeadersAndFooters: boolean }): string
  }

  export default class WordExtractor {
    extract(source: Buffer): Promise<WordDocument>
  }
}
