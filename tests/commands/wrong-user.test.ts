import { chmod } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { launch, unprivileged } from '../backup/support.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere } from './support.ts'

test.each([['token list'], ['sessions']])(
  '%s, as a user who may not see the data, ends in a sentence',
  async (line) => {
    const dataDir = await scratch()
    await chmod(dataDir, 0)
    onTestFinished(() => chmod(dataDir, 0o700))
    const { ended, said } = launch(dataDir, line.split(' '), unprivileged)
    expect(await ended).toBe(1)
    expect(said()).toMatch(
      /^\S+bobbin\.db can’t be read: EACCES[^\n]+\. Run this as the user that runs Bobbin[^\n]*\.\n$/,
    )
  },
)

test('a token for a bot that isn’t there is refused, and where it was looked for is said', async () => {
  const dataDir = await scratch()
  const { code, err } = await bobbinHere(dataDir, 'token', 'new')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`There is no database at ${dataDir}/bobbin.db`),
  })
})
