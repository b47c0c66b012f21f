import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import type { Context, Hono } from 'hono'

const publicDir = join(import.meta.dirname, 'public')
const require = createRequire(import.meta.url)

/** Served as the package has it; the page's import map resolves bare imports. */
const vendor: Record<string, string> = {
  'preact.js': 'preact/dist/preact.mjs',
  'preact-hooks.js': 'preact/hooks/dist/hooks.mjs',
  'htm.js': 'htm/dist/htm.mjs',
  'signals-core.js': '@preact/signals-core/dist/signals-core.mjs',
  'signals.js': '@preact/signals/dist/signals.mjs',
  'marked.js': 'marked/lib/marked.esm.js',
  'dompurify.js': 'dompurify/dist/purify.es.mjs',
  'pdf.js': 'pdfjs-dist/legacy/build/pdf.min.mjs',
  'pdf-worker.js': 'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
}

/** What pdf.js fetches if a document needs it: fonts that aren't embedded, encodings, image decoders. */
const pdfFile = /^(cmaps|iccs|standard_fonts|wasm)\/[\w-]+(\.(bcmap|icc|pfb|ttf|wasm))$/

/** A worker has its own policy: it may decode images, and fetch from here. */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.html': 'text/html; charset=utf-8',
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.icc': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
}

/** The console's page and what it is made of. Read once; there is no build. */
export async function consolePages(app: Hono): Promise<void> {
  const page = await readFile(join(publicDir, 'index.html'), 'utf8')
  const importMap = /<script type="importmap">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

  app.get('/', (context) => {
    context.header('Content-Security-Policy', policy)
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Referrer-Policy', 'no-referrer')
    return context.html(page)
  })

  app.get('/assets/:path{[a-z0-9/-]+\\.[a-z]+}', async (context) => {
    const path = context.req.param('path')
    return asset(context, join(publicDir, path), extname(path))
  })

  app.get('/vendor/:name', async (context) => {
    const name = context.req.param('name')
    const file = Object.hasOwn(vendor, name) ? vendor[name] : undefined
    if (file === undefined) return context.notFound()
    if (name === 'pdf-worker.js') context.header('Content-Security-Policy', workerPolicy)
    return asset(context, packagePath(file), '.js')
  })

  app.get('/vendor/pdf/:path{.+}', async (context) => {
    const [file, , extension] = pdfFile.exec(context.req.param('path')) ?? []
    if (file === undefined || extension === undefined) return context.notFound()
    return asset(context, join(packagePath('pdfjs-dist'), file), extension)
  })
}

/** A file of a package, even one that its `exports` don't name. */
function packagePath(file: string): string {
  const [first = '', second = ''] = file.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  for (const directory of require.resolve.paths(name) ?? []) {
    const candidate = join(directory, file)
    if (existsSync(candidate)) return candidate
  }
  throw new Error(`the package ${name} is not installed`)
}

async function asset(context: Context, path: string, extension: string): Promise<Response> {
  const type = types[extension]
  const content = await readFile(path).catch(() => undefined)
  if (type === undefined || content === undefined) return context.notFound()
  return context.body(new Uint8Array(content), 200, {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  })
}
