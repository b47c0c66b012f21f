import { existsSync, globSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** The version of the programs in a folder, by the name that Debian gives it: 15. */
export const majorOf = (programs: string): number => Number(basename(dirname(programs)))

/** Where Debian has its programs; undefined when the package is missing. */
export const postgresPrograms: string | undefined = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => existsSync(`${folder}/initdb`))
  .toSorted((one, other) => majorOf(other) - majorOf(one))[0]

/** In the environment of test processes: where the server is asked for. */
export const doorVariable = 'BOBBIN_TEST_POSTGRES'

/** In the environment of test processes: which database the tests of a project stand on. */
export const databaseVariable = 'BOBBIN_TEST_DATABASE'

/** A user who is asked for a password, and may do nothing in other people's databases. */
export const careful = { user: 'careful', password: 'right' }
