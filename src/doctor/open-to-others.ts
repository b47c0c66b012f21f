import { readdirSync, realpathSync, statSync } from 'node:fs'
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
  const open = paths.filter(isOpenToOthers).flatMap(placeOf)
  if (open.length === 0) return []
  const [data] = placeOf(dataDir)
  const toClose = open.map((place) => (data !== undefined && closes(data, place) ? { ...data, real: dataDir } : place))
  const places = [...new Set(toClose.map(({ real }) => quoted(real)))].join(' ')
  const isOwn = toClose.every(({ owner }) => owner === process.getuid?.())
  const remedy = isOwn ? doctorWords.openToOthersRemedy : doctorWords.openAndForeignRemedy
  return [mind(doctorWords.openToOthers({ open: open.map(({ path }) => path).join(', ') }), remedy({ places }))]
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

interface Place {
  path: string
  real: string
  owner: number
}

/** None if it is gone by now, like what SQLite keeps beside a database while that is open. */
function placeOf(path: string): Place[] {
  try {
    const real = realpathSync(path)
    return [{ path, real, owner: statSync(real).uid }]
  } catch {
    return []
  }
}

/**
 * Nobody gets at what is in a closed directory, except by links that lead out of it. If it belongs to another user, not
 * even the bot does.
 */
const closes = (data: Place, { real, owner }: Place): boolean =>
  real.startsWith(`${data.real}/`) && owner === data.owner
