import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Context, Hono } from 'hono'
import { diagramPolicy, packagePath, vendorFile, workerPolicies } from './vendor.ts'

const publicDir = join(import.meta.dirname, 'public')

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
  '.woff2': 'font/woff2',
}

/** The console's page and what it is made of. Read once; there is no build. */
export async function consolePages(app: Hono): Promise<void> {
  const page = await readFile(join(publicDir, 'index.html'), 'utf8')
  const signIn = await readFile(join(publicDir, 'sign-in.html'), 'utf8')
  const importMap = /<script type="importmap">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

  app.get('/', (context) => {
    context.header('Content-Security-Policy', policy)
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Referrer-Policy', 'same-origin')
    // The guard lets nobody else come here without a token.
    if (context.get('asksForToken' as never) === true) {
      context.header('Cache-Control', 'no-store')
      return context.html(signIn, 401)
    }
    return context.html(page)
  })

  app.get('/assets/:path{[a-z0-9/-]+\\.[a-z]+}', async (context) => {
    const path = context.req.param('path')
    return asset(context, join(publicDir, path), extname(path))
  })

  app.get('/vendor/:path{.+}', async (context) => {
    const path = context.req.param('path')
    const file = vendorFile(path)
    if (file === undefined) return context.notFound()
    const policy = workerPolicies[path]
    if (policy !== undefined) context.header('Content-Security-Policy', policy)
    return asset(context, packagePath(file), extname(path))
  })

  app.get('/diagram', async (context) => {
    const { diagramPage } = await import('./diagram-page.ts')
    const { page, scripts } = await diagramPage()
    context.header('Content-Security-Policy', diagramPolicy(scripts))
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Cache-Control', 'max-age=600')
    return context.html(page)
  })
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
