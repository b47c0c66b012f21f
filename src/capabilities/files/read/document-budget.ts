import type { OpenDocument, PartUnit, ReadBudgets } from '../../../kit/documents/document.ts'
import type { FileLimits } from '../context.ts'

/** How much of a document one page shows at most. */
export interface Budget {
  parts: number
  characters: number
}

/** Short documents are shown whole, long ones this many parts and characters at a time. */
export function budgetOf({ kind, parts }: OpenDocument, limits: FileLimits): Budget {
  const { read } = limits
  const unit = parts[0]?.unit
  if (kind === 'pdf') {
    const isShort = parts.length <= read.pdfPages
    return { parts: read.pdfPages, characters: isShort ? limits.outputBytes : read.pdfCharacters }
  }
  return budgetsByUnit[unit ?? 'section'](read)
}

const budgetsByUnit: Record<PartUnit, (read: ReadBudgets) => Budget> = {
  page: (read) => ({ parts: read.pdfPages, characters: read.pdfCharacters }),
  sheet: (read) => ({ parts: read.xlsxSheets, characters: read.xlsxCharacters }),
  slide: (read) => ({ parts: read.pptxSlides, characters: read.pptxCharacters }),
  section: (read) => ({ parts: Number.POSITIVE_INFINITY, characters: read.docxCharacters }),
}
