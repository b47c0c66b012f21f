import { posix } from 'node:path'
import { runCommand } from '../../src/capabilities/commands/run-command.ts'
import { runScript } from '../../src/capabilities/commands/run-script.ts'
import type { Inspection } from '../../src/domain/inspection.ts'
import type { Tool } from '../../src/domain/tool.ts'
import type { Workspace } from '../../src/domain/workspace.ts'
import { Failure } from '../../src/kit/failure.ts'
import { bind } from '../../src/trust/bind.ts'
import { inspect } from '../../src/trust/verdict.ts'
import { normalize } from '../../src/workspace/paths.ts'

/** Paths with their text; a link has none. */
type Files = Record<string, string | null>

const kindIn = (files: Files, path: string) => {
  if (files[path] !== undefined) return files[path] === null ? 'other' : 'file'
  return Object.keys(files).some((file) => file.startsWith(`${path}/`)) ? 'directory' : undefined
}

function readIn(files: Files, path: string): Buffer {
  const kind = kindIn(files, path)
  if (kind === 'directory') throw new Failure('not_a_file', 'It’s a folder.', '')
  if (kind === 'other') throw new Failure('path_refused', 'It’s a link.', '')
  const text = files[path]
  if (typeof text === 'string' && text.length <= 100_000) return Buffer.from(text)
  if (kind === 'file') throw new Failure('too_large', 'It’s too large.', '')
  for (let up = posix.dirname(path); up !== '.'; up = posix.dirname(up))
    if (kindIn(files, up) === 'file') throw new Failure('not_a_folder', 'It’s no folder.', '')
  throw new Failure('not_found', 'It isn’t there.', '')
}

function boundIn(tool: Tool, own: Inspection, files: Files) {
  const workspace = {
    normalize,
    read: async (path: string) => readIn(files, normalize(path)),
    async stat(path: string) {
      const kind = kindIn(files, normalize(path))
      return kind && { kind }
    },
    async *walk() {},
  } as unknown as Workspace
  return bind(tool, own, { workspace, fileBytes: 100_000 })
}

/** What a command line is bound to in a workspace with these files. */
export function boundTo(command: string, files: Files, directory = '') {
  const own = inspect(runCommand, runCommand.input.parse({ command, directory }) as never)
  return boundIn(runCommand, own, files)
}

/** The same for JavaScript that `run_script` gets. */
export function scriptBoundTo(code: string, files: Files, directory = '') {
  const own = inspect(runScript, runScript.input.parse({ language: 'node', code, directory }) as never)
  return boundIn(runScript, own, files)
}

export const pinned = async (...about: Parameters<typeof boundTo>) =>
  (await boundTo(...about)).pinned.map(({ path }) => path).sort()
