import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve, sep } from 'node:path'

const root = resolve(import.meta.dirname, '../../src')

export interface Source {
  /** Relative to src/, with forward slashes. */
  path: string
  text: string
  /** Files of src/ that it imports, types included. */
  own: string[]
  /** Packages and built-in modules that it imports. */
  packages: string[]
}

// Named, namespace, default and side-effect imports, only at the start of a line so that strings don't match.
const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:(?:\w+|\*(?: as \w+)?|\{[^}]*\})(?:\s*,\s*\{[^}]*\})?\s+from\s+)?'([^']+)'/gm
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g

/** `import('…')` in JSDoc names a type and imports nothing. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '')

const specifiers = (text: string): string[] =>
  [...withoutComments(text).matchAll(statement), ...withoutComments(text).matchAll(dynamic)].map(
    ([, specifier]) => specifier as string,
  )

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const all = path.endsWith('.ts') || path.endsWith('.js') ? specifiers(text) : []
  return {
    path,
    text,
    own: all
      .filter((one) => one.startsWith('.'))
      .map((one) => normalize(join(dirname(path), one)).replaceAll(sep, '/')),
    packages: all.filter((one) => !one.startsWith('.')),
  }
}

/** Every hand-written file of src/. */
export const sources: Source[] = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|js|css|html)$/.test(entry.name))
  .map((entry) =>
    read(
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll(sep, '/'),
    ),
  )
  .toSorted((a, b) => (a.path < b.path ? -1 : 1))

/** The files that the bot runs, without those for a browser. */
export const code = sources.filter(({ path }) => !path.includes('/public/') && /\.(ts|js)$/.test(path))

/** Folders of which each subfolder is a part. */
const shelves = ['capabilities', 'platforms', 'turn']

/** The part that a file belongs to: a folder of src/, one capability, one platform, one part of a turn, or a file of src/ itself. */
export function folderOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/')
  if (second === '') return first
  return shelves.includes(first) && rest.length > 0 ? `${first}/${second}` : first
}
