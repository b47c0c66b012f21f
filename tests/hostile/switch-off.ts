/** One exact change to a file in src/. */
interface Change {
  file: string
  find: string
  replace: string
}

/** A protection, and how to switch it off. */
export interface Protection {
  name: string
  changes: Change[]
  /** Parts of the ids of scenarios to play without it. None of them may harm a machine then. */
  only: string[]
}

export const one = (name: string, file: string, find: string, replace: string, ...only: string[]): Protection => ({
  name,
  changes: [{ file: `src/${file}`, find, replace }],
  only,
})
