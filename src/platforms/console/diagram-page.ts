import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packagePath } from './vendor.ts'

/**
 * The page in which diagrams are drawn, in one piece: its origin is nobody's, so it could not fetch its scripts where
 * the console needs a token. `scripts` are their hashes.
 */
export async function diagramPage(): Promise<{ page: string; scripts: string[] }> {
  const scripts = await Promise.all([
    readFile(packagePath('@mermaid-js/tiny/dist/mermaid.tiny.js'), 'utf8'),
    readFile(join(import.meta.dirname, 'diagram-frame.js'), 'utf8'),
  ])
  const inline = scripts.map(asInline)
  const body = inline.map((script) => `<script>${script}</script>`).join('\n')
  return {
    page: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagrams</title><body>${body}</body></html>`,
    scripts: inline.map((script) => createHash('sha256').update(script).digest('base64')),
  }
}

/** HTML would end a script at its end tag, also inside of a string, where a backslash changes nothing. */
const asInline = (script: string): string => script.replace(/<(?=\/script|!--)/gi, '\\x3C')
