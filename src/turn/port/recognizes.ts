import type { ScannedFile } from '../../domain/scan.ts'
import type { RecognizedText } from '../../store/recognized-row.ts'

/** What reads scans and photos. */
export interface Recognizes {
  /** Recognizes the text of a page. Throws if another try may help. */
  recognize(file: ScannedFile, page: number, bytes: Uint8Array, signal: AbortSignal): Promise<RecognizedText>
  /** Makes a recognized text findable. */
  indexRecognized(file: ScannedFile, text: RecognizedText, signal: AbortSignal): Promise<void>
}
