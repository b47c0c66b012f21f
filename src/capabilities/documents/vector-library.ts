/** The path of sqlite-vec's library, which was loaded once to see that it works. Throws where it doesn't. */
export async function vectorLibrary(): Promise<string> {
  const [{ getLoadablePath }, { default: Sqlite }] = await Promise.all([import('sqlite-vec'), import('better-sqlite3')])
  const path = getLoadablePath()
  const database = new Sqlite(':memory:')
  try {
    database.loadExtension(path)
    return path
  } finally {
    database.close()
  }
}
