import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from './check.ts'
import { groupBy, homesIn } from './rows.ts'

/** Uploads, and the files that the agent says it wrote, are in the workspace byte for byte. */
export function checkFiles({ rows, received, ledger, workspaceDir, fault }: Evidence): void {
  const homeOf = homesIn(rows)
  const files = groupBy(
    rows.files.filter(({ direction }) => direction === 'in'),
    ({ name }) => name,
  )
  const sent = [...ledger.sent.values()].flatMap(({ uploads, ...one }) => uploads.map((upload) => ({ ...one, upload })))
  for (const { token, upload, conversation } of sent) {
    if (conversation === undefined) continue
    const found = files.get(upload.name) ?? []
    if (found.length !== 1) fault('upload', `${token} has ${found.length} file rows`)
    // Sent during a turn that was stopped; its files are fetched when it is read.
    const held = received.get(token)?.[0]?.state === 'held'
    for (const { state, path } of found) {
      if (state === 'expected' && held) continue
      if (state !== 'stored') fault('upload', `${path} of ${conversation} is ${state}`)
      else if (contentOf(conversation, path) !== upload.content) fault('upload', `${path} of ${conversation} differs`)
    }
  }
  for (const { tool, state, arguments: text, session_id } of rows.calls) {
    if (tool !== 'write_file' || state !== 'done') continue
    const { path, content } = JSON.parse(text) as { path: string; content: string }
    if (contentOf(session_id, path) !== content) fault('upload', `${path} of ${session_id} is not what was written`)
  }

  function contentOf(session: string, path: string): string | undefined {
    const file = join(workspaceDir, homeOf(session), path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
}
