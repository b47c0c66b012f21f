import type { Workspace } from '../domain/workspace.ts'

/** What people and the model put there: not what the bot keeps beside. */
export async function* filesIn(workspace: Workspace) {
  for (const folder of ['uploads', 'outputs', 'temp']) yield* workspace.walk(folder)
}
