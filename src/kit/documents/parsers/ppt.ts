import type { ParsedDocument } from '../document.ts'
import type { OleFile } from '../ole.ts'
import { damaged, notReadable, type ParseLimits, Parts } from '../parse.ts'
import { type Links, linksIn } from './ppt/links.ts'
import { type Rec, recordAt, recordsIn, types } from './ppt/records.ts'
import { slideOf } from './ppt/slide.ts'
import { type PptText, textsIn } from './ppt/text.ts'
import { aboutSlides } from './pptx/text.ts'

/** The slides of an old presentation (.ppt) in their order. Throws `damaged`, `not_readable` if it is encrypted. */
export function parsePpt(ole: OleFile, limits: ParseLimits): ParsedDocument {
  const stream = ole.read('PowerPoint Document') ?? Buffer.alloc(0)
  const { document, places } = open(stream, ole.read('Current User') ?? Buffer.alloc(0))
  const at = (id: number): Buffer | undefined => {
    const place = places.get(id)
    return place === undefined || place + 8 > stream.length ? undefined : recordAt(stream, place).body
  }
  const links = linksIn(document)
  const notesById = new Map(listed(document, 2).map(({ slideId, persistId }) => [slideId, persistId]))
  const parts = new Parts(limits)
  const hidden: number[] = []
  const missing: number[] = []
  for (const [index, { persistId, outline }] of listed(document, 0, links).entries()) {
    const number = index + 1
    const slide = at(persistId)
    if (slide === undefined) {
      missing.push(number)
      continue
    }
    const { title, text, isHidden } = slideOf(slide, outline, notesOfSlide(slide, notesById, at), links)
    if (isHidden) hidden.push(number)
    const shown = isHidden ? `(hidden slide)\n\n${text}`.trim() : text
    if (!parts.add({ unit: 'slide', number, ...(title === '' ? {} : { name: title }), text: shown })) break
  }
  if (parts.list.length === 0 && missing.length > 0) throw damaged('its slides are missing')
  const about = [
    ...aboutSlides('hidden', hidden),
    ...aboutSlides('missing in the file: the text was left out', missing),
  ]
  return { kind: 'pptx', notes: [...about, ...parts.emptiness(), ...parts.notes()], parts: parts.list }
}

function notesOfSlide(
  slide: Buffer,
  notesById: ReadonlyMap<number, number>,
  at: (id: number) => Buffer | undefined,
): Buffer | undefined {
  const atom = recordsIn(slide).find(({ type }) => type === types.slideAtom)?.body
  const notesId = atom !== undefined && atom.length >= 20 ? atom.readUInt32LE(16) : 0
  const persistId = notesId === 0 ? undefined : notesById.get(notesId)
  return persistId === undefined ? undefined : at(persistId)
}

interface ListedSlide {
  persistId: number
  slideId: number
  outline: PptText[]
}

/** The slides (0), masters (1) or notes (2) of the document, in their order, each once. */
function listed(document: Buffer, instance: number, links?: Links): ListedSlide[] {
  const list = recordsIn(document).find((record) => record.type === types.slideList && record.instance === instance)
  const found: { head: Buffer; texts: Rec[] }[] = []
  const seen = new Set<number>()
  for (const record of list === undefined ? [] : recordsIn(list.body)) {
    if (record.type === types.slidePersist && record.body.length >= 16) found.push({ head: record.body, texts: [] })
    else found.at(-1)?.texts.push(record)
  }
  return found.flatMap(({ head, texts }) => {
    const persistId = head.readUInt32LE(0)
    if (seen.has(persistId)) return []
    seen.add(persistId)
    return [{ persistId, slideId: head.readUInt32LE(12), outline: textsIn(texts, links) }]
  })
}

const encryptedMark = 0xf3d1c4df

/** Each time it is saved, a list of what has moved is added; the latest place counts. */
function open(stream: Buffer, user: Buffer): { document: Buffer; places: ReadonlyMap<number, number> } {
  if (user.length < 20) throw damaged('its beginning is missing')
  if (user.readUInt32LE(12) === encryptedMark) throw encrypted()
  const places = new Map<number, number>()
  const seen = new Set<number>()
  let documentId: number | undefined
  for (let next = user.readUInt32LE(16); next > 0 && !seen.has(next); ) {
    seen.add(next)
    if (next + 8 > stream.length) throw damaged('its list of slides is missing')
    const edit = recordAt(stream, next)
    if (edit.type !== types.userEdit || edit.body.length < 20) throw damaged('its list of slides is missing')
    // A longer one names what it is encrypted with.
    if (edit.body.length >= 32 && edit.body.readUInt32LE(28) !== 0) throw encrypted()
    documentId ??= edit.body.readUInt32LE(16)
    addPlaces(stream, edit.body.readUInt32LE(12), places)
    next = edit.body.readUInt32LE(8)
  }
  const place = places.get(documentId ?? -1)
  const document = place === undefined || place + 8 > stream.length ? undefined : recordAt(stream, place)
  if (document?.type !== types.document) throw damaged('its list of slides is missing')
  return { document: document.body, places }
}

const encrypted = (): Error =>
  notReadable('a protected PowerPoint presentation (.ppt)', 'Ask for it without a password, or as .pptx.')

/** Runs of numbers: the first one and how many follow in one value, then a place for each. */
function addPlaces(stream: Buffer, at: number, places: Map<number, number>): void {
  if (at + 8 > stream.length) throw damaged('its list of slides is missing')
  const { body } = recordAt(stream, at)
  for (let from = 0; from + 4 <= body.length; ) {
    const run = body.readUInt32LE(from)
    from += 4
    for (let index = 0; index < run >>> 20 && from + 4 <= body.length; index++, from += 4) {
      const id = (run & 0xfffff) + index
      if (!places.has(id)) places.set(id, body.readUInt32LE(from))
    }
  }
}
