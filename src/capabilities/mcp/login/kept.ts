import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../../kit/json.ts'
import type { KeptLogin } from '../port.ts'

/**
 * What a login left: tokens, and who we are to the server that gives them. Only the bot's user may read the file. It is
 * bound to the address, so another server of the same name gets nothing of it.
 */
export function keptLogin(dataDir: string, server: string, url: string): KeptLogin & { drop(): Promise<void> } {
  const folder = join(dataDir, 'mcp', 'logins')
  const path = join(folder, `${server}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}.json`)
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== 'ENOENT') throw thrown
      })
      return text === undefined ? undefined : (JSON.parse(text) as JsonObject)
    },
    async write(value) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
    drop: () => rm(path, { force: true }),
  }
}
