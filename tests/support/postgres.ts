import { existsSync, globSync } from 'node:fs'

/** Where Debian has its programs; undefined when the package is missing. */
export const postgresPrograms: string | undefined = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => existsSync(`${folder}/initdb`))
  .toSorted((one, other) => Number(other.split('/')[4]) - Number(one.split('/')[4]))[0]

/** In the environment of test processes: where the server is asked for. */
export const doorVariable = 'BOBBIN_TEST_POSTGRES'

/** In the environment of test processes: which database the tests of a project stand on. */
export const databaseVariable = 'BOBBIN_TEST_DATABASE'

/** A user who is asked for a password, and may do nothing in other people's databases. */
export const careful = { user: 'careful', password: 'right' }
