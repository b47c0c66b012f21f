/** One exact change of a file of src/. */
interface Change {
  file: string
  find: string
  replace: string
}

/** Something that holds, and how to switch it off. */
export interface Protection {
  name: string
  changes: Change[]
  /** Texts of the ids of scenarios that are played without it. None of them may harm a machine then. */
  only: string[]
}

export const one = (name: string, file: string, find: string, replace: string, ...only: string[]): Protection => ({
  name,
  changes: [{ file: `src/${file}`, find, replace }],
  only,
})
