import { createWriteStream, existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../kit/failure.ts'
import { cliWords } from '../words.ts'
import type { Server } from './server.ts'

/** Saves a file of a thread in a folder, or under a name, and returns where. Throws `file_exists` if one is there. */
export async function saveFile(server: Server, thread: string, path: string, to: string): Promise<string> {
  const target = existsSync(to) && statSync(to).isDirectory() ? `${to.replace(/\/+$/, '')}/${basename(path)}` : to
  if (existsSync(target))
    throw new Failure('file_exists', cliWords.alreadyHere({ target }), cliWords.alreadyHereRemedy({ path }))
  const { body } = await server.file(thread, path)
  if (body !== null) await pipeline(Readable.fromWeb(body), createWriteStream(target, { flags: 'wx' }))
  return target
}
