import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about processes that share the work. */
export const engineWords = catalogue({
  // only one
  anotherBobbinRunningData: 'Another Bobbin is running on this data directory {where}.',
  stopFirstOrSet: 'Stop it first, or set BOBBIN_DATA_DIR to another directory.',
  anotherBobbinRunningAs: 'Another Bobbin is running as {node} on this database {where}.',
  stopFirstOrGive: 'Stop it first, or give this one a BOBBIN_NODE of its own.',

  // open boss
  userDatabaseUrlIsnt: 'The user in DATABASE_URL isn’t allowed to create the schema {schema}, or to use it.',
  makeUserOwnerDatabase: 'Make this user the owner of the database.',

  // stand still
  bobbinRunningProcess: 'Bobbin is running on {name} (process {pid} on {host}).',
  stopThenTryAgain: 'Stop it, then try again. Nothing was moved.',
})
