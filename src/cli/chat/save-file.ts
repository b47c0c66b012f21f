import { existsSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../kit/failure.ts'
import { cliWords } from '../words.ts'
import type { Server } from './server.ts'
import { quoted } from './typed.ts'

/** Saves a file of a thread in a folder, or under a name, and returns where. Throws `file_exists` if one is there. */
export async function saveFile(server: Server, thread: string, path: string, to: string): Promise<string> {
  const target = existsSync(to) && statSync(to).isDirectory() ? `${to.replace(/\/+$/, '')}/${basename(path)}` : to
  const remedy = cliWords.alreadyHereRemedy({ path: quoted(path) })
  if (existsSync(target)) throw new Failure('file_exists', cliWords.alreadyHere({ target }), remedy)
  const { body } = await server.file(thread, path)
  const file = await open(target, 'wx')
  try {
    await pipeline(body === null ? [] : Readable.fromWeb(body), file.createWriteStream())
  } catch (thrown) {
    // Whoever finds a part would take it for the whole file.
    await rm(target, { force: true })
    throw thrown
  }
  return target
}
