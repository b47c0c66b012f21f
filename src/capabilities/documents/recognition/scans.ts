import type { ScannedFile } from '../../../domain/scan.ts'
import type { RecognizedText } from '../../../store/recognized-row.ts'

/** What is known of a scan. */
export interface KnownScan {
  texts: RecognizedText[]
  /** How it stands, in sentences. */
  notes: string[]
}

/** What a person agreed to: how many pages are read, and what that may cost. */
export interface ScanOrder {
  pages: number
  usd: number
}

export interface Scans {
  /** What was recognized in it. Whatever is left is begun, unless that takes a person's word. */
  known(file: ScannedFile, isNamed: boolean): Promise<KnownScan>
  /** Begins to read what is left, as a person agreed. Returns what to tell the model. Throws a Failure. */
  order(file: ScannedFile, order: ScanOrder): Promise<string>
}
