/** The folders that the bot keeps in the data directory. Each may be a link to another disk. */
export const ownFolders: readonly string[] = ['incoming', 'mcp', 'nodes', 'skills', 'workspace']
