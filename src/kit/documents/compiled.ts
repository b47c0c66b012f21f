import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompiledCode, ContainedProcess, Containment } from '../sandbox/containment.ts'
import { parsers } from './pool-options.ts'

/** For the libraries of all kinds of documents at once. */
const limits = { heapBytes: 512 * 1024 ** 2, bufferBytes: 512 * 1024 ** 2, processorSeconds: 60 }

/**
 * What readers load, compiled. Without it, most of the time until a first document is read goes into compiling. A
 * reader writes nothing, so a program that meets no document compiles it all, once for each installation.
 */
export class CompiledReaders {
  readonly #containment: Containment
  readonly #kept: string | undefined
  #compiling: Promise<void> | undefined
  #compiler: ContainedProcess | undefined
  #stopped = false

  /** `kept`: where this process keeps its own compiled code; beside that is the readers'. */
  constructor(containment: Containment, kept: string | undefined) {
    this.#containment = containment
    this.#kept = kept
  }

  /** What there is so far. If that isn't all, the rest is compiled meanwhile. */
  get(): CompiledCode | undefined {
    if (this.#kept === undefined) return undefined
    const folder = join(dirname(this.#kept), 'readers')
    // Readers work without it as well.
    if (!isWhole(folder)) this.#compiling ??= this.#compile(folder).catch(() => {})
    return existsSync(folder) ? { folder } : undefined
  }

  /** Resolves when nothing is being compiled. */
  async settled(): Promise<void> {
    await this.#compiling
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#compiler?.kill()
    await this.#compiling
  }

  /** Node puts each compiled file into its place as a whole, so others may read and write there at the same time. */
  async #compile(folder: string): Promise<void> {
    if ((await this.#containment.facts()).kind !== 'bubblewrap') return
    await mkdir(folder, { recursive: true })
    if (this.#stopped) return
    const module = fileURLToPath(new URL('./compile.ts', import.meta.url))
    const compiled = { folder, adds: true }
    const compiler = await this.#containment.start({ ...parsers, ...limits, module, addons: true, compiled })
    this.#compiler = compiler
    compiler.finish()
    if (this.#stopped) compiler.kill()
    const { exitCode } = await compiler.ended
    if (exitCode === 0) await writeFile(markIn(folder), installation())
  }
}

const markIn = (folder: string): string => join(folder, 'compiled')

function isWhole(folder: string): boolean {
  try {
    return readFileSync(markIn(folder), 'utf8') === installation()
  } catch {
    return false
  }
}

/** Another Node, and other versions of Bobbin and its packages, compile anew. */
function installation(): string {
  const { ctimeMs } = statSync(findPackageJSON('.', import.meta.url) ?? fileURLToPath(import.meta.url))
  return `${process.version} ${ctimeMs}`
}
