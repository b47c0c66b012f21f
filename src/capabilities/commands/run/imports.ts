import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Alongside } from '../../../domain/inspection.ts'
import { insidePath } from '../../../programs/inside-path.ts'
import { mostShown, namedIn } from './named.ts'

/** The files that a text loads, and what of them can't be told, as sentences without full stop. */
export interface Imports {
  alongside: Alongside[]
  unclear: string[]
}

/** How many names in one text are followed. */
const mostNames = 100
/** Characters of a folder or name, and how many folders deep packages are looked for. */
const longest = 500
const deepest = 10

const isPython = (path: string, text: string): boolean => /\.py$/i.test(path) || /^#!.*\bpython/.test(text)

/** Written in a language whose imports aren't followed. */
export const isUnfollowed = (path: string): boolean => /\.(?:rb|pl|pm|php|lua|r|jl|tcl)$/i.test(path)

/** What a file loads from its own folder, as far as its text shows; `imports` as in `Inspection`. */
export function importsOf(path: string, text: string): Imports & { imports: boolean } {
  const folder = posix.dirname(path)
  if (isPython(path, text)) return { alongside: pythonModules(folder, text), unclear: [], imports: false }
  if (isUnfollowed(path)) return { alongside: [], unclear: [], imports: true }
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

/** What Node loads files with that the text needn't name. */
const loaders = /^(?:node:)?(?:child_process|cluster|module|vm|worker_threads)$/

/** What JavaScript that runs in a folder imports by a path, or as a package that isn't installed but lies there. */
export function scriptImports(folder: string, text: string): Imports {
  const found = new Map<string, { name: string; files: Alongside[] | undefined }>()
  for (const { name, isRequired, isComputed } of namedIn(text)) {
    if (found.size > mostNames) break
    const key = `${isRequired} ${isComputed} ${name}`
    if (found.has(key)) continue
    found.set(key, { name, files: isComputed ? undefined : filesOf(folder, name, isRequired) })
  }
  const all = [...found.values()].slice(0, mostNames)
  const unknown = new Set(all.flatMap(({ name, files }) => (files === undefined ? [short(name)] : [])))
  const loader = all.find(({ name }) => loaders.test(name))
  return {
    alongside: all.flatMap(({ files = [] }) => files),
    unclear: [
      ...[...unknown].map((name) => `what is imported as ${name} is not known`),
      ...(loader === undefined ? [] : [`what is loaded with ${loader.name} is not known`]),
      ...(found.size > mostNames ? [`more than ${mostNames} names are imported, and the rest aren’t followed`] : []),
    ],
  }
}

const short = (name: string): string => (name.length > mostShown ? `${name.slice(0, mostShown)}…` : name)

/** The files that may be loaded by a name; undefined if that can't be told. */
function filesOf(folder: string, name: string, isRequired: boolean): Alongside[] | undefined {
  if (isBuiltin(name)) return []
  if (folder.length > longest || name.length > longest) return undefined
  const path = name.replace(/^file:\/\/(?=\/)/, '')
  if (/[\\%?#]|^\w[\w+.-]*:/.test(path)) return undefined
  if (/^\.{0,2}(?:\/|$)/.test(path)) {
    const placed = path.startsWith('/') ? posix.normalize(path) : posix.join(folder, path)
    return placesOf(placed, isRequired, /(?:^|\/)\.{0,2}$/.test(path))
  }
  if (!/^[\w@]/.test(path)) return []
  const [own = ''] = /^(?:@[^/]*\/)?[^/]*/.exec(path) ?? []
  const files = packageFolders(folder)?.map((within) =>
    placesOf(posix.join(within, path), isRequired)
      ?.concat({ path: posix.join(within, own, 'package.json') })
      .map((file) => ({ ...file, within })),
  )
  return files?.every((each) => each !== undefined) ? files.flat() : undefined
}

const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path)

/** What Node may load for a path that isn't a file; it may be a folder. */
export const otherFiles = (path: string): Alongside[] => [
  ...['.js', '.mjs', '.cjs', '.ts', '.node'].map((end) => ({ path: `${path}${end}` })),
  { path: `${path}.json`, isData: true },
  ...filesIn(path),
]

const filesIn = (folder: string): Alongside[] => [
  ...['index.js', 'index.node', 'package.json'].map((name) => ({ path: posix.join(folder, name) })),
  { path: posix.join(folder, 'index.json'), isData: true },
]

/** What Node may load for a path. JSON is data, and so is what only `require` takes for JavaScript. */
function placesOf(path: string, isRequired: boolean, isFolder = false): Alongside[] | undefined {
  const isInside = path.startsWith('/') ? path.startsWith('/workspace/') : !/^\.\.(?:\/|$)/.test(path)
  if (!isInside || /\.(?:node|wasm)$/.test(path)) return undefined
  if (isFolder) return filesIn(path)
  const isOdd = posix.extname(path) !== '' && !isScript(path)
  const isData = path.endsWith('.json') || (isOdd && !isRequired)
  return [{ path, ...(isData && { isData }) }, ...otherFiles(path)]
}

/** Where Node looks for a package, as far as tools may write there unasked; undefined if there are too many. */
function packageFolders(folder: string): string[] | undefined {
  const parts = posix.normalize(insidePath(folder)).split('/').filter(Boolean)
  if (parts[0] !== 'temp' && parts[0] !== 'outputs') return []
  if (parts.length > deepest) return undefined
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/node_modules`)
}
