// Told to Node by --import: when the bot says that it is ready, the modules that were loaded by then follow, as JSON.
import { registerHooks } from 'node:module'

const loaded = []
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url)
    return nextLoad(url, context)
  },
})

const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (text) => {
  const isReady = String(text).startsWith('Bobbin is ready')
  return write(isReady ? `${text}${JSON.stringify(loaded)}\n` : text)
}
