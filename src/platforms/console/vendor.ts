import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** Served as the packages have them; the page's import map resolves bare imports. */
const files: Record<string, string> = {
  'preact.js': 'preact/dist/preact.mjs',
  'preact-hooks.js': 'preact/hooks/dist/hooks.mjs',
  'htm.js': 'htm/dist/htm.mjs',
  'signals-core.js': '@preact/signals-core/dist/signals-core.mjs',
  'signals.js': '@preact/signals/dist/signals.mjs',
  'marked.js': 'marked/lib/marked.esm.js',
  'dompurify.js': 'dompurify/dist/purify.es.mjs',
  'pdf.js': 'pdfjs-dist/legacy/build/pdf.min.mjs',
  'pdf-worker.js': 'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  'math/katex.js': 'katex/dist/katex.mjs',
  'math/katex.css': 'katex/dist/katex.min.css',
  'words/intl-messageformat.js': 'intl-messageformat/index.js',
  'words/fast-memoize.js': '@formatjs/fast-memoize/index.js',
  'words/icu-messageformat-parser.js': '@formatjs/icu-messageformat-parser/index.js',
  'words/icu-skeleton-parser.js': '@formatjs/icu-skeleton-parser/index.js',
  'code/core.js': '@highlightjs/cdn-assets/es/core.min.js',
}

export const servedFiles: readonly string[] = Object.values(files)

/** Files of which there are many, by the path that asks for them. `$1` is what the parentheses match. */
const patterns: [asked: RegExp, file: string][] = [
  // What pdf.js fetches if a document needs it: fonts that aren't embedded, encodings, image decoders.
  [/^pdf\/((?:cmaps|iccs|standard_fonts|wasm)\/[\w-]+\.(?:bcmap|icc|pfb|ttf|wasm))$/, 'pdfjs-dist/$1'],
  [/^math\/fonts\/(KaTeX_[\w-]+\.woff2)$/, 'katex/dist/fonts/$1'],
  [/^code\/languages\/([a-z0-9-]+)\.js$/, '@highlightjs/cdn-assets/es/languages/$1.min.js'],
]

/** The file of a package that is served at this path below /vendor/, if any. */
export function vendorFile(path: string): string | undefined {
  if (Object.hasOwn(files, path)) return files[path]
  const [asked, file] = patterns.find(([pattern]) => pattern.test(path)) ?? []
  return asked && file && path.replace(asked, file)
}

/** A worker has its own policy. The one for PDFs may decode images, and fetch from here. */
export const workerPolicies: Record<string, string> = {
  'pdf-worker.js': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
}

/**
 * The page that draws diagrams is sandboxed: an origin of its own, no requests, and only these scripts. Its styles are
 * what it draws.
 */
export const diagramPolicy = (scripts: string[]): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${scripts.map((hash) => `'sha256-${hash}'`).join(' ')}`,
    "style-src 'unsafe-inline'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** A file of a package, even one that its `exports` don't name. */
export function packagePath(file: string): string {
  const [first = '', second = ''] = file.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  for (const directory of require.resolve.paths(name) ?? []) {
    const candidate = join(directory, file)
    if (existsSync(candidate)) return candidate
  }
  throw new Error(`the package ${name} is not installed`)
}
