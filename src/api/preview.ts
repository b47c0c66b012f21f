import type { Context } from 'hono'
import type { Workspace } from '../domain/workspace.ts'
import type { OpenDocument } from '../kit/documents/document.ts'
import { fileType, headBytes, isText } from '../kit/files/type.ts'
import { encodingOf } from '../kit/text/plain-text.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { fileAt } from './files.ts'
import { previewQuery } from './schemas.ts'
import { tableOfCsv, tableOfSheet } from './tables.ts'
import { sessionOf } from './who.ts'
import { apiWords } from './words.ts'

/** How much is shown of a text, or of one part of a document. */
const textBytes = 200_000

/** Every browser shows these as pictures, and they can't run anything. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'])

const tables = new Set(['text/csv', 'text/tab-separated-values'])

/** For these a screen shows only the name. */
const unseen = /^(audio|video|font)\/|^application\/(octet-stream|wasm|x-(elf|msdownload|mach-binary|sqlite3))$/

/** A file's preview as JSON of limited size. The screen draws it, so nothing in it ever acts as a page. */
export function previewRoutes(api: Api, deps: ApiDeps): void {
  api.get('/agent/conversations/:id/preview/:path{[\\s\\S]+}', async (context) => {
    const session = await sessionOf(context, deps)
    const workspace = await deps.workspaces.open(session)
    const entry = await fileAt(workspace, context.req.param('path'))
    const query = checked(previewQuery, context.req.query())
    const head = await workspace.readRange(entry.path, 0, headBytes)
    const type = await fileType(entry.path, head)
    const file = {
      path: entry.path,
      type,
      size: entry.size,
      modified_at: new Date(entry.modifiedAt).toISOString(),
    }
    context.header('Cache-Control', 'no-store')
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Cross-Origin-Resource-Policy', 'same-origin')
    const view = await viewOf(context, { ...query, workspace, path: entry.path, type, head }, () =>
      deps.documentsOf(session),
    )
    return context.json({ ...file, ...view })
  })
}

interface Shown {
  workspace: Workspace
  path: string
  type: string
  head: Uint8Array
  part: number
  as?: 'text' | undefined
}

async function viewOf(context: Context, file: Shown, documents: () => ReturnType<ApiDeps['documentsOf']>) {
  const { type, path, head, as } = file
  if (pictures.has(type)) return { kind: 'image' }
  // The page draws a PDF itself, and asks only for its text.
  if (type === 'application/pdf' && as === undefined) return { kind: 'pages', document: 'pdf', parts: [], notes: [] }
  if (isText(head) && !/\.(eml|rtf)$/i.test(path)) return textOf(file)
  if (unseen.test(type)) return { kind: 'none', reason: apiWords.previewUnsupported() }
  const opened = await (await documents()).open(path, { signal: context.req.raw.signal })
  return partOf(opened, file.part)
}

/** A text or its beginning, with a table if it is one. */
async function textOf({ workspace, path, type, as }: Shown) {
  // One more byte shows whether there is more.
  const bytes = await workspace.readRange(path, 0, textBytes + 1)
  const cut = bytes.length > textBytes
  const { text, encoding } = decoded(bytes.subarray(0, textBytes), cut)
  const table = tables.has(type) && as === undefined ? await tableOfCsv(text, cut) : undefined
  if (table === undefined) return { kind: 'text', text, encoding, cut }
  return { kind: 'table', ...table, encoding, parts: [], notes: [] }
}

/**
 * Text that isn't UTF-8 and has no byte order mark is usually an old Windows file. A character cut off at the end is
 * dropped.
 */
function decoded(bytes: Uint8Array, cut: boolean): { text: string; encoding: string } {
  const { encoding, markBytes } = encodingOf(bytes)
  const body = bytes.subarray(markBytes)
  try {
    const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8', ignoreBOM: true })
    return { text: decoder.decode(body, { stream: cut }), encoding }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(body), encoding: 'windows-1252' }
  }
}

/** One part of a document, with the names of all: a sheet as a table, anything else as Markdown. */
async function partOf(document: OpenDocument, part: number) {
  const { kind, notes } = document
  const parts = document.parts.map(({ unit, number, name }) => ({ unit, number, name }))
  const shown = parts[part]
  if (parts.length === 0) return { kind: 'pages', document: kind, parts, part: 0, text: '', cut: false, notes }
  if (shown === undefined) {
    throw new ApiError(
      404,
      'not_found',
      apiWords.unknownPart({ part, count: parts.length }),
      apiWords.unknownPartRemedy(),
    )
  }
  let whole = ''
  for await (const lines of document.lines(part)) {
    whole += `${lines.join('\n')}\n`
    if (whole.length > textBytes + 1) break
  }
  whole = whole.slice(0, -1)
  const cut = whole.length > textBytes
  const text = whole.slice(0, textBytes).toWellFormed()
  const table = shown.unit === 'sheet' ? tableOfSheet(text) : undefined
  if (table === undefined) return { kind: 'pages', document: kind, parts, part, text, cut, notes }
  return { kind: 'table', document: kind, parts, part, ...table, cut: table.cut || cut, notes }
}
