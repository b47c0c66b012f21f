import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about processes that share the work. */
export const engineWords = catalogue({
  // only one
  dataDirTaken: 'Another Bobbin is running on this data directory {where}.',
  dataDirTakenRemedy: 'Stop it first, or set BOBBIN_DATA_DIR to another directory.',
  nodeNameTaken: 'Another Bobbin is running as {node} on this database {where}.',
  nodeNameTakenRemedy: 'Stop it first, or give this one a BOBBIN_NODE of its own.',

  // open boss
  schemaDenied: 'The user in DATABASE_URL isn’t allowed to create the schema {schema}, or to use it.',
  schemaDeniedRemedy: 'Make this user the owner of the database.',

  // stand still
  stillRunning: 'Bobbin is running on {name} (process {pid} on {host}).',
  stillRunningRemedy: 'Stop it, then try again. Nothing was moved.',
})
