import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlace } from '../support/bot-process.ts'
import { eventually } from '../support/until.ts'

test('a start says what .env sets without effect, and that a node without a server is alone', async () => {
  const place = await openPlace({ environment: { BOBBIN_NODE: 'bot-1' } })
  await writeFile(join(dirname(place.dataDir), '.env'), 'BOBBIN_PROT=8080\nBOBBIN_HOST 127.0.0.1\n')
  const { said } = await place.start()
  await eventually(() => expect(said()).toContain('Line 2 of .env sets nothing. Write NAME=value, or # before it.\n'))
  await eventually(() =>
    expect(said()).toContain('.env sets BOBBIN_PROT, which nothing reads. Did you mean BOBBIN_PORT?\n'),
  )
  await eventually(() =>
    expect(said()).toMatch(/^BOBBIN_NODE is set, but DATABASE_URL is missing.* Set DATABASE_URL, or remove/m),
  )
})
