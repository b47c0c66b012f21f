import { expect, test } from 'vitest'
import { patienceMs } from '../support/until.ts'
import { eventually, openBench } from './support.ts'

test.each([
  ['no longer exists', 'file_not_found', 1],
  ['may not be deleted', 'cant_delete_file', 1],
  ['can’t be deleted for now', 'fatal_error', 2],
])('a file of a connection check that %s doesn’t keep later ones there', async (_, error, times) => {
  await using bench = await openBench({ pace: { quietMs: 50, echoMs: patienceMs } })
  const { server } = bench
  let first: unknown
  const isFirst = (file: unknown) => {
    first ??= file
    return file === first
  }
  server.misbehave.refuse('files.delete', error, { with: ({ file }) => isFirst(file), times: Number.POSITIVE_INFINITY })
  const deleted = () => [...server.world.files.values()].filter((file) => file.deleted)
  await eventually(() => expect(deleted().length).toBeGreaterThan(3))
  const asked = server.callsTo('files.delete').filter(({ args }) => args.file === first)
  if (times === 1) expect(asked).toHaveLength(1)
  else expect(asked.length).toBeGreaterThanOrEqual(times)
})
