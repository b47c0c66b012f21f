/** What a check found. `remedy` says what to do, in plain words, a line each. */
export interface Finding {
  mark: 'fine' | 'mind' | 'broken'
  fact: string
  remedy: string[]
}

/** A check tells what it finds as it finds it. */
export type Findings = AsyncIterable<Finding>

export const fine = (fact: string): Finding => ({ mark: 'fine', fact, remedy: [] })
/** The bot works, but not as somebody may expect. */
export const mind = (fact: string, ...remedy: string[]): Finding => ({ mark: 'mind', fact, remedy })
export const broken = (fact: string, ...remedy: string[]): Finding => ({ mark: 'broken', fact, remedy })
