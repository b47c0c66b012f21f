import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, mind } from '../domain/finding.ts'
import { ownFolders } from '../domain/own-folders.ts'
import { isOpenToOthers } from '../kit/files/open-to-others.ts'
import { quoted } from '../kit/shell/shell-word.ts'
import { doctorWords } from './words.ts'

/** What other users of this machine can read: the settings, the bot's own folders, and databases, in whatever state. */
export function openFindings({ envFile, dataDir }: { envFile?: string | undefined; dataDir: string }): Finding[] {
  const ofData = namesIn(dataDir)
    .sort()
    .filter((name) => ownFolders.includes(name) || /\.db\b/.test(name))
  const paths = [...(envFile === undefined ? [] : [envFile]), ...ofData.map((name) => join(dataDir, name))]
  const open = paths.filter(isOpenToOthers)
  if (open.length === 0) return []
  const places = [...new Set(open.map((path) => toClose(path, dataDir)))]
  const remedy = doctorWords.openToOthersRemedy({ places: places.map(quoted).join(' ') })
  return [mind(doctorWords.openToOthers({ open: open.join(', ') }), remedy)]
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Nobody gets at what is in a closed directory, except by links that lead out of it. */
function toClose(path: string, dataDir: string): string {
  const real = realpathSync(path)
  return real.startsWith(`${realpathSync(dataDir)}/`) ? dataDir : real
}
