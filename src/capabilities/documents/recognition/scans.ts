import type { ScannedFile } from '../../../domain/scan.ts'
import type { RecognizedText } from '../../../store/recognized-row.ts'

/** What is known of a scan. */
export interface KnownScan {
  texts: RecognizedText[]
  /** Its state, in sentences. */
  notes: string[]
  /** The same about pages that were looked at, and gave no text. */
  blank: string[]
}

/** What a person agreed to: how many pages are read, and what that may cost. */
export interface ScanOrder {
  pages: number
  usd: number
}

export interface Scans {
  /** What was recognized in it. Starts to read whatever is left, unless a person has to agree to that. */
  known(file: ScannedFile, isNamed: boolean): Promise<KnownScan>
  /** Starts to read what is left, because a person agreed. Returns what to tell the model. Throws a Failure. */
  order(file: ScannedFile, order: ScanOrder): Promise<string>
}
