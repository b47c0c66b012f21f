import { kindOf } from './container.ts'
import { unlocked } from './decrypt.ts'
import type { ParsedDocument } from './document.ts'
import type { ParseLimits, SourceFile } from './parse.ts'
import { parsers } from './parsers/index.ts'

/** Any file that is a document, whatever its name. Throws as parsers do. */
export async function parseFile(file: SourceFile, limits: ParseLimits): Promise<ParsedDocument> {
  const inner = await unlocked(file)
  const parse = await parsers[await kindOf(inner, limits)]()
  return parse(inner, limits, parseFile)
}
