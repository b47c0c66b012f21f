import { kindOf } from './container.ts'
import { unlocked } from './decrypt.ts'
import type { DocumentKind, ParsedDocument } from './document.ts'
import type { Hand, ParseLimits, SourceFile } from './parse.ts'
import { parsers } from './parsers/index.ts'

/** Any file that is a document, whatever its name. Throws as parsers do. */
export const parseFile = (file: SourceFile, limits: ParseLimits): Promise<ParsedDocument> => parseSteps(file, limits)

/** The same; what was read so far may be handed over meanwhile. */
export async function parseSteps(
  file: SourceFile,
  limits: ParseLimits,
  handOf?: (kind: DocumentKind) => Hand,
): Promise<ParsedDocument> {
  const inner = await unlocked(file)
  const kind = await kindOf(inner, limits)
  const parse = await parsers[kind]()
  return parse(inner, limits, parseFile, handOf?.(kind))
}
