import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { type ExportFormat, exportFormats } from '../export/format.ts'
import { exportAs, exportName, filesOf } from '../export/formats.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { createSecrets } from '../kit/secrets/secrets.ts'
import { oneLine, visible } from '../kit/text/text.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { ownSecrets } from '../wiring/secrets.ts'
import { stoppable } from './archive-command.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { saveExport } from './save-export.ts'
import { threadNamed } from './thread-named.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: export <id> [--format md|json|zip] [--out <file>].'

/** Writes one thread to a file, or prints it. Works while the bot runs. */
export async function exportCommand(args: string[]): Promise<number> {
  const { id, format, out } = parsed(args)
  const config = loadOrThrow()
  const store = await openStore(databasePlace(config), createSecrets(ownSecrets(config, builtinCapabilities)).mask)
  try {
    const session = await threadNamed(store.db, id)
    if (session === undefined || session.isDeleted) throw noThread(id)
    const content = await exportAs(format, store, session, await filesOf(join(config.dataDir, 'workspace'), session))
    // Bytes on a terminal help nobody.
    const file = out ?? (format === 'zip' && process.stdout.isTTY ? exportName(session, format) : undefined)
    if (file === undefined) {
      // What was said in a thread must not steer a terminal.
      const shown = process.stdout.isTTY ? content.map((text) => visible(String(text))) : content
      await pipeline(shown, process.stdout, { end: false })
      return 0
    }
    await stoppable({ what: 'export', remedy: cliWords.nothingWritten() }, (signal) =>
      saveExport(content, file, signal),
    )
    process.stderr.write(`${cliWords.threadExported({ file })}\n`)
    return 0
  } finally {
    await store.close()
  }
}

function parsed(args: string[]): { id: string; format: ExportFormat; out: string | undefined } {
  const options = { format: { type: 'string', default: 'md' }, out: { type: 'string' } } as const
  let read: { values: { format: string; out?: string | undefined }; positionals: string[] }
  try {
    read = parseArgs({ args, options, allowPositionals: true })
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  const [id, ...more] = read.positionals
  if (id === undefined || more.length > 0) throw new UsageFault(cliWords.threadIdMissing(), usage)
  const format = exportFormats.find((one) => one === read.values.format)
  if (format === undefined) throw new UsageFault(cliWords.noFormat({ format: read.values.format }), usage)
  return { id, format, out: read.values.out }
}

const noThread = (id: string): Failure =>
  new Failure('no_session', cliWords.noThread({ id: JSON.stringify(oneLine(id, 80)) }), '`bobbin sessions` lists them.')
