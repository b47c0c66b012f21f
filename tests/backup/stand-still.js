// Told to Node by --import: once it has begun so many new files, the process stands still until its input ends.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

let left = Number(process.env.NEW_FILES)
const { createWriteStream } = fs
fs.createWriteStream = (path, options) => {
  if (options?.flags !== 'wx' || --left !== 0) return createWriteStream(path, options)
  const fd = fs.openSync(path, options.flags, options.mode)
  fs.writeSync(2, 'It stands still.\n')
  fs.readSync(0, Buffer.alloc(1))
  return createWriteStream(path, { ...options, fd })
}
syncBuiltinESMExports()
