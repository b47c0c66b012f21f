/**
 * Paths as a tree of folders.
 *
 * @typedef {{ path: string, size: number, type: string, modified_at: string, changed_in: any }} File
 * @typedef {{ name: string, path: string, folders: Folder[], files: File[], count: number }} Folder
 */

const order = ['outputs', 'uploads', 'temp']
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare
const rank = ({ path }) => (order.includes(path) ? order.indexOf(path) : order.length)

/** @returns {Folder} */
const emptyFolder = (name, path) => ({ name, path, folders: [], files: [], count: 0 })

/** A folder that holds nothing but one other is shown as one line with it. */
function joined(folder) {
  const [only] = folder.folders
  if (folder.files.length > 0 || folder.folders.length !== 1) return folder
  return { ...only, name: `${folder.name}/${only.name}` }
}

/** Innermost first, so that a chain of folders folds in one pass. */
function finished(folder) {
  const folders = folder.folders.map(finished).map(joined)
  folders.sort((a, b) => byName(a.name, b.name))
  folder.files.sort((a, b) => byName(a.path, b.path))
  const count = folders.reduce((sum, one) => sum + one.count, folder.files.length)
  return { ...folder, folders, count }
}

/**
 * @param {File[]} files
 * @returns {Folder[]} Those of the workspace's top.
 */
export function treeOf(files) {
  const root = emptyFolder('', '')
  const known = new Map([['', root]])
  const folderAt = (path) => {
    const found = known.get(path)
    if (found) return found
    const cut = path.lastIndexOf('/')
    const folder = emptyFolder(path.slice(cut + 1), path)
    known.set(path, folder)
    folderAt(cut < 0 ? '' : path.slice(0, cut)).folders.push(folder)
    return folder
  }
  for (const file of files) folderAt(file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')))).files.push(file)
  return root.folders.map(finished).sort((a, b) => rank(a) - rank(b) || byName(a.path, b.path))
}
