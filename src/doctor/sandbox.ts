import { type Finding, fine } from '../domain/finding.ts'

/** A test says when this is no longer so. */
export async function* sandboxFindings(): AsyncGenerator<Finding> {
  yield fine('This version runs no commands and no scripts, so there is no sandbox to check.')
}
