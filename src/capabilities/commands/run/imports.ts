import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Alongside } from '../../../domain/inspection.ts'
import { insidePath } from '../../../programs/inside-path.ts'

/** The files that a text loads, and what of them can't be told, as sentences without full stop. */
export interface Imports {
  alongside: Alongside[]
  unclear: string[]
}

/** How many names in one text are followed. */
const mostNames = 100

const isPython = (path: string, text: string): boolean => /\.py$/i.test(path) || /^#!.*\bpython/.test(text)

/** They import by other rules. */
const isOther = (path: string): boolean => /\.(?:rb|pl|pm|php|lua|r|jl|tcl)$/i.test(path)

/** What a file loads from its own folder, as far as its text shows; `imports` as in `Inspection`. */
export function importsOf(path: string, text: string): Imports & { imports: boolean } {
  const folder = posix.dirname(path)
  if (isPython(path, text)) return { alongside: pythonModules(folder, text), unclear: [], imports: false }
  if (isOther(path)) return { alongside: [], unclear: [], imports: true }
  return { ...scriptImports(folder, text), imports: true }
}

function pythonModules(folder: string, text: string): Alongside[] {
  const names = new Set<string>()
  for (const [, imported, from] of text.matchAll(
    /^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+(\w+)(?:\.[\w.]*)?[ \t]+import\b)/gm,
  )) {
    const all = from === undefined ? (imported ?? '').split(',') : [from]
    for (const one of all) names.add(/^\s*([A-Za-z_]\w*)/.exec(one)?.[1] ?? '')
  }
  names.delete('')
  return [...names]
    .slice(0, mostNames)
    .map((name) => ({ path: posix.join(folder, `${name}.py`), module: `${name}.py` }))
}

const imported = /\b(?:from|import|require)\s*(?:\(\s*)?(['"`])([^'"`\n]{1,4096})\1/g

/** What JavaScript that runs in a folder imports by a path, or as a package that isn't installed but lies there. */
export function scriptImports(folder: string, text: string): Imports {
  const names = new Map<string, Alongside[] | undefined>()
  for (const [, quote, name = ''] of text.matchAll(imported)) {
    if (names.size > mostNames) break
    if (!names.has(name)) names.set(name, quote === '`' && name.includes('${') ? undefined : filesOf(folder, name))
  }
  const all = [...names].slice(0, mostNames)
  return {
    alongside: all.flatMap(([, files = []]) => files),
    unclear: [
      ...all.flatMap(([name, files]) =>
        files === undefined ? [`what is imported as ${short(name)} is not known`] : [],
      ),
      ...(names.size > mostNames ? [`more than ${mostNames} names are imported, and the rest aren’t followed`] : []),
    ],
  }
}

const short = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

/** The files that may be loaded by a name; undefined if that can't be told. */
function filesOf(folder: string, name: string): Alongside[] | undefined {
  if (isBuiltin(name)) return []
  const path = name.replace(/^file:\/\/(?=\/)/, '')
  if (/[\\%?#]|^\w[\w+.-]*:/.test(path)) return undefined
  if (/^\.{0,2}(?:\/|$)/.test(path)) {
    const placed = path.startsWith('/') ? posix.normalize(path) : posix.join(folder, path)
    return placesOf(placed, /(?:^|\/)\.{0,2}$/.test(path))?.map((path) => ({ path }))
  }
  if (!/^[\w@]/.test(path)) return []
  const [own = ''] = /^(?:@[^/]*\/)?[^/]*/.exec(path) ?? []
  const folders = packageFolders(folder).map((within) => {
    const places = placesOf(posix.join(within, path), false, path === own)
    return places && [posix.join(within, own, 'package.json'), ...places].map((path) => ({ path, within }))
  })
  return folders.every((files) => files !== undefined) ? folders.flat() : undefined
}

export const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path)

/** What Node runs for a path if nothing has that name. */
export const withEndings = (path: string): string[] =>
  ['.js', '.mjs', '.cjs', '.ts', '/index.js'].map((end) => `${path}${end}`)

/** What Node may run for a path, which may be a folder. JSON is only data, and isn't run. */
function placesOf(path: string, isFolder: boolean, isPackage = false): string[] | undefined {
  const isInside = path.startsWith('/') ? path.startsWith('/workspace/') : !/^\.\.(?:\/|$)/.test(path)
  if (!isInside || /\.(?:node|wasm)$/.test(path)) return undefined
  if (isFolder) return ['index.js', 'package.json'].map((name) => posix.join(path, name))
  if (isScript(path) && !isPackage) return [path]
  return [...(path.endsWith('.json') ? [] : [path]), ...withEndings(path), `${path}/package.json`]
}

/** Where Node looks for a package, as far as tools may write there unasked. */
function packageFolders(folder: string): string[] {
  const parts = posix.normalize(insidePath(folder)).split('/').filter(Boolean)
  if (parts[0] !== 'temp' && parts[0] !== 'outputs') return []
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/node_modules`)
}
