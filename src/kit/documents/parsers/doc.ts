import { decrypt } from '../decrypt.ts'
import type { ParsedDocument } from '../document.ts'
import { openOle } from '../ole.ts'
import { type ParseLimits, Parts, passwordNeeded } from '../parse.ts'
import { Reading } from './doc/reading.ts'
import { documentOf, marginsOf } from './doc/remarks.ts'
import { isEncrypted, openWord, type WordFile } from './doc/word-file.ts'
import { References } from './docx/inline.ts'
import type { DocumentNode } from './docx/model.ts'
import { sectionsOf } from './docx/sections.ts'
import { blocksOf } from './docx/write.ts'

/**
 * Reads a Word document of 97 to 2003, written as a newer one is. Throws `damaged`, `not_readable`, `password_needed`.
 */
export async function parseDoc(
  bytes: Buffer,
  password: string | undefined,
  limits: ParseLimits,
): Promise<ParsedDocument> {
  const ole = openOle(bytes)
  if (!isEncrypted(ole.read('WordDocument') ?? Buffer.alloc(0))) return documentIn(openWord(ole.read), limits)
  if (!password) throw passwordNeeded()
  return documentIn(openWord(openOle(await decrypt(bytes, password)).read), limits)
}

function documentIn(file: WordFile, limits: ParseLimits): ParsedDocument {
  const reading = new Reading(file)
  const document = documentOf(file, reading)
  const parts = new Parts(limits)
  const sections = sectionsOf(blocksOf(document.children, new References(document)))
  for (const section of sections) if (!parts.add(section)) break
  const notes = [...marginNotes(file, reading), ...parts.emptiness(), ...parts.notes()]
  return { kind: 'legacy', notes, parts: parts.list }
}

const marginCharacters = 500
const maxMargins = 20

function marginNotes(file: WordFile, reading: Reading): string[] {
  const notes = new Set<string>()
  for (const { kind, range } of marginsOf(file).slice(0, 600)) {
    if (notes.size >= maxMargins) break
    const children = reading.nodesOf({ from: range.from, to: Math.min(range.to, range.from + 10_000) })
    const document: DocumentNode = { children, comments: [], notes: { resolve: () => null } }
    const text = blocksOf(children, new References(document))
      .map((block) => block.text)
      .filter(Boolean)
      .join(' / ')
    if (/\p{L}/u.test(text)) notes.add(`Page ${kind}: ${text.slice(0, marginCharacters).toWellFormed()}`)
  }
  return [...notes]
}
