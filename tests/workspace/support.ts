import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type MeasuredWorkspace, openWorkspace, type WorkspaceOptions } from '../../src/workspace/workspace.ts'

export interface Place {
  /** Holds the workspace and, beside it, files that must stay out of reach. */
  outside: string
  root: string
  workspace: MeasuredWorkspace
}

/** A real directory with a workspace in it, removed after the test. */
export async function place(options?: WorkspaceOptions): Promise<Place> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'bobbin-')))
  onTestFinished(() => rm(outside, { recursive: true, force: true }))
  const root = join(outside, 'ws')
  return { outside, root, workspace: await openWorkspace(root, options) }
}

export const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (thrown: { code?: unknown }) => thrown.code ?? thrown,
  )

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
